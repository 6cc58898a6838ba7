import {
  keyOf,
  nameOf,
  nodes,
  pods as podsRef,
  splitKey,
  type Informer,
  type Node,
  type Pod,
} from '../../client/index.ts';
import { found } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { wakeOn, type ControllerContext, type Loop } from '../runtime/index.ts';
import { evictingTaints, toleratedFor } from './taints.ts';

interface Scheduled {
  readonly at: number;
  /** Whether the pod was deleted. It stays noted, so that it is not deleted again while it terminates. */
  readonly done?: boolean;
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
      for (const pod of this.#pods.by('node', nameOf(node))) loop.add(keyOf(pod));
    };
    this.#nodes.on({
      added: wakePods,
      changed: (node, old) => (deepEqual(evictingTaints(node), evictingTaints(old)) ? undefined : wakePods(node)),
    });
  }

  /** Returns milliseconds until the pod has to be deleted, if it has to. */
  async #reconcile(key: string): Promise<number | void> {
    const pod = this.#pods.get(key);
    if (!pod) return this.#cancel(key);
    const now = this.#context.clock.now();
    const { at, done } = this.#schedule(pod, now) ?? {};
    if (at === undefined || done) return;
    if (at > now) return at - now;
    await this.#evict(pod);
    this.#scheduled.set(key, { at, done: true });
  }

  /**
   * The eviction of a pod; undefined if there is none. Its time counts from when the first evicting taints were seen. As in the
   * reference, it is not moved while the pod tolerates all taints for some time, even for a shorter one, and the node's
   * deletion does not cancel it.
   */
  #schedule(pod: Pod, now: number): Scheduled | undefined {
    const key = keyOf(pod);
    const before = this.#scheduled.get(key);
    const node = this.#nodes.get(pod.spec.nodeName ?? '');
    if (!node) return before;
    const taints = evictingTaints(node);
    if (taints.length === 0) return this.#cancel(key);
    const tolerance = toleratedFor(pod, taints);
    if (tolerance === 'always') return this.#cancel(key);
    if (before && tolerance !== 'none') return before;
    // A failed deletion is retried.
    if (before && !before.done && before.at <= now) return before;
    this.#cancel(key);
    const scheduled = { at: tolerance === 'none' ? now : now + tolerance };
    this.#scheduled.set(key, scheduled);
    return scheduled;
  }

  #cancel(key: string): undefined {
    const before = this.#scheduled.get(key);
    if (this.#scheduled.delete(key) && !before?.done) this.#announce(key, `Cancelling deletion of Pod ${key}`);
  }

  async #evict(pod: Pod): Promise<void> {
    this.#announce(keyOf(pod), `Marking for deletion Pod ${keyOf(pod)}`);
    await found(this.#context.client.of(podsRef).delete(pod));
  }

  /** The event refers to the pod without its uid, as in the reference. */
  #announce(key: string, message: string): void {
    this.#recorder.record({ kind: 'Pod', metadata: splitKey(key) }, 'Normal', 'TaintManagerEviction', message);
  }
}
