import { must } from '../../std/index.ts';
import { addressIn, formatAddress, isIPv6, offsetIn, parseBlock, type Block } from './addresses.ts';

/** A block of addresses that is given out in equal parts. */
export interface CidrPool {
  readonly cidr: string;
  /** Length of each part's mask. */
  readonly mask: number;
  /** The number of the part that is given first; 0 where it is missing. */
  readonly first?: number;
}

/** The equal parts of a block of addresses, of which each is taken by one node at a time. */
export class CidrSet {
  readonly #block: Block;
  /** Length of each part's mask. */
  readonly #mask: number;
  readonly #count: number;
  readonly #taken = new Set<number>();
  /** Blocks that hold all of this one: while there are any, no part is free. */
  readonly #covering = new Set<string>();
  #next: number;

  /** `first` is the number of the part to begin with. */
  constructor(block: Block, mask: number, first = 0) {
    this.#block = block;
    this.#mask = mask;
    this.#count = 2 ** (mask - block.length);
    this.#next = first;
  }

  /** Throws if the pool's block is invalid. */
  static of({ cidr, mask, first }: CidrPool): CidrSet {
    return new CidrSet(must(parseBlock(cidr), `${JSON.stringify(cidr)} is no block of addresses`), mask, first);
  }

  /** Allocates the next free part; undefined if none is left. */
  allocate(): string | undefined {
    if (this.#covering.size > 0 || this.#taken.size >= this.#count) return undefined;
    while (this.#taken.has(this.#next)) this.#next = (this.#next + 1) % this.#count;
    const index = this.#next;
    this.#taken.add(index);
    this.#next = (index + 1) % this.#count;
    return `${formatAddress(addressIn(this.#block, BigInt(index) * this.#partSize))}/${this.#mask}`;
  }

  /** Takes every part that a block overlaps. */
  occupy(cidr: string): void {
    if (this.#isCovered(cidr)) this.#covering.add(cidr);
    else for (const index of this.#overlapped(cidr)) this.#taken.add(index);
  }

  release(cidr: string): void {
    if (!this.#isCovered(cidr)) for (const index of this.#overlapped(cidr)) this.#taken.delete(index);
    else {
      this.#covering.delete(cidr);
      this.#taken.clear();
    }
  }

  get #bits(): number {
    return isIPv6(this.#block.address) ? 128 : 32;
  }

  get #partSize(): bigint {
    return 1n << BigInt(this.#bits - this.#mask);
  }

  #isCovered(cidr: string): boolean {
    const other = parseBlock(cidr);
    if (!other || isIPv6(other.address) !== isIPv6(this.#block.address)) return false;
    return other.length <= this.#block.length && offsetIn(other, this.#block.address) !== undefined;
  }

  *#overlapped(cidr: string): Generator<number> {
    const other = parseBlock(cidr);
    if (!other || isIPv6(other.address) !== isIPv6(this.#block.address)) return;
    const offset = offsetIn(this.#block, addressIn(other, 0n));
    if (offset === undefined) return;
    const first = Number(offset / this.#partSize);
    const parts = 2 ** Math.max(0, this.#mask - other.length);
    for (let index = first; index < first + parts; index++) yield index;
  }
}
