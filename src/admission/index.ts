export type * from './types.ts';
export { createAdmission, type Admission } from './chain.ts';
export { readConfiguration, type AdmissionConfiguration } from './configuration.ts';
export { enabledPlugins, PluginChoiceError, plugins, type PluginChoice } from './plugins.ts';
export { PluginConfigError } from './plugins/config.ts';
export { CallError, post, type Addressee, type PostDeps } from './webhooks/post.ts';
export { ChainTimer } from './metrics.ts';
