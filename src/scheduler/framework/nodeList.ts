import type { NodeInfo } from './nodeInfo.ts';

/** A piece has 2^BITS nodes. */
const BITS = 6;
const SIZE = 1 << BITS;

/**
 * An immutable list of nodes, stored in pieces. A changed list shares all other pieces with the list it was made from, so that every
 * remembered decision can keep the nodes of its time.
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

  /** The nodes as an array, created on first use. */
  get all(): readonly NodeInfo[] {
    return (this.#all ??= this.#pieces.flat());
  }

  at(position: number): NodeInfo | undefined {
    return this.#pieces[position >> BITS]?.[position & (SIZE - 1)];
  }

  /** A list with this node at the position; at the end of the list it is appended. */
  with(position: number, node: NodeInfo): NodeList {
    const pieces = this.#pieces.slice();
    const piece = pieces[position >> BITS]?.slice() ?? [];
    piece[position & (SIZE - 1)] = node;
    pieces[position >> BITS] = piece;
    return new NodeList(pieces, Math.max(this.length, position + 1));
  }
}
