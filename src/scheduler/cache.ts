import { keyOf, type Node, type Pod } from '../client/index.ts';
import { makeNodeInfo, podInfoOf, Snapshot, type NodeInfo, type PodInfo } from './framework/nodeInfo.ts';

interface Entry {
  node: Node | undefined;
  readonly pods: Map<string, PodInfo>;
  /** Made when it is asked for, dropped when something changes. */
  info: NodeInfo | undefined;
}

/** What stands on which node, counting pods whose binding is still on its way as if it had arrived. */
export class SchedulerCache {
  readonly #entries = new Map<string, Entry>();
  /** Node by pod, for pods that were assumed before any watch told of it. */
  readonly #assumed = new Map<string, string>();

  /** How much is kept. */
  get sizes(): Readonly<Record<'nodes' | 'pods' | 'assumed_pods', number>> {
    let pods = 0;
    for (const entry of this.#entries.values()) pods += entry.pods.size;
    return { nodes: this.#entries.size, pods, assumed_pods: this.#assumed.size };
  }

  setNode(node: Node): void {
    const entry = this.#entry(node.metadata.name ?? '');
    entry.node = node;
    entry.info = undefined;
  }

  removeNode(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    entry.node = undefined;
    entry.info = undefined;
    if (entry.pods.size === 0) this.#entries.delete(name);
  }

  /** A pod that has its node, as a watch shows it. */
  setPod(pod: Pod): void {
    const key = keyOf(pod);
    const nodeName = pod.spec.nodeName ?? '';
    const before = this.#assumed.get(key);
    if (before !== undefined && before !== nodeName) this.#take(before, key);
    this.#assumed.delete(key);
    this.#put(nodeName, key, podInfoOf(pod));
  }

  removePod(pod: Pod): void {
    const key = keyOf(pod);
    this.#take(this.#assumed.get(key) ?? pod.spec.nodeName ?? '', key);
    this.#assumed.delete(key);
  }

  /** Counts a pod on a node before the server has been told. */
  assume(pod: Pod, nodeName: string): void {
    const key = keyOf(pod);
    this.#assumed.set(key, nodeName);
    this.#put(nodeName, key, podInfoOf(pod));
  }

  /** Takes an assumption back: the server refused. */
  forget(pod: Pod): void {
    const nodeName = this.#assumed.get(keyOf(pod));
    if (nodeName !== undefined) this.#take(nodeName, keyOf(pod));
    this.#assumed.delete(keyOf(pod));
  }

  isAssumed(pod: Pod): boolean {
    return this.#assumed.has(keyOf(pod));
  }

  snapshot(): Snapshot {
    const infos: NodeInfo[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.node) infos.push((entry.info ??= makeNodeInfo(entry.node, [...entry.pods.values()])));
    }
    return new Snapshot(infos);
  }

  #entry(name: string): Entry {
    const found = this.#entries.get(name) ?? { node: undefined, pods: new Map(), info: undefined };
    this.#entries.set(name, found);
    return found;
  }

  #put(nodeName: string, key: string, info: PodInfo): void {
    const entry = this.#entry(nodeName);
    entry.pods.set(key, info);
    entry.info = undefined;
  }

  #take(nodeName: string, key: string): void {
    const entry = this.#entries.get(nodeName);
    if (!entry?.pods.delete(key)) return;
    entry.info = undefined;
    if (!entry.node && entry.pods.size === 0) this.#entries.delete(nodeName);
  }
}
