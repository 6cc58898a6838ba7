import { keyOf, nodes, pods as podsRef, splitKey, type Informer, type Node, type Pod } from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { wakeOn, type ControllerContext, type Loop } from '../runtime/index.ts';
import { toleratedFor } from './taints.ts';

interface Scheduled {
  /** When the taints that the pod tolerates temporarily were first seen. */
  readonly since: number;
  readonly at: number;
}

/** Deletes pods from nodes with taints that they do not tolerate, or whose toleration has expired. */
export class TaintEvictions {
  readonly #context: ControllerContext;
  readonly #nodes: Informer<Node>;
  readonly #pods: Informer<Pod>;
  readonly #recorder: ControllerContext['recorder'];
  readonly #scheduled = new Map<string, Scheduled>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#nodes = context.informers.of(nodes);
    this.#pods = context.informers.of(podsRef);
    this.#recorder = context.recorderAs('taint-controller');
    const loop = context.loop({
      name: 'nodelifecycle/evictions',
      workers: 8,
      reconcile: (key) => this.#reconcile(key),
    });
    this.#watch(loop);
  }

  #watch(loop: Loop): void {
    const matters = (pod: Pod, old: Pod): boolean =>
      pod.spec.nodeName !== old.spec.nodeName || !deepEqual(pod.spec.tolerations, old.spec.tolerations);
    wakeOn(loop, this.#pods, (pod) => [keyOf(pod)], matters);
    const wakePods = (node: Node): void => {
      for (const pod of this.#pods.by('node', node.metadata.name ?? '')) loop.add(keyOf(pod));
    };
    this.#nodes.on({
      added: wakePods,
      changed: (node, old) => (deepEqual(node.spec.taints, old.spec.taints) ? undefined : wakePods(node)),
    });
  }

  /** Returns milliseconds until the pod has to be deleted, if it has to. */
  async #reconcile(key: string): Promise<number | void> {
    const pod = this.#pods.get(key);
    if (!pod) return this.#cancel(key);
    const now = this.#context.clock.now();
    const at = this.#timeOf(pod, now);
    if (at === undefined) return;
    if (at > now) return at - now;
    this.#scheduled.delete(key);
    await this.#evict(pod);
  }

  /** When the pod has to leave; undefined where it need not. That a node is gone cancels nothing. */
  #timeOf(pod: Pod, now: number): number | undefined {
    const key = keyOf(pod);
    const node = this.#nodes.get(pod.spec.nodeName ?? '');
    if (!node) return this.#scheduled.get(key)?.at;
    const time = toleratedFor(pod, node.spec.taints ?? []);
    return time === undefined ? void this.#cancel(key) : this.#schedule(key, now, time);
  }

  /** The time counts from when the first taints were seen, until the pod tolerates all of them permanently. */
  #schedule(key: string, now: number, time: number): number {
    const before = this.#scheduled.get(key);
    if (before && before.at <= now) return before.at;
    if (before && before.since + time < now + time && time > 0) return before.at;
    if (before) this.#cancel(key);
    this.#scheduled.set(key, { since: now, at: now + time });
    return now + time;
  }

  #cancel(key: string): void {
    if (this.#scheduled.delete(key)) this.#announce(key, `Cancelling deletion of Pod ${key}`);
  }

  async #evict(pod: Pod): Promise<void> {
    this.#announce(keyOf(pod), `Marking for deletion Pod ${keyOf(pod)}`);
    try {
      await this.#context.client.of(podsRef).delete(pod);
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }

  /** The event refers to the pod without its uid, as in the reference. */
  #announce(key: string, message: string): void {
    this.#recorder.record({ kind: 'Pod', metadata: splitKey(key) }, 'Normal', 'TaintManagerEviction', message);
  }
}
