/**
 * Deletes pods that nobody else deletes: pods bound to a deleted node, pods that were deleted before they had a node,
 * and the oldest terminated pods above the threshold.
 *
 * Watches pods and nodes.
 */
import {
  keyOf,
  nameOf,
  nodes as nodesRef,
  pods as podsRef,
  type Informer,
  type Node,
  type Pod,
} from '../client/index.ts';
import { found } from '../schema/index.ts';
import { isFinished, wakeOn, type ControllerContext, type Loop } from './runtime/index.ts';

/** Milliseconds for which a node has to be missing before its pods are deleted, because the watch may be late. */
const QUARANTINE = 40_000;

/** The oldest terminated pods beyond the threshold (by name within a second); a threshold of 0 keeps all. */
export function surplusPods(pods: readonly Pod[], threshold: number): Pod[] {
  const ended = pods.filter(isFinished);
  if (threshold <= 0 || ended.length <= threshold) return [];
  const age = (pod: Pod): string => `${pod.metadata.creationTimestamp ?? ''} ${nameOf(pod)}`;
  return [...ended].sort((a, b) => (age(a) < age(b) ? -1 : 1)).slice(0, ended.length - threshold);
}

class PodCollector {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #threshold: number;
  /** When each node was first found missing. */
  readonly #missingSince = new Map<string, number>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#pods = context.informers.of(podsRef);
    this.#nodes = context.informers.of(nodesRef);
    this.#pods.addIndex('node', (pod) => (pod.spec.nodeName ? [pod.spec.nodeName] : []));
    this.#threshold = context.flags.number('terminated-pod-gc-threshold');
    this.#watchOrphans(context.loop({ name: 'podgc/nodes', reconcile: (node) => this.#collectFrom(node) }));
    const loop = context.loop({ reconcile: (key) => this.#collect(key) });
    wakeOn(loop, this.#pods, (pod) =>
      isFinished(pod) || pod.metadata.deletionTimestamp !== undefined ? [keyOf(pod)] : [],
    );
  }

  #watchOrphans(loop: Loop): void {
    const suspect = (name: string): void => {
      if (name === '' || this.#nodes.get(name)) return;
      if (!this.#missingSince.has(name)) this.#missingSince.set(name, this.#context.clock.now());
      loop.addAfter(name, QUARANTINE);
    };
    const suspectNodeOf = (pod: Pod): void => suspect(pod.spec.nodeName ?? '');
    this.#pods.on({ added: suspectNodeOf, changed: suspectNodeOf });
    this.#nodes.on({
      added: (node) => void this.#missingSince.delete(nameOf(node)),
      deleted: (node) => suspect(nameOf(node)),
    });
  }

  /** Returns the milliseconds for which the node has to be missing before its pods are deleted. */
  async #collectFrom(name: string): Promise<number | void> {
    const since = this.#missingSince.get(name);
    if (since === undefined || (await this.#exists(name))) return;
    const left = since + QUARANTINE - this.#context.clock.now();
    if (left > 0) return left;
    this.#missingSince.delete(name);
    for (const pod of this.#pods.by('node', name)) await this.#delete(pod);
  }

  async #exists(name: string): Promise<boolean> {
    return (await found(this.#context.client.of(nodesRef).get(name))) !== undefined;
  }

  async #collect(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    if (!pod) return;
    const neverPlaced = pod.metadata.deletionTimestamp !== undefined && !pod.spec.nodeName;
    if (neverPlaced) return this.#delete(pod);
    if (isFinished(pod))
      for (const surplus of surplusPods(this.#pods.list(), this.#threshold)) await this.#delete(surplus);
  }

  async #delete(pod: Pod): Promise<void> {
    await found(this.#context.client.of(podsRef).delete(pod, { gracePeriodSeconds: 0 }));
  }
}

export function startPodCollector(context: ControllerContext): void {
  new PodCollector(context);
}
