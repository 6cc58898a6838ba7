/**
 * Disruption budgets: how many of the pods that a budget selects may be disturbed just now.
 *
 * Watches budgets, pods and their owners.
 */
import {
  deployments,
  keyOf,
  podDisruptionBudgets,
  pods as podsRef,
  replicaSets,
  replicationControllers,
  statefulSets,
  type Informer,
  type Pod,
  type PodDisruptionBudget,
} from '../client/index.ts';
import { isReason, scaledValue, selectorOfObject, timeOf, type ApiObject } from '../schema/index.ts';
import {
  controllerIn,
  controllerOf,
  isReady,
  messageOf,
  sameStatus,
  wakeOn,
  type ControllerContext,
} from './runtime/index.ts';

type Budget = PodDisruptionBudget;
type BudgetStatus = Budget['status'];

/** Milliseconds within which a pod that was evicted should be gone; then the eviction is taken to have failed. */
const EVICTED_FOR = 120_000;

export interface Expectation {
  readonly expected: number;
  readonly desired: number;
}

/** How many pods there should be, and how many of them healthy. `scale` is what the pods' owners want in all; undefined where that can't be told. */
export function expectationOf(budget: Budget, pods: number, scale: () => number): Expectation {
  const { maxUnavailable, minAvailable } = budget.spec;
  if (maxUnavailable !== undefined) {
    const expected = scale();
    return { expected, desired: Math.max(0, expected - (scaledValue(maxUnavailable, expected, 'up') ?? 0)) };
  }
  if (typeof minAvailable === 'string') {
    const expected = scale();
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

class Budgets {
  readonly #context: ControllerContext;
  readonly #budgets: Informer<Budget>;
  readonly #pods: Informer<Pod>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#budgets = context.informers.of(podDisruptionBudgets);
    this.#pods = context.informers.of(podsRef);
    const loop = context.loop({ reconcile: (key) => this.#reconcile(key) });
    const inNamespace = (object: ApiObject): string[] =>
      this.#budgets.by('namespace', object.metadata.namespace ?? '').map(keyOf);
    wakeOn(loop, this.#budgets);
    wakeOn(loop, this.#pods, (pod) => this.#covering(pod));
    for (const ref of [replicaSets, replicationControllers, statefulSets, deployments]) {
      const owners = context.informers.of<ApiObject>(ref);
      wakeOn(loop, owners, inNamespace, (owner, old) => owner.metadata.generation !== old.metadata.generation);
    }
  }

  #covering(pod: Pod): string[] {
    const candidates = this.#budgets.by('namespace', pod.metadata.namespace ?? '');
    return candidates.filter((budget) => this.#covers(budget, pod)).map(keyOf);
  }

  /** In this version of the API an empty selector selects nothing. */
  #covers({ spec }: Budget, pod: Pod): boolean {
    const selector = selectorOfObject(spec.selector);
    return !selector.matchesEverything && selector.matches(pod.metadata.labels ?? {});
  }

  async #reconcile(key: string): Promise<number | void> {
    const budget = this.#budgets.get(key);
    if (!budget) return;
    const pods = this.#pods.by('namespace', budget.metadata.namespace ?? '').filter((pod) => this.#covers(budget, pod));
    const { recorder, clock } = this.#context;
    if (pods.length === 0) recorder.record(budget, 'Normal', 'NoPods', 'No matching pods found');
    try {
      const expectation = expectationOf(budget, pods.length, () => this.#scaleOf(budget, pods));
      const { status, again } = planStatus(budget, pods, expectation, clock.now());
      await this.#write(budget, status);
      return again;
    } catch (problem) {
      if (isReason(problem, 'Conflict')) throw problem;
      recorder.record(
        budget,
        'Warning',
        'CalculateExpectedPodCountFailed',
        `Failed to calculate the number of expected pods: ${messageOf(problem)}`,
      );
      // Nothing may be evicted; but the budget still counts as one that was not looked at.
      await this.#write(budget, { ...budget.status, disruptionsAllowed: 0 });
    }
  }

  /** How many pods the owners of these want, each owner counted once. */
  #scaleOf(budget: Budget, pods: readonly Pod[]): number {
    const scales = new Map<string, number>();
    const fail = (reason: string, what: string, pod: Pod): never => {
      const message = `found no ${what} for pod ${JSON.stringify(pod.metadata.name)}`;
      this.#context.recorder.record(budget, 'Warning', reason, message);
      throw new Error(message);
    };
    for (const pod of pods) {
      if (!controllerOf(pod)) return fail('NoControllerRef', 'controller ref', pod);
      const scaled = this.#scalableOf(pod) ?? fail('NoControllers', 'controllers', pod);
      scales.set(scaled.metadata.uid ?? '', scaled.spec.replicas ?? 1);
    }
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  #scalableOf(
    pod: Pod,
  ): { readonly metadata: ApiObject['metadata']; readonly spec: { readonly replicas?: number } } | undefined {
    const { informers } = this.#context;
    const set = controllerIn(informers.of(replicaSets), 'ReplicaSet', pod);
    const deployment = set && controllerIn(informers.of(deployments), 'Deployment', set);
    return (
      deployment ??
      set ??
      controllerIn(informers.of(statefulSets), 'StatefulSet', pod) ??
      controllerIn(informers.of(replicationControllers), 'ReplicationController', pod)
    );
  }

  async #write(budget: Budget, status: BudgetStatus): Promise<void> {
    if (sameStatus(status, budget.status)) return;
    try {
      await this.#context.client.of(podDisruptionBudgets).updateStatus({ ...budget, status });
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return;
      throw problem;
    }
    await this.#budgets.until(
      keyOf(budget),
      (seen) => seen?.metadata.resourceVersion !== budget.metadata.resourceVersion,
    );
  }
}

export function startDisruption(context: ControllerContext): void {
  new Budgets(context);
}
