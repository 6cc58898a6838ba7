/**
 * Daemon sets: one pod on every node that the template's selector, affinity and tolerations allow.
 *
 * Watches daemon sets, nodes, pods and controller revisions.
 */
import {
  controllerRevisions,
  daemonSets,
  keyOf,
  nameOf,
  nodes as nodesRef,
  pods as podsRef,
  type ControllerRevision,
  type DaemonSet,
  type Informer,
  type Node,
  type Pod,
} from '../../client/index.ts';
import { selectorOfObject } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { templateHash } from '../history/hash.ts';
import { History } from '../history/revisions.ts';
import {
  claim,
  claimableBy,
  deleteIfPresent,
  inGrowingBatches,
  isNamespaceTerminating,
  PodControl,
  indexByController,
  ownersOf,
  waitForCache,
  wakeOn,
  wakingBy,
  writeStatus,
  type ControllerContext,
  type Run,
} from '../runtime/index.ts';
import { FailedPodsBackoff } from './failedPods.ts';
import { planRevision, sortRevisions, surplusRevisions } from './history.ts';
import { fits, HASH_LABEL, isCurrent, nodeOf, podFor } from './placement.ts';
import {
  nextAvailable,
  planDaemons,
  planUpdate,
  statusOf,
  type DaemonPlan,
  type DaemonSetStatus,
  type View,
} from './plan.ts';

class DaemonSets {
  readonly #context: ControllerContext;
  readonly #sets: Informer<DaemonSet>;
  readonly #nodes: Informer<Node>;
  readonly #pods: Informer<Pod>;
  readonly #history: History<DaemonSet>;
  readonly #control: PodControl;
  readonly #backoff: FailedPodsBackoff;

