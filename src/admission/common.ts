/** Default plugins that do not apply to the objects of a new cluster. */
export { limitRanger } from './plugins/limitRanger.ts';
export { serviceAccount } from './plugins/serviceAccount.ts';
export { priority } from './plugins/priority.ts';
export { defaultTolerationSeconds } from './plugins/defaultTolerationSeconds.ts';
export { defaultStorageClass } from './plugins/defaultStorageClass.ts';
export { storageObjectInUseProtection } from './plugins/storageObjectInUseProtection.ts';
export { persistentVolumeClaimResize } from './plugins/persistentVolumeClaimResize.ts';
export { runtimeClass } from './plugins/runtimeClass.ts';
export { certificateApproval, certificateSigning, certificateSubjectRestriction } from './plugins/certificates.ts';
export { defaultIngressClass } from './plugins/defaultIngressClass.ts';
export { mutatingAdmissionWebhook } from './plugins/mutatingAdmissionWebhook.ts';
export { validatingAdmissionWebhook } from './plugins/validatingAdmissionWebhook.ts';
export { resourceQuota } from './plugins/resourceQuota.ts';
