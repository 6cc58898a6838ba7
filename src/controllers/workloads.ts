/** The controllers of workloads and service endpoints. */
export { startReplicationControllers } from './replicas/replicationController.ts';
export { startReplicaSets } from './replicas/replicaSet.ts';
export { startDeployments } from './deployment/deployment.ts';
export { startStatefulSets } from './statefulSet/statefulSet.ts';
export { startDaemonSets } from './daemonSet/daemonSet.ts';
export { startJobs } from './job/job.ts';
export { startCronJobs } from './job/cronJob.ts';
export { startTtlAfterFinished } from './job/ttl.ts';
export { startDisruption } from './disruption/disruption.ts';
export { startAutoscalers } from './autoscaler/autoscaler.ts';
export { startPodCollector } from './podCollector.ts';
export { startEndpoints } from './services/endpoints.ts';
export { startEndpointSlices } from './services/endpointSlices.ts';
export { startEndpointSliceMirroring } from './services/mirroring.ts';
export { startLoadBalancers } from './services/loadBalancer.ts';
