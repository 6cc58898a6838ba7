/** What a disruption budget's status should be: pure functions of the budget, its pods and what their owners want. */
import type { Pod, PodDisruptionBudget } from '../../client/index.ts';
import { scaledValue, timeOf } from '../../schema/index.ts';
import { isReady } from '../runtime/index.ts';

type Budget = PodDisruptionBudget;
type BudgetStatus = Budget['status'];

/** Milliseconds within which a pod that was evicted should be gone; then the eviction is taken to have failed. */
const EVICTED_FOR = 120_000;

export interface Expectation {
  readonly expected: number;
  readonly desired: number;
}

/** How many pods there should be, and how many of them healthy. `scale` is what the pods' owners want in all; it is asked for only where it counts, and rejects where it is unknown. */
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
  return { expected: pods, desired: minAvailable ?? 0 };
}

/** The budget's status, and after how many milliseconds an eviction that hasn't happened is to be forgotten. */
export function planStatus(
  budget: Budget,
  pods: readonly Pod[],
  expectation: Expectation,
  now: number,
): { readonly status: BudgetStatus; readonly again?: number } {
  const disrupted = Object.entries(budget.status.disruptedPods ?? {}).flatMap(([name, time]) => {
    const left = (timeOf(time) ?? 0) + EVICTED_FOR - now;
    const pod = pods.find((candidate) => candidate.metadata.name === name);
    return pod && pod.metadata.deletionTimestamp === undefined && left > 0 ? [{ name, time, left }] : [];
  });
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
  return disrupted.length === 0 ? { status } : { status, again: Math.min(...disrupted.map(({ left }) => left)) };
}
