/** What Tables show of each kind. */
export { webhookColumns } from '../admissionregistration/columns.ts';
export {
  controllerRevisionColumns,
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
  statefulSetColumns,
} from '../apps/columns.ts';
export { horizontalPodAutoscalerColumns, scaleColumns } from '../autoscaling/columns.ts';
export { cronJobColumns, jobColumns } from '../batch/columns.ts';
export { certificateSigningRequestColumns } from '../certificates/columns.ts';
export {
  componentStatusColumns,
  configMapColumns,
  namespaceColumns,
  resourceQuotaColumns,
  secretColumns,
  serviceAccountColumns,
} from '../core/columns.ts';
export { eventColumns } from '../core/event.columns.ts';
export { nodeColumns } from '../core/node.columns.ts';
export { podColumns, podRowConditions } from '../core/pod.columns.ts';
export { endpointsColumns, serviceColumns } from '../core/service.columns.ts';
export { persistentVolumeClaimColumns, persistentVolumeColumns } from '../core/storage.columns.ts';
export { podTemplateColumns, replicationControllerColumns } from '../core/workloads.columns.ts';
export { endpointSliceColumns } from '../discovery/columns.ts';
export { flowSchemaColumns, priorityLevelConfigurationColumns } from '../flowcontrol/columns.ts';
export { ingressClassColumns, ingressColumns, networkPolicyColumns } from '../networking/columns.ts';
export { podDisruptionBudgetColumns, podSecurityPolicyColumns } from '../policy/columns.ts';
export { bindingColumns } from '../rbac/columns.ts';
export { csiDriverColumns, csiNodeColumns, storageClassColumns, volumeAttachmentColumns } from '../storage/columns.ts';
