export type * from './types.ts';
export { copiedForTrace, createAdmission, type Admission, type Pass } from './chain.ts';
export { configurationFile } from './configurationFile.ts';
export type { AdmissionConfiguration } from './configuration.ts';
export { admissionParts, enabledPlugins, PluginChoiceError, plugins, type PluginChoice } from './plugins.ts';
export { PluginConfigError } from './plugins/configError.ts';
export { CallError, post, type Addressee, type PostDeps } from './webhooks/post.ts';
export { ChainTimer } from './metrics.ts';
