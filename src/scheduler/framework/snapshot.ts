import type { NodeInfo } from './nodeInfo.ts';
import { NodeList } from './nodeList.ts';
import { PodIndex } from './podIndex.ts';

/** The indexes of a snapshot. The caller passes them if it maintains them; otherwise they are built on demand. */
export interface SnapshotIndexes {
  readonly positions: ReadonlyMap<string, number>;
  readonly pods: PodIndex;
}

/** All nodes at one moment. */
export class Snapshot {
  readonly list: NodeList;
  readonly #given: SnapshotIndexes | undefined;
  #positions: ReadonlyMap<string, number> | undefined;
  #podIndex: PodIndex | undefined;

  constructor(nodes: readonly NodeInfo[] | NodeList, indexes?: SnapshotIndexes) {
    this.list = nodes instanceof NodeList ? nodes : NodeList.of(nodes);
    this.#given = indexes;
  }

  /** The nodes as an array. `list` costs less if only some nodes are needed. */
  get nodes(): readonly NodeInfo[] {
    return this.list.all;
  }

  get(name: string): NodeInfo | undefined {
    this.#positions ??= this.#given?.positions ?? new Map(this.nodes.map((node, i) => [node.name, i]));
    const position = this.#positions.get(name);
    return position === undefined ? undefined : this.list.at(position);
  }

  /** The pods on all nodes by their labels and affinity terms. */
  get podIndex(): PodIndex {
    return (this.#podIndex ??= this.#given?.pods ?? PodIndex.of(this.nodes));
  }

  /** The same snapshot with some nodes replaced. */
  with(...changed: readonly NodeInfo[]): Snapshot {
    const byName = new Map(changed.map((node) => [node.name, node]));
    return new Snapshot(this.nodes.map((node) => byName.get(node.name) ?? node));
  }
}
