/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type { ControllerRevision } from './controllerRevision.ts';
export type {
  RollingUpdateDaemonSet,
  DaemonSetUpdateStrategy,
  DaemonSetSpec,
  DaemonSetCondition,
  DaemonSetStatus,
  DaemonSet,
} from './daemonSet.ts';
export type {
  RollingUpdateDeployment,
  DeploymentStrategy,
  DeploymentSpec,
  DeploymentCondition,
  DeploymentStatus,
  Deployment,
} from './deployment.ts';
export type { ReplicaSetSpec, ReplicaSetCondition, ReplicaSetStatus, ReplicaSet } from './replicaSet.ts';
export type {
  RollingUpdateStatefulSetStrategy,
  StatefulSetUpdateStrategy,
  StatefulSetSpec,
  StatefulSetCondition,
  StatefulSetStatus,
  StatefulSet,
} from './statefulSet.ts';
