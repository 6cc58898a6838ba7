import type { QueueEvent } from '../metrics.ts';

const NODE_LABELS: readonly QueueEvent[] = ['NodeAdd', 'NodeLabelChange'];
const PODS_LEAVE: readonly QueueEvent[] = ['AssignedPodDelete', 'NodeAdd'];
const VOLUMES: readonly QueueEvent[] = ['PvcAdd', 'PvcUpdate', 'PvAdd', 'PvUpdate', 'StorageClassAdd'];

/** The events that may resolve a filter's rejection. */
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

/**
 * Every waiting pod is retried on these, whatever rejected it: like the reference, the queue does not check which
 * filter is affected.
 */
export const ALWAYS: readonly QueueEvent[] = ['PodUpdate', 'UnschedulableTimeout'];

/** The events that could help a pod that these filters rejected, sorted; for extenders any event might. */
export function wakingEvents(plugins: readonly string[]): readonly QueueEvent[] {
  return [...new Set([...plugins.flatMap((plugin) => CURES.get(plugin) ?? []), ...ALWAYS])].sort();
}
