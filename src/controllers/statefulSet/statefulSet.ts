/**
 * Stateful sets: pods with ordinals, names and volumes of their own, created, updated and deleted in order.
 *
 * Watches stateful sets, pods, claims and controller revisions.
 */
import {
  controllerRevisions,
  nameOf,
  pods as podsRef,
  statefulSets,
  type ControllerRevision,
  type Informer,
  type Pod,
  type StatefulSet,
} from '../../client/index.ts';
import { selectorOfObject } from '../../schema/index.ts';
import { revisionHash } from '../history/hash.ts';
import { History, planRevision, revisionData } from '../history/revisions.ts';
import {
  claim,
  claimableBy,
  indexByController,
  ownersOf,
  wakeOn,
  writeStatus,
  type ControllerContext,
  type Run,
} from '../runtime/index.ts';
import {
  describe,
  isOutdated,
  planSteps,
  statusAfter,
  type Revisions,
  type StatefulSetStatus,
  type Step,
} from './plan.ts';
import { StatefulPodControl } from './podControl.ts';
import { ordinalOf, revisionOf, withClaimLabels } from './pods.ts';

class StatefulSets {
  readonly #context: ControllerContext;
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #control: StatefulPodControl;
  readonly #history: History<StatefulSet>;

  constructor(context: ControllerContext) {
    const { client, informers, names, flags } = context;
    this.#context = context;
    this.#sets = informers.of(statefulSets);
    this.#pods = informers.of(podsRef);
    indexByController(this.#pods);
    this.#control = new StatefulPodControl(context);
    const cache = informers.of(controllerRevisions);
    this.#history = new History({
      client,
      cache,
      ownerRef: statefulSets,
      plan: planRevision,
      hashLabel: names.fill('controller.{label}/hash'),
      hash: ({ spec, status }) => revisionHash(revisionData(spec.template), names, status.collisionCount ?? 0),
    });
    const workers = flags.number('concurrent-statefulset-syncs');
    const loop = context.loop({ workers, reconcile: (key, run) => this.#reconcile(key, run) });
    wakeOn(loop, this.#sets);
    wakeOn(loop, this.#pods, (pod) =>
      ownersOf(
        this.#sets,
        'StatefulSet',
        pod,
        (set) =>
          ordinalOf(pod, set) !== undefined && selectorOfObject(set.spec.selector).matches(pod.metadata.labels ?? {}),
      ),
    );
  }

  async #reconcile(key: string, run: Run): Promise<void> {
    const set = this.#sets.get(key);
    if (!set) return;
    const pods = await this.#claim(set);
    const { newest, all } = await this.#history.sync(set, (count) =>
      this.#write(set, { ...set.status, collisionCount: count }),
    );
    const current = all.find((revision) => revision.metadata.name === set.status.currentRevision) ?? newest;
    const revisions: Revisions = { current: nameOf(current), update: nameOf(newest) };
    const steps = planSteps(set, pods, revisions, this.#context.names);
    run.plan(steps.map((step) => describe(step, set)));
    // As in the reference, the status is written only after every step succeeded.
    for (const step of steps) await this.#perform(set, step, { current, update: newest });
    const status = statusAfter(set, pods, steps, revisions, set.status.collisionCount);
    const sent = steps.some((step) => step.do === 'create') ? withClaimLabels(set) : set;
    if (isOutdated(set, status)) await this.#write(sent, status);
    const inUse = new Set([...pods.map(revisionOf), revisions.current, revisions.update]);
    await this.#history.truncate(set, all, inUse);
  }

  #claim(set: StatefulSet): Promise<Pod[]> {
    const named = claimableBy(this.#pods, set).filter((pod) => ordinalOf(pod, set) !== undefined);
    const claims = {
      client: this.#context.client,
      ref: podsRef,
      cache: this.#pods,
      owner: set,
      ownerRef: statefulSets,
    };
    return claim(claims, selectorOfObject(set.spec.selector), named);
  }

  async #perform(
    set: StatefulSet,
    step: Step,
    revisions: { readonly current: ControllerRevision; readonly update: ControllerRevision },
  ): Promise<void> {
    switch (step.do) {
      case 'create':
        return this.#control.create(set, step.ordinal, revisions[step.revision]);
      case 'repair':
        return this.#control.repair(set, step.pod, step.ordinal);
      case 'delete':
        return this.#control.delete(set, step.pod, step.why);
    }
  }

  async #write(set: StatefulSet, status: StatefulSetStatus): Promise<void> {
    await writeStatus({ client: this.#context.client, ref: statefulSets, cache: this.#sets }, set, status);
  }
}

export function startStatefulSets(context: ControllerContext): void {
  new StatefulSets(context);
}
