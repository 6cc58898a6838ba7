import { keyOf, nodes, pods as podsRef, type Informer, type Node, type Pod } from '../../client/index.ts';
import { isReason, type objects } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { isFinished, wakeOn, type ControllerContext } from '../runtime/index.ts';
import { evictionTime } from './taints.ts';

/** Deletes pods from nodes with taints that they don't tolerate, or have tolerated for long enough. */
export class TaintEvictions {
  readonly #context: ControllerContext;
  readonly #nodes: Informer<Node>;
  readonly #pods: Informer<Pod>;
  /** When a taint without a time of its own was first seen on a node. */
  readonly #seen = new Map<string, number>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#nodes = context.informers.of(nodes);
    this.#pods = context.informers.of(podsRef);
    const loop = context.loop({
      name: 'nodelifecycle/evictions',
      workers: 8,
      reconcile: (key) => this.#reconcile(key),
    });
    wakeOn(
      loop,
      this.#pods,
      (pod) => [keyOf(pod)],
      (pod, old) => this.#matters(pod, old),
    );
    this.#nodes.on({
      changed: (node, old) => {
        if (deepEqual(node.spec.taints, old.spec.taints)) return;
        for (const pod of this.#pods.by('node', node.metadata.name ?? '')) loop.add(keyOf(pod));
      },
    });
  }

  #matters(pod: Pod, old: Pod): boolean {
    return pod.spec.nodeName !== old.spec.nodeName || !deepEqual(pod.spec.tolerations, old.spec.tolerations);
  }

  async #reconcile(key: string): Promise<number | void> {
    const pod = this.#pods.get(key);
    const node = pod?.spec.nodeName ? this.#nodes.get(pod.spec.nodeName) : undefined;
    if (!pod || !node || pod.metadata.deletionTimestamp !== undefined || isFinished(pod)) return;
    const now = this.#context.clock.now();
    const time = evictionTime(pod, node, (taint) => this.#seenAt(node, taint, now));
    if (time === undefined) return;
    if (time > now) return time - now;
    this.#context.recorder.record(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${key}`);
    try {
      await this.#context.client.of(podsRef).delete(pod);
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }

  #seenAt(node: Node, taint: objects.Taint, now: number): number {
    const key = `${node.metadata.uid} ${taint.key} ${taint.value ?? ''}`;
    const seen = this.#seen.get(key) ?? now;
    this.#seen.set(key, seen);
    return seen;
  }
}
