import type { Node } from '../../client/index.ts';

/** An image, as a node last reported it. */
export interface KnownImage {
  /** In bytes, as the first node that had it reported. */
  readonly size: number;
  /** The number of nodes that had it then, including this one. */
  readonly nodes: number;
}

/** The images of a node, by each of their names. */
export type KnownImages = ReadonlyMap<string, KnownImage>;

const NONE: KnownImages = new Map();

/** Counts the images on nodes. */
export class ImageIndex {
  readonly #images = new Map<string, { size: number; nodes: number }>();

  /** Adds a node's images, and returns their counts, which stay until the node's next report, as in the reference. */
  add({ status }: Node): KnownImages {
    if (!status.images?.length) return NONE;
    const known = new Map<string, KnownImage>();
    for (const { names, sizeBytes = 0 } of status.images)
      for (const name of names ?? []) if (!known.has(name)) known.set(name, { ...this.#count(name, sizeBytes) });
    return known;
  }

  remove(images: KnownImages): void {
    for (const name of images.keys()) {
      const known = this.#images.get(name);
      if (known && known.nodes > 1) known.nodes -= 1;
      else this.#images.delete(name);
    }
  }

  #count(name: string, size: number): KnownImage {
    const known = this.#images.get(name) ?? { size, nodes: 0 };
    known.nodes += 1;
    this.#images.set(name, known);
    return known;
  }
}

/** The images of a node as if it reported now, with the counts of the other nodes. */
export function imagesBeside({ status }: Node, others: readonly { readonly images: KnownImages }[]): KnownImages {
  const known = new Map<string, KnownImage>();
  for (const { names, sizeBytes = 0 } of status.images ?? []) {
    for (const name of names ?? []) {
      const elsewhere = others.flatMap(({ images }) => images.get(name) ?? []);
      known.set(name, { size: elsewhere[0]?.size ?? sizeBytes, nodes: elsewhere.length + 1 });
    }
  }
  return known;
}
