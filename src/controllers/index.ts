/** The controllers, in the order in which they start. To add one: write its file, add it to the list. */
import { namespaceController } from './namespace/namespace.ts';
import { garbageCollector } from './garbageCollector/garbageCollector.ts';
import { bootstrapSigner } from './bootstrap/signer.ts';
import { tokenCleaner } from './bootstrap/tokenCleaner.ts';
import { csrApprover } from './certificates/approver.ts';
import { csrCleaner } from './certificates/cleaner.ts';
import { rootCAPublisher } from './certificates/rootCA.ts';
import { csrSigner } from './certificates/signer.ts';
import { autoscalerController } from './autoscaler/autoscaler.ts';
import { daemonSetController } from './daemonSet/daemonSet.ts';
import { disruptionController } from './disruption.ts';
import { cronJobController } from './job/cronJob.ts';
import { jobController } from './job/job.ts';
import { ttlAfterFinished } from './job/ttl.ts';
import { nodeTtl } from './nodeTtl.ts';
import { podCollector } from './podCollector.ts';
import { statefulSetController } from './statefulSet/statefulSet.ts';
import { deploymentController } from './deployment/deployment.ts';
import { nodeLifecycle } from './nodeLifecycle/nodeLifecycle.ts';
import { replicaSetController } from './replicas/replicaSet.ts';
import { replicationController } from './replicas/replicationController.ts';
import { runControllers, type Controller, type ManagerOptions, type RunningControllers } from './runtime/index.ts';
import { resourceQuotaController } from './resourceQuota.ts';
import { roleAggregation } from './roleAggregation.ts';
import { endpointsController } from './services/endpoints.ts';
import { endpointSliceController, endpointSliceMirroring } from './services/endpointSlices.ts';
import { volumeBinder } from './volumes/binder.ts';
import { claimProtection, volumeProtection } from './volumes/protection.ts';
import { serviceAccountController } from './serviceAccount.ts';
import { serviceAccountTokens } from './serviceAccountTokens/serviceAccountTokens.ts';

export const controllers: readonly Controller[] = [
  serviceAccountTokens,
  serviceAccountController,
  roleAggregation,
  rootCAPublisher,
  csrApprover,
  csrSigner,
  csrCleaner,
  bootstrapSigner,
  tokenCleaner,
  namespaceController,
  resourceQuotaController,
  garbageCollector,
  replicationController,
  replicaSetController,
  deploymentController,
  statefulSetController,
  daemonSetController,
  jobController,
  cronJobController,
  ttlAfterFinished,
  disruptionController,
  autoscalerController,
  podCollector,
  nodeTtl,
  nodeLifecycle,
  endpointsController,
  endpointSliceController,
  endpointSliceMirroring,
  volumeBinder,
  claimProtection,
  volumeProtection,
];

/** Runs the control loops against an API server. Stop ends their watches; what they were doing is finished. */
export function startControllers(options: ManagerOptions): RunningControllers {
  return runControllers(controllers, options);
}

export type { Controller, ControllerContext, Issuance, ManagerOptions, RunningControllers } from './runtime/index.ts';
