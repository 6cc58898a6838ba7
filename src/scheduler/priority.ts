import type { Pod } from '../client/index.ts';
import { timeOf } from '../schema/index.ts';

/** Importance of pods: higher priority first, then longer running. */

export const priorityOf = (pod: Pod): number => pod.spec.priority ?? 0;

/** Milliseconds since the epoch; pods that have not started count as the youngest. */
export const startOf = (pod: Pod): number => timeOf(pod.status.startTime) ?? Infinity;

export function moreImportantFirst(a: Pod, b: Pod): number {
  const byPriority = priorityOf(b) - priorityOf(a);
  if (byPriority !== 0) return byPriority;
  const [first, second] = [startOf(a), startOf(b)];
  return first === second ? 0 : first < second ? -1 : 1;
}
