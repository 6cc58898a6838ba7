/**
 * Disruption budgets: how many of the pods of a budget may be disrupted now.
 *
 * Watches budgets and pods; looks up their owners.
 */
import {
  keyOf,
  namespaceOf,
  podDisruptionBudgets,
  pods as podsRef,
  type Informer,
  type Pod,
  type PodDisruptionBudget,
} from '../../client/index.ts';
import { isReason, selectorOfObject } from '../../schema/index.ts';
import { messageOf, wakeOn, wakingBy, writeStatus, type ControllerContext } from '../runtime/index.ts';
import { expectationOf, planStatus } from './plan.ts';
import { OwnerScales } from './scales.ts';

type Budget = PodDisruptionBudget;

class Budgets {
  readonly #context: ControllerContext;
  readonly #budgets: Informer<Budget>;
  readonly #pods: Informer<Pod>;
  readonly #scales: OwnerScales;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#scales = new OwnerScales(context);
    this.#budgets = context.informers.of(podDisruptionBudgets);
    this.#pods = context.informers.of(podsRef);
    const loop = context.loop({ reconcile: (key) => this.#reconcile(key) });
    wakeOn(loop, this.#budgets);
    // As in the reference, neither pods that a budget no longer selects nor scale changes of owners wake it.
    const look = (pod: Pod): void => {
      const covering = this.#covering(pod);
      for (const key of covering) loop.add(key, () => wakingBy(pod, 'changed'));
      this.#warnOfSeveral(pod, covering);
    };
    this.#pods.on({ added: look, changed: look, deleted: look });
  }

  #covering(pod: Pod): string[] {
    const candidates = this.#budgets.by('namespace', namespaceOf(pod));
    return candidates.filter((budget) => this.#covers(budget, pod)).map(keyOf);
  }

  /**
   * Evictions of a pod with several budgets are refused, so the reference records an event at each change of the pod.
   */
  #warnOfSeveral(pod: Pod, [first, second]: readonly string[]): void {
    if (first === undefined || second === undefined) return;
    const message = `Pod ${keyOf(pod)} matches multiple PodDisruptionBudgets. Chose ${first} arbitrarily.`;
    this.#context.recorder.record(pod, 'Warning', 'MultiplePodDisruptionBudgets', message);
  }

  /** In this API version an empty selector selects nothing. */
  #covers({ spec }: Budget, pod: Pod): boolean {
    const selector = selectorOfObject(spec.selector);
    return !selector.matchesEverything && selector.matches(pod.metadata.labels ?? {});
  }

  async #reconcile(key: string): Promise<number | void> {
    const budget = this.#budgets.get(key);
    if (!budget) return;
    const pods = this.#pods.by('namespace', namespaceOf(budget)).filter((pod) => this.#covers(budget, pod));
    const { recorder, clock } = this.#context;
    if (pods.length === 0) recorder.record(budget, 'Normal', 'NoPods', 'No matching pods found');
    try {
      const expectation = await expectationOf(budget, pods.length, () => this.#scales.total(budget, pods));
      const { status, notDeleted, again } = planStatus(budget, pods, expectation, clock.now());
      for (const pod of notDeleted) this.#reportNotDeleted(budget, pod);
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
      // No eviction is allowed, but the budget still counts as not reconciled.
      await this.#write(budget, { ...budget.status, disruptionsAllowed: 0 });
    }
  }

  /** The reference's text names the budget's namespace twice. */
  #reportNotDeleted({ metadata: { namespace } }: Budget, pod: Pod): void {
    const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    this.#context.recorder.record(pod, 'Warning', 'NotDeleted', message);
  }

  async #write(budget: Budget, status: Budget['status']): Promise<void> {
    const { client } = this.#context;
    await writeStatus({ client, ref: podDisruptionBudgets, cache: this.#budgets }, budget, status);
  }
}

export function startDisruption(context: ControllerContext): void {
  new Budgets(context);
}
