/** The controllers, in the order in which they start. To add one: write its file, add it to the list. */
import { namespaceController } from './namespace/namespace.ts';
import { garbageCollector } from './garbageCollector/garbageCollector.ts';
import { deploymentController } from './deployment/deployment.ts';
import { replicaSetController } from './replicas/replicaSet.ts';
import { replicationController } from './replicas/replicationController.ts';
import { runControllers, type Controller, type ManagerOptions, type RunningControllers } from './runtime/index.ts';
import { serviceAccountController } from './serviceAccount.ts';

export const controllers: readonly Controller[] = [
  serviceAccountController,
  namespaceController,
  garbageCollector,
  replicationController,
  replicaSetController,
  deploymentController,
];

/** Runs the control loops against an API server. Stop ends their watches; what they were doing is finished. */
export function startControllers(options: ManagerOptions): RunningControllers {
  return runControllers(controllers, options);
}

export type { Controller, ControllerContext, ManagerOptions, RunningControllers } from './runtime/index.ts';
