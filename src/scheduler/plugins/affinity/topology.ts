import { getOwn } from '../../../std/index.ts';
import type { NodeInfo } from '../../framework/nodeInfo.ts';
import type { ByNode } from '../../framework/podIndex.ts';
import type { Snapshot } from '../../framework/snapshot.ts';

/** Numbers by the key and the value of a node label. */
export class TopologyCounts {
  readonly #byKey = new Map<string, Map<string, number>>();

  /** Whether anything was counted. */
  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  copy(): TopologyCounts {
    const copy = new TopologyCounts();
    for (const [key, values] of this.#byKey) copy.#byKey.set(key, new Map(values));
    return copy;
  }

  /** Adds to the topology of a node; does nothing if the node lacks the label. */
  add(node: NodeInfo, key: string, by: number): void {
    const value = getOwn(node.labels, key);
    if (value === undefined) return;
    let values = this.#byKey.get(key);
    if (!values) this.#byKey.set(key, (values = new Map()));
    values.set(value, (values.get(value) ?? 0) + by);
  }

  /** Adds the counts of each node, times a weight. */
  addAll(snapshot: Snapshot, nodes: ByNode, key: string, weight = 1): void {
    for (const [name, count] of nodes) {
      const node = snapshot.get(name);
      if (node) this.add(node, key, count * weight);
    }
  }

  /** Subtracts what `add` added; zero counts are removed. */
  subtract(node: NodeInfo, key: string, by: number): void {
    const value = getOwn(node.labels, key);
    const values = this.#byKey.get(key);
    if (value === undefined || !values) return;
    const left = (values.get(value) ?? 0) - by;
    if (left !== 0) values.set(value, left);
    else values.delete(value);
    if (values.size === 0) this.#byKey.delete(key);
  }

  /** The count of a node's topology. */
  at(node: NodeInfo, key: string): number {
    const value = getOwn(node.labels, key);
    return value === undefined ? 0 : (this.#byKey.get(key)?.get(value) ?? 0);
  }

  /** Whether any topology of the node has a positive count. */
  isPositiveAt(node: NodeInfo): boolean {
    for (const key of this.#byKey.keys()) if (this.at(node, key) > 0) return true;
    return false;
  }

  /** The sum over all topologies of a node. */
  sumAt(node: NodeInfo): number {
    let sum = 0;
    for (const key of this.#byKey.keys()) sum += this.at(node, key);
    return sum;
  }
}
