import { getOwn } from '../../std/index.ts';
import type { Pod } from '../../client/index.ts';
import { timeOf } from '../../schema/index.ts';
import { isActive, isReady, readySince } from '../runtime/pods.ts';

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/**
 * The `count` pods to delete first: unassigned, pending, unready, on nodes with the most related pods, most recently
 * ready, most restarts, youngest. `related` are the pods to count by node, such as all pods of one deployment; empty if
 * their distribution does not matter.
 */
export function firstToDelete(pods: readonly Pod[], related: readonly Pod[], count: number): Pod[] {
  if (count >= pods.length) return [...pods];
  const onNode = countByNode(related);
  const neighbours = (pod: Pod): number => onNode.get(nodeOf(pod)) ?? 0;
  return [...pods]
    .sort((a, b) => compareState(a, b) || neighbours(b) - neighbours(a) || compareAge(a, b))
    .slice(0, count);
}

const nodeOf = (pod: Pod): string => pod.spec?.nodeName ?? '';

function countByNode(pods: readonly Pod[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const pod of pods.filter(isActive)) counts.set(nodeOf(pod), (counts.get(nodeOf(pod)) ?? 0) + 1);
  return counts;
}

/** Negative if `a` is deleted before `b` because of its state. */
function compareState(a: Pod, b: Pod): number {
  return (
    Number(nodeOf(a) !== '') - Number(nodeOf(b) !== '') ||
    phaseRank(a) - phaseRank(b) ||
    Number(isReady(a)) - Number(isReady(b))
  );
}

/** Negative if `a` is deleted before `b` because of its age and restarts. */
function compareAge(a: Pod, b: Pod): number {
  return (
    laterFirst(readySince(a), readySince(b)) ||
    restarts(b) - restarts(a) ||
    laterFirst(timeOf(a.metadata.creationTimestamp), timeOf(b.metadata.creationTimestamp))
  );
}

/** An unknown time counts as the latest. */
function laterFirst(a = Infinity, b = Infinity): number {
  return a === b ? 0 : b - a;
}

const phaseRank = (pod: Pod): number => getOwn(PHASES, pod.status?.phase ?? '') ?? 0;

const restarts = (pod: Pod): number =>
  Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount));