  constructor(context: ControllerContext) {
    const { client, informers, recorder, names } = context;
    this.#context = context;
    this.#sets = informers.of(daemonSets);
    this.#nodes = informers.of(nodesRef);
    this.#pods = informers.of(podsRef);
    indexByController(this.#pods);
    this.#history = new History({
      client,
      cache: informers.of(controllerRevisions),
      ownerRef: daemonSets,
      plan: planRevision,
      hashLabel: HASH_LABEL,
      hash: ({ spec, status }) => templateHash(spec.template, names, status.collisionCount),
    });
    this.#backoff = new FailedPodsBackoff(context.clock);
    this.#control = new PodControl(client, recorder, this.#pods);
    const loop = context.loop({ workers: 2, reconcile: (key, run) => this.#reconcile(key, run) });
    wakeOn(loop, this.#sets);
    wakeOn(loop, this.#pods, (pod) => this.#ownersOf(pod));
    // As in the reference, a deleted node does not wake a set.
    const wake = (sets: readonly DaemonSet[], node: Node, what: string): void =>
      sets.forEach((set) => loop.add(keyOf(set), () => wakingBy(node, what)));
    this.#nodes.on({
      added: (node) => wake(this.#setsFor(node), node, 'added'),
      changed: (node, old) => wake(this.#setsFor(node, old), node, 'changed'),
    });
  }

  /** The sets with a pod for a new node, or that are affected by a change of a node. */
  #setsFor(node: Node, old?: Node): DaemonSet[] {
    const { names } = this.#context;
    if (!old) return this.#sets.list().filter((set) => fits(set, node, names).run);
    if (!matters(node, old)) return [];
    return this.#sets.list().filter((set) => !deepEqual(fits(set, node, names), fits(set, old, names)));
  }

  #ownersOf(pod: Pod): string[] {
    return ownersOf(this.#sets, 'DaemonSet', pod, ({ spec }) =>
      selectorOfObject(spec.selector).matches(pod.metadata.labels ?? {}),
    );
  }

  async #reconcile(key: string, run: Run): Promise<number | void> {
    const set = this.#sets.get(key);
    if (!set || set.metadata.deletionTimestamp !== undefined) return;
    const revisions = await this.#labelled(await this.#history.of(set));
    const { newest } = await this.#history.sync(
      set,
      (count) => this.#write(set, { ...set.status, collisionCount: count }),
      revisions,
    );
    const { duplicates, old } = sortRevisions(set.spec.template, revisions);
    if (duplicates.length > 0) await this.#removeDuplicates(set, duplicates, newest);
    const view = await this.#view(set, this.#history.hashOf(newest));
    const plan = planDaemons(view);
    const outdated = plan.create.length + plan.remove.length === 0 ? planUpdate(view) : [];
    run.plan([{ create: plan.create }, { delete: [...plan.remove, ...outdated].map(keyOf) }]);
    // As in the reference, nothing else is done where a pod could not be created or deleted: the status stays as it was.
    await this.#perform(view, { ...plan, remove: [...plan.remove, ...outdated] });
    const after = await this.#view(set, view.hash);
    await this.#write(set, statusOf(after));
    await this.#cleanUp(after, old);
    return soonest(plan.retryIn, nextAvailable(after));
  }

  /** The revisions with their hash label; a revision that has lost it gets its own name as the label. */
  #labelled(revisions: readonly ControllerRevision[]): Promise<ControllerRevision[]> {
    const label = (revision: ControllerRevision): Promise<ControllerRevision> => {
      const labels = { ...revision.metadata.labels, [HASH_LABEL]: nameOf(revision) };
      const metadata = { ...revision.metadata, labels };
      return this.#context.client.of(controllerRevisions).update({ ...revision, metadata });
    };
    return Promise.all(revisions.map((each) => (this.#history.hashOf(each) === '' ? label(each) : each)));
  }

  /** Deletes other revisions of the same template; all pods of the set are relabelled to the remaining one. */
  async #removeDuplicates(
    set: DaemonSet,
    duplicates: readonly ControllerRevision[],
    newest: ControllerRevision,
  ): Promise<void> {
    const hash = this.#history.hashOf(newest);
    const { pods } = await this.#view(set, hash);
    for (const pod of pods.filter((pod) => !isCurrent(pod, hash))) {
      const metadata = { ...pod.metadata, labels: { ...pod.metadata.labels, [HASH_LABEL]: hash } };
      await waitForCache(this.#pods, await this.#context.client.of(podsRef).update({ ...pod, metadata }), pod);
    }
    for (const revision of duplicates) await deleteIfPresent(this.#context.client, controllerRevisions, revision);
  }

  /** Deletes earlier revisions beyond the history limit. */
  async #cleanUp({ set, pods }: View, old: readonly ControllerRevision[]): Promise<void> {
    const isUsed = (revision: ControllerRevision): boolean =>
      pods.some((pod) => isCurrent(pod, this.#history.hashOf(revision)));
    for (const revision of surplusRevisions(old, isUsed, set.spec.revisionHistoryLimit ?? 10))
      await deleteIfPresent(this.#context.client, controllerRevisions, revision);
  }

  async #view(set: DaemonSet, hash: string): Promise<View> {
    const { client, names, clock } = this.#context;
    const candidates = claimableBy(this.#pods, set);
    const claims = { client, ref: podsRef, cache: this.#pods, owner: set, ownerRef: daemonSets };
    const pods = await claim(claims, selectorOfObject(set.spec.selector), candidates);
    const backoff = (node: string): number => this.#backoff.delay(set, node);
    return { set, nodes: this.#nodes.list(), pods, hash, names, now: clock.now(), backoff };
  }

  /** Deletes even where creating fails; rejects afterwards. */
  async #perform({ set, hash }: View, plan: DaemonPlan): Promise<void> {
    const { client, recorder } = this.#context;
    for (const pod of plan.failed) {
      this.#backoff.next(set, nodeOf(pod) ?? '');
      recorder.record(
        set,
        'Warning',
        'FailedDaemonPod',
        `Found failed daemon pod ${keyOf(pod)} on node ${nodeOf(pod) ?? ''}, will try to kill it`,
      );
    }
    const create = (i: number): Promise<unknown> =>
      this.#control.create(podFor(set, plan.create[i] ?? '', hash, client), set);
    const created = inGrowingBatches(plan.create.length, async (i) => void (await create(i)));
    const outcomes = await Promise.allSettled([created]);
    outcomes.push(...(await Promise.allSettled(plan.remove.map((pod) => this.#control.delete(pod, set)))));
    const failures = outcomes.flatMap((each) =>
      each.status === 'rejected' && !isNamespaceTerminating(each.reason) ? [each.reason as unknown] : [],
    );
    if (failures.length > 0) throw failures[0];
  }

  async #write(set: DaemonSet, status: DaemonSetStatus): Promise<void> {
    await writeStatus({ client: this.#context.client, ref: daemonSets, cache: this.#sets }, set, status);
  }
}

/** The shorter of two optional delays. */
function soonest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Nodes report every few seconds; only these fields affect the placement of daemons. */
function matters(node: Node, old: Node): boolean {
  const relevant = ({ metadata, spec }: Node): unknown => [
    metadata.labels ?? {},
    spec.taints ?? [],
    spec.unschedulable ?? false,
  ];
  return !deepEqual(relevant(node), relevant(old));
}

export function startDaemonSets(context: ControllerContext): void {
  new DaemonSets(context);
}
