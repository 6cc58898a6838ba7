/** The controllers of volumes, quotas, certificates and terminating namespaces. */
export { startApprover } from './certificates/approver.ts';
export { startSigner } from './certificates/signer.ts';
export { startCleaner } from './certificates/cleaner.ts';
export { startBootstrapSigner } from './bootstrap/signer.ts';
export { startTokenCleaner } from './bootstrap/tokenCleaner.ts';
export { startNamespaces } from './namespace/namespace.ts';
export { startResourceQuotas } from './resourceQuota.ts';
export { startVolumeBinder } from './volumes/binder.ts';
export { startClaimProtection, startVolumeProtection } from './volumes/protection.ts';
export { startExpander } from './volumes/expander.ts';
export { startEphemeralVolumes } from './volumes/ephemeral.ts';
export { startAttachDetach } from './volumes/attachDetach.ts';
