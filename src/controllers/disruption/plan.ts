/** The desired status of a disruption budget: pure functions of the budget, its pods and the scale of their owners. */
import type { Pod, PodDisruptionBudget } from '../../client/index.ts';
import { scaledValue, timeOf } from '../../schema/index.ts';
import { isReady } from '../runtime/index.ts';

type Budget = PodDisruptionBudget;
type BudgetStatus = Budget['status'];

/** Milliseconds after which an evicted pod that still exists counts as not evicted. */
const EVICTED_FOR = 120_000;

export interface Expectation {
  readonly expected: number;
  readonly desired: number;
}

/**
 * The expected number of pods, and of healthy ones. `scale` is the total scale of the pods' owners; it is called only
 * if needed, and rejects if it is unknown. A budget with neither bound expects no pods, so it allows no disruption.
 */
export async function expectationOf(budget: Budget, pods: number, scale: () => Promise<number>): Promise<Expectation> {
  const { maxUnavailable, minAvailable } = budget.spec;
  if (maxUnavailable !== undefined) {
    const expected = await scale();
    return { expected, desired: Math.max(0, expected - (scaledValue(maxUnavailable, expected, 'up') ?? 0)) };
  }
  if (typeof minAvailable === 'string') {
    const expected = await scale();
    return { expected, desired: scaledValue(minAvailable, expected, 'up') ?? 0 };
  }
  return minAvailable === undefined ? { expected: 0, desired: 0 } : { expected: pods, desired: minAvailable };
}

/** The budget's status, the pods whose eviction did not happen, and the milliseconds until the next eviction is dropped. */
export function planStatus(
  budget: Budget,
  pods: readonly Pod[],
  expectation: Expectation,
  now: number,
): { readonly status: BudgetStatus; readonly notDeleted: readonly Pod[]; readonly again?: number } {
  const expected = Object.entries(budget.status.disruptedPods ?? {}).flatMap(([name, time]) => {
    const left = (timeOf(time) ?? 0) + EVICTED_FOR - now;
    const pod = pods.find((candidate) => candidate.metadata.name === name);
    return pod && pod.metadata.deletionTimestamp === undefined ? [{ name, pod, time, left }] : [];
  });
  const disrupted = expected.filter(({ left }) => left > 0);
  const notDeleted = expected.filter(({ left }) => left <= 0).map(({ pod }) => pod);
  const isLeaving = (pod: Pod): boolean =>
    pod.metadata.deletionTimestamp !== undefined || disrupted.some(({ name }) => name === pod.metadata.name);
  const healthy = pods.filter((pod) => isReady(pod) && !isLeaving(pod)).length;
  const allowed = expectation.expected > 0 ? Math.max(0, healthy - expectation.desired) : 0;
  const status: BudgetStatus = {
    ...budget.status,
    observedGeneration: budget.metadata.generation ?? 0,
    disruptedPods: Object.fromEntries(disrupted.map(({ name, time }) => [name, time])),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: expectation.desired,
    expectedPods: expectation.expected,
  };
  if (disrupted.length === 0) return { status, notDeleted };
  return { status, notDeleted, again: Math.min(...disrupted.map(({ left }) => left)) };
}
