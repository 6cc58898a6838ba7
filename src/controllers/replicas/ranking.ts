import type { Pod } from '../../client/index.ts';
import { timeOf } from '../../schema/index.ts';
import { isActive, isReady, readySince } from '../runtime/pods.ts';

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/**
 * The `count` pods that are missed least: those without a node, not yet running, not ready, standing beside others of
 * their kind on one node, ready for the shortest time, restarted most, youngest. `related` are the pods that count as
 * their kind, such as all of one deployment's.
 */
export function leastMissed(pods: readonly Pod[], related: readonly Pod[], count: number): Pod[] {
  if (count >= pods.length) return [...pods];
  const perNode = new Map<string, number>();
  for (const pod of related) {
    const node = pod.spec?.nodeName ?? '';
    if (isActive(pod) && node !== '') perNode.set(node, (perNode.get(node) ?? 0) + 1);
  }
  const crowd = (pod: Pod): number => perNode.get(pod.spec?.nodeName ?? '') ?? 0;
  return [...pods].sort((a, b) => compare(a, b) || crowd(b) - crowd(a) || compareAge(a, b)).slice(0, count);
}

/** What comes before crowding. */
function compare(a: Pod, b: Pod): number {
  return (
    Number(Boolean(a.spec?.nodeName)) - Number(Boolean(b.spec?.nodeName)) ||
    phaseRank(a) - phaseRank(b) ||
    Number(isReady(a)) - Number(isReady(b))
  );
}

/** What comes after it; the younger first. */
function compareAge(a: Pod, b: Pod): number {
  return (
    younger(readySince(a), readySince(b)) ||
    restarts(b) - restarts(a) ||
    younger(timeOf(a.metadata.creationTimestamp), timeOf(b.metadata.creationTimestamp))
  );
}

function younger(a: number | undefined, b: number | undefined): number {
  if (a === b) return 0;
  // An unknown time counts as the latest of all.
  return (b ?? Infinity) - (a ?? Infinity);
}

const phaseRank = (pod: Pod): number => PHASES[pod.status?.phase ?? ''] ?? 0;

const restarts = (pod: Pod): number =>
  Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount));
