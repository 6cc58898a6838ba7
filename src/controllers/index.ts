/**
 * The controllers, in the order in which they start. To add one: write its file and add it to the list. A controller
 * that has nothing to do in a new cluster is listed with the objects that it waits for; its file belongs to a part that
 * is loaded then.
 */
import {
  certificateSigningRequests,
  configMaps,
  cronJobs,
  daemonSets,
  deployments,
  endpoints,
  horizontalPodAutoscalers,
  jobs,
  namespaces,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  replicaSets,
  replicationControllers,
  resourceQuotas,
  secrets,
  services,
  statefulSets,
  volumeAttachments,
} from '../client/index.ts';
import { Part, type Loadable } from '../std/index.ts';
import { garbageCollector } from './garbageCollector/garbageCollector.ts';
import { rootCAPublisher } from './certificates/rootCA.ts';
import { nodeIpam } from './nodeIpam/nodeIpam.ts';
import { nodeTtl } from './nodeTtl.ts';
import { nodeLifecycle } from './nodeLifecycle/nodeLifecycle.ts';
import {
  first,
  runControllers,
  type Controller,
  type ManagerOptions,
  type RunningControllers,
} from './runtime/index.ts';
import { roleAggregation } from './roleAggregation.ts';
import { serviceAccountController } from './serviceAccount.ts';
import { serviceAccountTokens } from './serviceAccountTokens/serviceAccountTokens.ts';

const workloads = new Part(() => import('./workloads.ts'));
const infrastructure = new Part(() => import('./infrastructure.ts'));

export const controllerParts: readonly Loadable[] = [workloads, infrastructure];

/** The cluster's own service has no selector, and its endpoints are not mirrored. */
const selectingServices = first(services, ({ spec }) => Object.keys(spec.selector ?? {}).length > 0);
const mirroredEndpoints = first(
  endpoints,
  ({ metadata }, names) => metadata.labels?.[names.fill('endpointslice.{label}/skip-mirror')] !== 'true',
);
const leavingNamespaces = first(namespaces, ({ metadata }) => metadata.deletionTimestamp !== undefined);

