/** Plugins that run only if a flag enables them. */
export { alwaysAdmit } from './plugins/alwaysAdmit.ts';
export { namespaceAutoProvision } from './plugins/namespaceAutoProvision.ts';
export { namespaceExists } from './plugins/namespaceExists.ts';
export { securityContextDeny } from './plugins/securityContextDeny.ts';
export { limitPodHardAntiAffinityTopology } from './plugins/limitPodHardAntiAffinityTopology.ts';
export { nodeRestriction } from './plugins/nodeRestriction.ts';
export { alwaysPullImages } from './plugins/alwaysPullImages.ts';
export { imagePolicyWebhook } from './plugins/imagePolicyWebhook.ts';
export { podSecurityPolicy } from './plugins/podSecurityPolicy/index.ts';
export { podNodeSelector } from './plugins/podNodeSelector.ts';
export { podTolerationRestriction } from './plugins/podTolerationRestriction.ts';
export { denyEscalatingExec, denyExecOnPrivileged } from './plugins/denyExec.ts';
export { eventRateLimit } from './plugins/eventRateLimit.ts';
export { extendedResourceToleration } from './plugins/extendedResourceToleration.ts';
export { persistentVolumeLabel } from './plugins/persistentVolumeLabel.ts';
export { ownerReferencesPermissionEnforcement } from './plugins/ownerReferencesPermissionEnforcement.ts';
export { alwaysDeny } from './plugins/alwaysDeny.ts';
