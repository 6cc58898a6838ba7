import type { Node, Pod } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { tolerates, type objects } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';

type Taint = objects.Taint;

/** The conditions and statuses that taint a node. */
const CAUSES: readonly { readonly condition: string; readonly status: string; readonly taint: string }[] = [
  { condition: 'Ready', status: 'False', taint: 'not-ready' },
  { condition: 'Ready', status: 'Unknown', taint: 'unreachable' },
  { condition: 'MemoryPressure', status: 'True', taint: 'memory-pressure' },
  { condition: 'DiskPressure', status: 'True', taint: 'disk-pressure' },
  { condition: 'NetworkUnavailable', status: 'True', taint: 'network-unavailable' },
  { condition: 'PIDPressure', status: 'True', taint: 'pid-pressure' },
];

/** The taints that evict pods from a node that is not ready. */
const EVICTING = ['not-ready', 'unreachable'];

const keyOf = (taint: string, names: Names): string => names.fill(`node.{label}/${taint}`);

/** Taints derived from a node's conditions and its unschedulable flag, which keep new pods away. */
function schedulingTaints(node: Node, names: Names): readonly string[] {
  const holds = (condition: string, status: string): boolean =>
    node.status.conditions?.some((c) => c.type === condition && c.status === status) ?? false;
  const caused = CAUSES.filter(({ condition, status }) => holds(condition, status)).map(({ taint }) => taint);
  return [...caused, ...(node.spec.unschedulable ? ['unschedulable'] : [])].map((taint) => keyOf(taint, names));
}

/** The taint that evicts pods from a node that is not ready. */
function evictionTaint(node: Node, names: Names): string | undefined {
  const ready = node.status.conditions?.find((condition) => condition.type === 'Ready')?.status;
  if (ready === 'True' || ready === undefined) return undefined;
  return keyOf(ready === 'False' ? 'not-ready' : 'unreachable', names);
}

/**
 * Whether pods may be evicted from a node that is not ready: at once, later (nodes fail too fast), or never; then the
 * evicting taint is removed, because all nodes have failed, and the control plane is the likely cause. `off` means that pods
 * are not evicted by taints; then the evicting taints that somebody set stay.
 */
export type Eviction = 'now' | 'later' | 'never' | 'off';

/** The desired taints of the node; undefined if it has them. */
export function planTaints(node: Node, names: Names, eviction: Eviction, now: number): Taint[] | undefined {
  const current = node.spec.taints ?? [];
  const wanted = schedulingTaints(node, names);
  // Most nodes have no taints and need none. A node that needs an evicting taint needs one against new pods, too.
  if (current.length === 0 && wanted.length === 0) return undefined;
  const own = new Set([...CAUSES.map(({ taint }) => taint), 'unschedulable'].map((taint) => keyOf(taint, names)));
  const ownEvicting = eviction === 'off' ? [] : EVICTING.map((taint) => keyOf(taint, names));
  const evicting = eviction === 'never' ? undefined : evictionTaint(node, names);
  const keeps = ({ key, effect }: Taint): boolean => {
    if (effect === 'NoSchedule') return !own.has(key) || wanted.includes(key);
    return effect !== 'NoExecute' || !ownEvicting.includes(key) || key === evicting;
  };
  const kept = current.filter(keeps);
  const has = (key: string, effect: string): boolean =>
    kept.some((taint) => taint.key === key && taint.effect === effect);
  const timeAdded = rfc3339(now);
  const added = wanted
    .filter((key) => !has(key, 'NoSchedule'))
    .map((key) => ({ key, effect: 'NoSchedule', timeAdded }));
  const evict =
    evicting && eviction === 'now' && !has(evicting, 'NoExecute')
      ? [{ key: evicting, effect: 'NoExecute', timeAdded }]
      : [];
  const changed = kept.length !== current.length || added.length + evict.length > 0;
  return changed ? [...kept, ...added, ...evict] : undefined;
}

const drivesOff = (node: Node, key: string): boolean =>
  (node.spec.taints ?? []).some((taint) => taint.key === key && taint.effect === 'NoExecute');

/** Whether the node has one of the evicting taints and needs the other: they are swapped at once. */
export function swapsEviction(node: Node, names: Names): boolean {
  const wanted = evictionTaint(node, names);
  const others = EVICTING.map((taint) => keyOf(taint, names)).filter((key) => key !== wanted);
  return wanted !== undefined && others.some((key) => drivesOff(node, key));
}

/** Whether the node needs an evicting taint and has none yet. */
export function awaitsEviction(node: Node, names: Names): boolean {
  const wanted = evictionTaint(node, names);
  return wanted !== undefined && !EVICTING.some((taint) => drivesOff(node, keyOf(taint, names)));
}

/** The taints that evict pods which do not tolerate them. */
export const evictingTaints = ({ spec: { taints = [] } }: Node): Taint[] =>
  taints.filter(({ effect }) => effect === 'NoExecute');

/** How long a pod tolerates taints: `none` if it does not tolerate all of them; otherwise a time in milliseconds, or `always`. */
export type Tolerance = 'none' | 'always' | number;

/**
 * How long a pod may stay on a node with these evicting taints, from when they are seen. The first matching toleration
 * of a taint counts, and the shortest time over all taints.
 */
export function toleratedFor(pod: Pod, evicting: readonly Taint[]): Tolerance {
  const used = evicting.map((taint) => pod.spec.tolerations?.find((toleration) => tolerates(toleration, taint)));
  if (used.includes(undefined)) return 'none';
  const seconds = used.flatMap((toleration) => toleration?.tolerationSeconds ?? []);
  return seconds.length === 0 ? 'always' : Math.max(0, Math.min(...seconds)) * 1000;
}
