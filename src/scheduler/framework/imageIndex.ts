import type { NodeInfo } from './nodeInfo.ts';

export interface KnownImage {
  /** In bytes, as the first node that had it reported. */
  readonly size: number;
  /** How many nodes have it. */
  readonly nodes: number;
}

/** Which images there are on nodes, by each of their names. */
export class ImageIndex {
  readonly #images = new Map<string, { size: number; nodes: number }>();

  static of(nodes: readonly NodeInfo[]): ImageIndex {
    const index = new ImageIndex();
    for (const node of nodes) index.add(node);
    return index;
  }

  get(name: string): KnownImage | undefined {
    return this.#images.get(name);
  }

  add({ images }: Pick<NodeInfo, 'images'>): void {
    for (const [name, size] of images) {
      const known = this.#images.get(name);
      if (known) known.nodes += 1;
      else this.#images.set(name, { size, nodes: 1 });
    }
  }

  remove({ images }: Pick<NodeInfo, 'images'>): void {
    for (const name of images.keys()) {
      const known = this.#images.get(name);
      if (known && known.nodes > 1) known.nodes -= 1;
      else this.#images.delete(name);
    }
  }
}
