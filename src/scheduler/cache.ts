import type { Node, Pod } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import { ImageIndex } from './framework/imageIndex.ts';
import {
  makeNodeInfo,
  podInfoOf,
  withChangedPod,
  withNode,
  withoutPod,
  withPod,
  type NodeInfo,
  type PodInfo,
} from './framework/nodeInfo.ts';
import { NodeList } from './framework/nodeList.ts';
import { NodeOrder } from './framework/nodeOrder.ts';
import { changedInfo } from './framework/podInfo.ts';
import { PodIndex } from './framework/podIndex.ts';
import { Snapshot } from './framework/snapshot.ts';
import { zoneOf } from './framework/zone.ts';

interface PlacedPod {
  readonly info: PodInfo;
  readonly node: string;
}

/**
 * The pods on each node, including assumed pods whose binding is in progress. Each change affects one node; a snapshot
 * shares all others with the one before.
 */
export class SchedulerCache {
  readonly #names: Names;
  readonly #order = new NodeOrder();
  readonly #index = new PodIndex();
  readonly #images = new ImageIndex();
  /** By uid, because a name can be reused. */
  readonly #pods = new Map<string, PlacedPod>();
  /** Pods on unknown or deleted nodes. */
  readonly #withoutNode = new Map<string, Map<string, PodInfo>>();
  readonly #assumed = new Set<string>();
  #nodes = NodeList.of([]);
  #positions = new Map<string, number>();
  #orderChanged = false;
  #snapshot: Snapshot | undefined;

  constructor(names: Names) {
    this.#names = names;
  }

  /** The sizes of the cache. */
  get sizes(): Readonly<Record<'nodes' | 'pods' | 'assumed_pods', number>> {
    return { nodes: this.#positions.size, pods: this.#pods.size, assumed_pods: this.#assumed.size };
  }

  setNode(node: Node): void {
    const { name = '', labels = {} } = node.metadata;
    const before = this.#get(name);
    if (before) this.#images.remove(before.images);
    const images = this.#images.add(node);
    const info = before ? withNode(before, node, images) : makeNodeInfo(node, images, this.#takeHomeless(name));
    if (this.#order.set(name, zoneOf(labels, this.#names) ?? '')) this.#orderChanged = true;
    this.#write(info);
  }

  removeNode(name: string): void {
    const info = this.#get(name);
    if (!info) return;
    this.#images.remove(info.images);
    this.#order.remove(name);
    this.#leave(name);
    if (info.pods.length > 0) this.#withoutNode.set(name, new Map(info.pods.map((pod) => [pod.uid, pod])));
  }

  /** A pod with a node, from a watch. */
  setPod(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    const node = pod.spec.nodeName ?? '';
    this.#assumed.delete(uid);
    const before = this.#pods.get(uid);
    if (before?.node === node) return this.#change(before, changedInfo(before.info, pod));
    if (before) this.#take(before);
    this.#put(podInfoOf(pod), node);
  }

  removePod(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    const placed = this.#pods.get(uid);
    this.#assumed.delete(uid);
    if (placed) this.#take(placed);
  }

  /** Assumes a pod on a node before the server is asked to bind it. */
  assume(pod: Pod, node: string): void {
    const info = podInfoOf(pod);
    this.#assumed.add(info.uid);
    this.#put(info, node);
  }

  /** Removes an assumption after a failed binding. */
  forget(pod: Pod): void {
    if (this.isAssumed(pod)) this.removePod(pod);
  }

  isAssumed(pod: Pod): boolean {
    return this.#assumed.has(pod.metadata.uid ?? '');
  }

  snapshot(): Snapshot {
    if (this.#orderChanged) this.#sortNodes();
    const indexes = { positions: this.#positions, pods: this.#index };
    return (this.#snapshot ??= new Snapshot(this.#nodes, indexes));
  }

  #get(name: string): NodeInfo | undefined {
    const position = this.#positions.get(name);
    return position === undefined ? undefined : this.#nodes.at(position);
  }

  /** Takes a node out. Its place in the list stays until it is sorted, before half of the list is such places. */
  #leave(name: string): void {
    if (this.#snapshot) this.#positions = new Map(this.#positions);
    this.#snapshot = undefined;
    this.#positions.delete(name);
    this.#orderChanged = true;
    if (this.#nodes.length >= 2 * this.#positions.size) this.#sortNodes();
  }

  /** A new node gets a position that lies beyond the end of lists in earlier snapshots, so that they find nothing there. */
  #write(info: NodeInfo): void {
    this.#snapshot = undefined;
    const position = this.#positions.get(info.name) ?? this.#nodes.length;
    this.#nodes = this.#nodes.with(position, info);
    this.#positions.set(info.name, position);
  }

  #sortNodes(): void {
    const sorted = this.#order.list().flatMap((name) => this.#get(name) ?? []);
    this.#nodes = NodeList.of(sorted);
    this.#positions = new Map(sorted.map(({ name }, i) => [name, i]));
    this.#orderChanged = false;
    this.#snapshot = undefined;
  }

  #put(info: PodInfo, node: string): void {
    this.#pods.set(info.uid, { info, node });
    this.#index.add(node, info);
    const there = this.#get(node);
    if (there) this.#write(withPod(there, info));
    else this.#homelessOn(node).set(info.uid, info);
  }

  #take({ info, node }: PlacedPod): void {
    this.#pods.delete(info.uid);
    this.#index.remove(node, info);
    const there = this.#get(node);
    if (there) this.#write(withoutPod(there, info));
    else this.#withoutNode.get(node)?.delete(info.uid);
    if (this.#withoutNode.get(node)?.size === 0) this.#withoutNode.delete(node);
  }

  #change({ info, node }: PlacedPod, changed: PodInfo): void {
    this.#pods.set(info.uid, { info: changed, node });
    if (changed.group !== info.group) {
      this.#index.remove(node, info);
      this.#index.add(node, changed);
    }
    const there = this.#get(node);
    if (there) this.#write(withChangedPod(there, info, changed));
    else this.#homelessOn(node).set(info.uid, changed);
  }

  #homelessOn(node: string): Map<string, PodInfo> {
    const found = this.#withoutNode.get(node) ?? new Map<string, PodInfo>();
    this.#withoutNode.set(node, found);
    return found;
  }

  #takeHomeless(node: string): PodInfo[] {
    const found = [...(this.#withoutNode.get(node)?.values() ?? [])];
    this.#withoutNode.delete(node);
    return found;
  }
}