export const controllers: readonly Controller[] = [
  serviceAccountTokens,
  serviceAccountController,
  roleAggregation,
  rootCAPublisher,
  {
    name: 'csrapproving',
    account: 'certificate-controller',
    wakesOn: [first(certificateSigningRequests)],
    start: infrastructure.of('startApprover'),
  },
  {
    name: 'csrsigning',
    account: 'certificate-controller',
    wakesOn: [first(certificateSigningRequests)],
    start: infrastructure.of('startSigner'),
  },
  {
    name: 'csrcleaner',
    account: 'certificate-controller',
    wakesOn: [first(certificateSigningRequests)],
    start: infrastructure.of('startCleaner'),
  },
  {
    name: 'bootstrapsigner',
    account: 'bootstrap-signer',
    offByDefault: true,
    wakesOn: [first(configMaps)],
    start: infrastructure.of('startBootstrapSigner'),
  },
  {
    name: 'tokencleaner',
    account: 'token-cleaner',
    offByDefault: true,
    wakesOn: [first(secrets)],
    start: infrastructure.of('startTokenCleaner'),
  },
  {
    name: 'namespace',
    account: 'namespace-controller',
    wakesOn: [leavingNamespaces],
    start: infrastructure.of('startNamespaces'),
  },
  {
    name: 'resourcequota',
    account: 'resourcequota-controller',
    wakesOn: [first(resourceQuotas)],
    start: infrastructure.of('startResourceQuotas'),
  },
  garbageCollector,
  {
    name: 'replicationcontroller',
    account: 'replication-controller',
    wakesOn: [first(replicationControllers)],
    start: workloads.of('startReplicationControllers'),
  },
  {
    name: 'replicaset',
    account: 'replicaset-controller',
    wakesOn: [first(replicaSets)],
    start: workloads.of('startReplicaSets'),
  },
  {
    name: 'deployment',
    account: 'deployment-controller',
    wakesOn: [first(deployments)],
    start: workloads.of('startDeployments'),
  },
  {
    name: 'statefulset',
    account: 'statefulset-controller',
    wakesOn: [first(statefulSets)],
    start: workloads.of('startStatefulSets'),
  },
  {
    name: 'daemonset',
    account: 'daemon-set-controller',
    component: 'daemonset-controller',
    wakesOn: [first(daemonSets)],
    start: workloads.of('startDaemonSets'),
  },
  { name: 'job', account: 'job-controller', wakesOn: [first(jobs)], start: workloads.of('startJobs') },
  { name: 'cronjob', account: 'cronjob-controller', wakesOn: [first(cronJobs)], start: workloads.of('startCronJobs') },
  {
    name: 'ttl-after-finished',
    account: 'ttl-after-finished-controller',
    gate: 'TTLAfterFinished',
    wakesOn: [first(jobs)],
    start: workloads.of('startTtlAfterFinished'),
  },
  {
    name: 'disruption',
    account: 'disruption-controller',
    component: 'controllermanager',
    wakesOn: [first(podDisruptionBudgets)],
    start: workloads.of('startDisruption'),
  },
  {
    name: 'horizontalpodautoscaling',
    account: 'horizontal-pod-autoscaler',
    wakesOn: [first(horizontalPodAutoscalers)],
    start: workloads.of('startAutoscalers'),
  },
  { name: 'podgc', account: 'pod-garbage-collector', wakesOn: [first(pods)], start: workloads.of('startPodCollector') },
  nodeIpam,
  nodeTtl,
  nodeLifecycle,
  {
    name: 'service',
    account: 'service-controller',
    wakesOn: [first(services, ({ spec }) => spec.type === 'LoadBalancer')],
    start: workloads.of('startLoadBalancers'),
  },
  {
    name: 'endpoint',
    account: 'endpoint-controller',
    wakesOn: [selectingServices],
    start: workloads.of('startEndpoints'),
  },
  {
    name: 'endpointslice',
    account: 'endpointslice-controller',
    component: 'endpoint-slice-controller',
    wakesOn: [selectingServices],
    start: workloads.of('startEndpointSlices'),
  },
  {
    name: 'endpointslicemirroring',
    account: 'endpointslicemirroring-controller',
    component: 'endpoint-slice-mirroring-controller',
    wakesOn: [mirroredEndpoints],
    start: workloads.of('startEndpointSliceMirroring'),
  },
  {
    name: 'persistentvolume-binder',
    account: 'persistent-volume-binder',
    component: 'persistentvolume-controller',
    wakesOn: [first(persistentVolumes), first(persistentVolumeClaims)],
    start: infrastructure.of('startVolumeBinder'),
  },
  {
    name: 'persistentvolume-expander',
    account: 'expand-controller',
    component: 'volume_expand',
    wakesOn: [first(persistentVolumeClaims, ({ status }) => status.phase === 'Bound')],
    start: infrastructure.of('startExpander'),
  },
  {
    name: 'attachdetach',
    account: 'attachdetach-controller',
    wakesOn: [first(persistentVolumes, ({ spec }) => spec.csi !== undefined), first(volumeAttachments)],
    start: infrastructure.of('startAttachDetach'),
  },
  {
    name: 'ephemeral-volume',
    account: 'ephemeral-volume-controller',
    component: 'ephemeral_volume',
    gate: 'GenericEphemeralVolume',
    wakesOn: [first(pods)],
    start: infrastructure.of('startEphemeralVolumes'),
  },
  {
    name: 'pvc-protection',
    account: 'pvc-protection-controller',
    wakesOn: [first(persistentVolumeClaims)],
    start: infrastructure.of('startClaimProtection'),
  },
  {
    name: 'pv-protection',
    account: 'pv-protection-controller',
    wakesOn: [first(persistentVolumes)],
    start: infrastructure.of('startVolumeProtection'),
  },
];

/** Runs the control loops against an API server. `stop` ends their watches; running reconciles are completed. */
export function startControllers(options: ManagerOptions): RunningControllers {
  return runControllers(controllers, options);
}

export type {
  Controller,
  ControllerContext,
  ControllersView,
  Issuance,
  ManagerOptions,
  RunningControllers,
} from './runtime/index.ts';
