/**
 * Stateful sets: pods with numbers, names and volumes of their own, made, changed and removed in order.
 *
 * Watches stateful sets, pods, claims and controller revisions.
 */
import {
  controllerRevisions,
  keyOf,
  persistentVolumeClaims,
  pods as podsRef,
  statefulSets,
  type ControllerRevision,
  type Draft,
  type Informer,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '../../client/index.ts';
import { isReason, selectorOfObject } from '../../schema/index.ts';
import { History } from '../history/revisions.ts';
import {
  claim,
  controllerIn,
  controllerOf,
  messageOf,
  sameStatus,
  wakeOn,
  type ControllerContext,
  type Run,
} from '../runtime/index.ts';
import { describe, planSteps, statusAfter, type Revisions, type StatefulSetStatus, type Step } from './plan.ts';
import { claimsOf, ordinalOf, podOf, revisionOf } from './pods.ts';

class StatefulSets {
  readonly #context: ControllerContext;
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #history: History<StatefulSet>;

  constructor(context: ControllerContext) {
    const { client, informers, names, flags } = context;
    this.#context = context;
    this.#sets = informers.of(statefulSets);
    this.#pods = informers.of(podsRef);
    this.#claims = informers.of(persistentVolumeClaims);
    const cache = informers.of(controllerRevisions);
    this.#history = new History({
      client,
      cache,
      ownerRef: statefulSets,
      hashLabel: names.fill('controller.{label}/hash'),
    });
    const workers = flags.number('concurrent-statefulset-syncs');
    const loop = context.loop({ workers, reconcile: (key, run) => this.#reconcile(key, run) });
    wakeOn(loop, this.#sets);
    wakeOn(loop, this.#pods, (pod) => this.#ownersOf(pod));
  }

  #ownersOf(pod: Pod): string[] {
    const owner = controllerIn(this.#sets, 'StatefulSet', pod);
    if (owner || controllerOf(pod)) return owner ? [keyOf(owner)] : [];
    const candidates = this.#sets.by('namespace', pod.metadata.namespace ?? '');
    return candidates
      .filter(
        (set) =>
          ordinalOf(pod, set) !== undefined && selectorOfObject(set.spec.selector).matches(pod.metadata.labels ?? {}),
      )
      .map(keyOf);
  }

  async #reconcile(key: string, run: Run): Promise<void> {
    const set = this.#sets.get(key);
    if (!set) return;
    const pods = await this.#claim(set);
    const { newest, all } = await this.#history.sync(set, (count) =>
      this.#write(set, { ...set.status, collisionCount: count }),
    );
    const current = all.find((revision) => revision.metadata.name === set.status.currentRevision) ?? newest;
    const revisions: Revisions = { current: current.metadata.name ?? '', update: newest.metadata.name ?? '' };
    const steps = planSteps(set, pods, revisions);
    run.plan(steps.map((step) => describe(step, set)));
    const done = await this.#perform(set, steps, { current, update: newest });
    const status = statusAfter(set, pods, done.steps, revisions, set.status.collisionCount);
    await this.#write(set, status);
    const inUse = new Set([...pods.map(revisionOf), revisions.current, revisions.update]);
    await this.#history.truncate(set, all, inUse);
    if (done.problem !== undefined) throw done.problem;
  }

  #claim(set: StatefulSet): Promise<Pod[]> {
    const named = this.#pods
      .by('namespace', set.metadata.namespace ?? '')
      .filter((pod) => ordinalOf(pod, set) !== undefined);
    const claims = {
      client: this.#context.client,
      ref: podsRef,
      cache: this.#pods,
      owner: set,
      ownerRef: statefulSets,
    };
    return claim(claims, selectorOfObject(set.spec.selector), named);
  }

  /** Returns the steps that were done before one failed. */
  async #perform(
    set: StatefulSet,
    steps: readonly Step[],
    revisions: { readonly current: ControllerRevision; readonly update: ControllerRevision },
  ): Promise<{ readonly steps: readonly Step[]; readonly problem?: unknown }> {
    const done: Step[] = [];
    for (const step of steps) {
      try {
        if (step.do === 'delete') await this.#delete(set, step.pod, step.why);
        else await this.#create(set, step.ordinal, revisions[step.revision]);
        done.push(step);
      } catch (problem) {
        return { steps: done, problem };
      }
    }
    return { steps: done };
  }

  async #create(set: StatefulSet, ordinal: number, revision: ControllerRevision): Promise<void> {
    const draft = podOf(set, ordinal, revision, this.#context.client);
    for (const wanted of claimsOf(set, ordinal)) await this.#ensureClaim(set, wanted, draft.metadata?.name ?? '');
    await this.#telling(set, 'create', draft.metadata?.name ?? '', async () => {
      const pod = await this.#context.client.of(podsRef).create(draft);
      await this.#pods.until(keyOf(pod), (seen) => seen !== undefined);
    });
  }

  async #ensureClaim(set: StatefulSet, wanted: Draft<PersistentVolumeClaim>, pod: string): Promise<void> {
    const { name = '', namespace = '' } = wanted.metadata ?? {};
    if (this.#claims.get(`${namespace}/${name}`)) return;
    try {
      await this.#context.client.of(persistentVolumeClaims).create(wanted);
    } catch (problem) {
      if (isReason(problem, 'AlreadyExists')) return;
      const what = `create Claim ${name} for Pod ${pod} in StatefulSet ${set.metadata.name} failed error: ${messageOf(problem)}`;
      this.#context.recorder.record(set, 'Warning', 'FailedCreate', what);
      throw problem;
    }
    this.#context.recorder.record(
      set,
      'Normal',
      'SuccessfulCreate',
      `create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`,
    );
  }

  async #delete(set: StatefulSet, pod: Pod, why: string): Promise<void> {
    const { uid } = pod.metadata;
    if (why === 'failed')
      this.#context.recorder.record(
        set,
        'Warning',
        'RecreatingFailedPod',
        `StatefulSet ${keyOf(set)} is recreating failed Pod ${pod.metadata.name}`,
      );
    await this.#telling(set, 'delete', pod.metadata.name ?? '', async () => {
      await this.#context.client.of(podsRef).delete(pod);
      await this.#pods.until(
        keyOf(pod),
        (seen) => seen?.metadata.uid !== uid || seen?.metadata.deletionTimestamp !== undefined,
      );
    });
  }

  async #telling(set: StatefulSet, verb: 'create' | 'delete', pod: string, work: () => Promise<void>): Promise<void> {
    const what = verb === 'create' ? 'Create' : 'Delete';
    const message = `${verb} Pod ${pod} in StatefulSet ${set.metadata.name}`;
    try {
      await work();
    } catch (problem) {
      if (isReason(problem, 'AlreadyExists') || isReason(problem, 'NotFound')) throw problem;
      this.#context.recorder.record(set, 'Warning', `Failed${what}`, `${message} failed error: ${messageOf(problem)}`);
      throw problem;
    }
    this.#context.recorder.record(set, 'Normal', `Successful${what}`, `${message} successful`);
  }

  async #write(set: StatefulSet, status: StatefulSetStatus): Promise<void> {
    if (sameStatus(status, set.status)) return;
    try {
      await this.#context.client.of(statefulSets).updateStatus({ ...set, status });
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return;
      throw problem;
    }
    await this.#sets.until(keyOf(set), (seen) => seen?.metadata.resourceVersion !== set.metadata.resourceVersion);
  }
}

export function startStatefulSets(context: ControllerContext): void {
  new StatefulSets(context);
}
