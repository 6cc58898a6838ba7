import type { NodeInfo } from './nodeInfo.ts';

/** Nodes in a piece, as a power of two. */
const BITS = 6;
const SIZE = 1 << BITS;

/**
 * The nodes of a moment, in order. They are kept in pieces, and a changed list shares all other pieces with the one before: each decision
 * that is remembered keeps the nodes of its moment.
 */
export class NodeList {
  readonly #pieces: readonly (readonly NodeInfo[])[];
  readonly length: number;
  #all: readonly NodeInfo[] | undefined;

  private constructor(pieces: readonly (readonly NodeInfo[])[], length: number, all?: readonly NodeInfo[]) {
    this.#pieces = pieces;
    this.length = length;
    this.#all = all;
  }

  static of(nodes: readonly NodeInfo[]): NodeList {
    const pieces = Array.from({ length: Math.ceil(nodes.length / SIZE) }, (_, i) =>
      nodes.slice(i * SIZE, (i + 1) * SIZE),
    );
    return new NodeList(pieces, nodes.length, nodes);
  }

  /** The nodes as an array, which is made when it is asked for first. */
  get all(): readonly NodeInfo[] {
    return (this.#all ??= this.#pieces.flat());
  }

  at(position: number): NodeInfo | undefined {
    return this.#pieces[position >> BITS]?.[position & (SIZE - 1)];
  }

  /** The list with another node there; it gets longer by one if that is its end. */
  with(position: number, node: NodeInfo): NodeList {
    const pieces = this.#pieces.slice();
    const piece = pieces[position >> BITS]?.slice() ?? [];
    piece[position & (SIZE - 1)] = node;
    pieces[position >> BITS] = piece;
    return new NodeList(pieces, Math.max(this.length, position + 1));
  }
}
