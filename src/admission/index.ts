export type * from './types.ts';
export { createAdmission, type Admission } from './chain.ts';
export { enabledPlugins, plugins, UnknownPluginError } from './plugins.ts';
