import type { QueueEvent } from '../metrics.ts';

const NODE_LABELS: readonly QueueEvent[] = ['NodeAdd', 'NodeLabelChange'];
const PODS_LEAVE: readonly QueueEvent[] = ['AssignedPodDelete', 'NodeAdd'];
const VOLUMES: readonly QueueEvent[] = ['PvcAdd', 'PvcUpdate', 'PvAdd', 'PvUpdate', 'StorageClassAdd'];

/** Which events can lift what a filter refuses. */
const CURES: ReadonlyMap<string, readonly QueueEvent[]> = new Map([
  ['NodeUnschedulable', ['NodeAdd', 'NodeSpecUnschedulableChange']],
  ['NodeName', ['NodeAdd']],
  ['TaintToleration', ['NodeAdd', 'NodeTaintChange', 'PodUpdate']],
  ['NodeAffinity', NODE_LABELS],
  ['NodeLabel', NODE_LABELS],
  ['NodePorts', PODS_LEAVE],
  ['NodeResourcesFit', [...PODS_LEAVE, 'NodeAllocatableChange']],
  ['VolumeRestrictions', PODS_LEAVE],
  ['EBSLimits', [...PODS_LEAVE, 'NodeAllocatableChange']],
  ['GCEPDLimits', [...PODS_LEAVE, 'NodeAllocatableChange']],
  ['AzureDiskLimits', [...PODS_LEAVE, 'NodeAllocatableChange']],
  ['CinderLimits', [...PODS_LEAVE, 'NodeAllocatableChange']],
  ['NodeVolumeLimits', [...PODS_LEAVE, 'CSINodeAdd', 'CSINodeUpdate']],
  ['VolumeBinding', [...VOLUMES, ...NODE_LABELS]],
  ['VolumeZone', [...VOLUMES, ...NODE_LABELS]],
  ['PodTopologySpread', ['AssignedPodAdd', 'AssignedPodUpdate', 'AssignedPodDelete', ...NODE_LABELS]],
  ['InterPodAffinity', ['AssignedPodAdd', 'AssignedPodUpdate', 'AssignedPodDelete', ...NODE_LABELS]],
  ['ServiceAffinity', ['ServiceAdd', 'ServiceUpdate', 'ServiceDelete', 'AssignedPodDelete', ...NODE_LABELS]],
]);

/** Every waiting pod is tried again at these, whatever refused it: like the reference, the queue doesn't ask which filter could have changed its mind. */
export const ALWAYS: readonly QueueEvent[] = ['PodUpdate', 'UnschedulableTimeout'];

/** The events that could help a pod that these filters refused, in alphabetical order; extenders may change their mind at any. */
export function wakingEvents(plugins: readonly string[]): readonly QueueEvent[] {
  return [...new Set([...plugins.flatMap((plugin) => CURES.get(plugin) ?? []), ...ALWAYS])].sort();
}
