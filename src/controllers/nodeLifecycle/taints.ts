import type { Node, Pod } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { timeOf, tolerates, type objects } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';

type Taint = objects.Taint;

/** Which condition in which status taints a node. */
const CAUSES: readonly { readonly condition: string; readonly status: string; readonly taint: string }[] = [
  { condition: 'Ready', status: 'False', taint: 'not-ready' },
  { condition: 'Ready', status: 'Unknown', taint: 'unreachable' },
  { condition: 'MemoryPressure', status: 'True', taint: 'memory-pressure' },
  { condition: 'DiskPressure', status: 'True', taint: 'disk-pressure' },
  { condition: 'NetworkUnavailable', status: 'True', taint: 'network-unavailable' },
  { condition: 'PIDPressure', status: 'True', taint: 'pid-pressure' },
];

const keyOf = (taint: string, names: Names): string => names.fill(`node.{label}/${taint}`);

/** Taints that follow from a node's conditions, and from being marked unschedulable: new pods stay away. */
function schedulingTaints(node: Node, names: Names): readonly string[] {
  const holds = (condition: string, status: string): boolean =>
    node.status.conditions?.some((c) => c.type === condition && c.status === status) ?? false;
  const caused = CAUSES.filter(({ condition, status }) => holds(condition, status)).map(({ taint }) => taint);
  return [...caused, ...(node.spec.unschedulable ? ['unschedulable'] : [])].map((taint) => keyOf(taint, names));
}

/** The taint that drives pods off a node that isn't ready. */
function evictionTaint(node: Node, names: Names): string | undefined {
  const ready = node.status.conditions?.find((condition) => condition.type === 'Ready')?.status;
  if (ready === 'True' || ready === undefined) return undefined;
  return keyOf(ready === 'False' ? 'not-ready' : 'unreachable', names);
}

/** The node's taints as they should be; undefined where they are. `mayEvict` is false while nodes go down too fast. */
export function planTaints(node: Node, names: Names, mayEvict: boolean, now: number): Taint[] | undefined {
  const current = node.spec.taints ?? [];
  const own = new Set([...CAUSES.map(({ taint }) => taint), 'unschedulable'].map((taint) => keyOf(taint, names)));
  const evicting = evictionTaint(node, names);
  const keeps = (taint: Taint): boolean => {
    if (!own.has(taint.key) || (taint.effect !== 'NoSchedule' && taint.effect !== 'NoExecute')) return true;
    return taint.effect === 'NoSchedule' ? schedulingTaints(node, names).includes(taint.key) : taint.key === evicting;
  };
  const kept = current.filter(keeps);
  const has = (key: string, effect: string): boolean =>
    kept.some((taint) => taint.key === key && taint.effect === effect);
  const timeAdded = rfc3339(now);
  const added = schedulingTaints(node, names)
    .filter((key) => !has(key, 'NoSchedule'))
    .map((key) => ({ key, effect: 'NoSchedule', timeAdded }));
  const evict =
    evicting && mayEvict && !has(evicting, 'NoExecute') ? [{ key: evicting, effect: 'NoExecute', timeAdded }] : [];
  const changed = kept.length !== current.length || added.length + evict.length > 0;
  return changed ? [...kept, ...added, ...evict] : undefined;
}

/** Whether the node still needs the taint that drives pods off it, and hasn't got it. */
export function awaitsEviction(node: Node, names: Names): boolean {
  const key = evictionTaint(node, names);
  return (
    key !== undefined && !(node.spec.taints ?? []).some((taint) => taint.key === key && taint.effect === 'NoExecute')
  );
}

/**
 * When a pod has to leave a node, in milliseconds since the epoch: undefined where it may stay. A pod that doesn't
 * tolerate a taint has to leave at once, one that tolerates it for a time when the shortest of these times is over.
 */
export function evictionTime(pod: Pod, node: Node, seenAt: (taint: Taint) => number): number | undefined {
  const times = (node.spec.taints ?? [])
    .filter((taint) => taint.effect === 'NoExecute')
    .map((taint) => leaveAt(pod, taint, seenAt(taint)));
  const earliest = Math.min(...times);
  return earliest === Infinity ? undefined : earliest;
}

function leaveAt(pod: Pod, taint: Taint, seenAt: number): number {
  const since = timeOf(taint.timeAdded) ?? seenAt;
  const tolerations = (pod.spec.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
  if (tolerations.length === 0) return since;
  const seconds = tolerations.map((toleration) => toleration.tolerationSeconds ?? Infinity);
  return since + Math.max(0, Math.min(...seconds)) * 1000;
}
