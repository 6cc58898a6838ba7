/** Pools of addresses and ports: an allocated one stays allocated until it is released. */
import {
  addressIn,
  formatAddress,
  isIPv6,
  offsetIn,
  parseAddress,
  parseBlock,
  type Block,
} from '../../schema/index.ts';
import type { Random } from '../../std/index.ts';

/** Why something can't be allocated. */
export class AllocationError extends Error {
  override name = 'AllocationError';
}

export interface RangeState {
  readonly range: string;
  readonly bits: Uint8Array;
}

/** Allocations of another server without a visible owner are kept this long, and then dropped. */
const PROMISE_MS = 10 * 60_000;

/** The numbers from 0 to `size` (exclusive), allocated in no particular order. */
class NumberPool {
  readonly #size: number;
  readonly #random: Random;
  readonly #taken = new Set<number>();
  /** Numbers that other servers have allocated before they create the owner, and since when that is known. */
  #promised = new Map<number, number>();

  constructor(size: number, random: Random) {
    this.#size = size;
    this.#random = random;
  }

  has(n: number): boolean {
    return this.#taken.has(n) || this.#promised.has(n);
  }

  /** Allocates the number if it is free; returns whether it was. */
  take(n: number): boolean {
    if (this.has(n)) return false;
    this.#taken.add(n);
    return true;
  }

  /** Records that the number has an owner. */
  mark(n: number): void {
    this.#promised.delete(n);
    this.#taken.add(n);
  }

  release(n: number): void {
    this.#promised.delete(n);
    this.#taken.delete(n);
  }

  /** The allocations as bits, number 0 in the lowest bit of the last byte: the reference's format. */
  bits(): Uint8Array {
    let last = -1;
    for (const n of this.#all()) if (n > last) last = n;
    const bytes = new Uint8Array((last + 8) >> 3);
    for (const n of this.#all()) {
      const at = bytes.length - 1 - (n >> 3);
      bytes[at] = (bytes[at] ?? 0) | (1 << (n & 7));
    }
    return bytes;
  }

  /** Adds stored allocations of other servers. */
  adopt(bytes: Uint8Array, now: number): void {
    const before = this.#promised;
    this.#promised = new Map();
    for (const n of numbersIn(bytes)) {
      const since = before.get(n) ?? now;
      if (n < this.#size && !this.#taken.has(n) && now - since < PROMISE_MS) this.#promised.set(n, since);
    }
  }

  *#all(): Generator<number> {
    yield* this.#taken;
    yield* this.#promised.keys();
  }

  /** The first free number from a random one on. */
  next(): number | undefined {
    if (this.#taken.size + this.#promised.size >= this.#size) return undefined;
    let n = this.#random.int(this.#size);
    while (this.has(n)) n = (n + 1) % this.#size;
    this.#taken.add(n);
    return n;
  }
}

/** The numbers of the set bits, as written by `bits`. */
function* numbersIn(bytes: Uint8Array): Generator<number> {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[bytes.length - 1 - i] ?? 0;
    for (let bit = 0; byte >> bit > 0; bit++) if ((byte >> bit) & 1) yield i * 8 + bit;
  }
}

/** The maximum number of addresses in an IPv6 pool. */
const MAX_ADDRESSES = 65536n;

/** Addresses of a block, without its first and, for IPv4, its last. */
export class AddressPool {
  readonly family: 'IPv4' | 'IPv6';
  readonly #block: Block;
  readonly #size: bigint;
  readonly #numbers: NumberPool;

  constructor(cidr: string, random: Random) {
    const block = parseBlock(cidr);
    if (!block) throw new AllocationError(`${JSON.stringify(cidr)} is not an address block`);
    const v6 = isIPv6(block.address);
    const count = 1n << BigInt((v6 ? 128 : 32) - block.length);
    this.family = v6 ? 'IPv6' : 'IPv4';
    this.#block = block;
    this.#size = v6 ? (count < MAX_ADDRESSES ? count : MAX_ADDRESSES) - 1n : count - 2n;
    this.#numbers = new NumberPool(Math.max(0, Number(this.#size)), random);
  }

  mark(address: string): void {
    const offset = this.#offset(address);
    if (offset !== undefined) this.#numbers.mark(offset);
  }

  /** Allocates the given address; throws AllocationError if that is not possible. */
  take(address: string): string {
    const offset = this.#offset(address);
    if (offset === undefined)
      throw new AllocationError(`provided IP is not in the valid range. The range of valid IPs is ${this.#block.text}`);
    if (!this.#numbers.take(offset)) throw new AllocationError('provided IP is already allocated');
    return address;
  }

  next(): string {
    const offset = this.#numbers.next();
    if (offset === undefined) throw new AllocationError('range is full');
    return formatAddress(addressIn(this.#block, BigInt(offset) + 1n));
  }

  release(address: string): void {
    const offset = this.#offset(address);
    if (offset !== undefined) this.#numbers.release(offset);
  }

  /** The range and its allocations, in the reference's format. */
  get state(): RangeState {
    return { range: this.#block.text, bits: this.#numbers.bits() };
  }

  /** Adds stored allocations, whether or not their owner exists yet. */
  adopt(bits: Uint8Array, now: number): void {
    this.#numbers.adopt(bits, now);
  }

  #offset(text: string): number | undefined {
    const address = parseAddress(text);
    const offset = address && offsetIn(this.#block, address);
    return offset !== undefined && offset > 0n && offset <= this.#size ? Number(offset) - 1 : undefined;
  }
}

/** Ports of a range such as `30000-32767`. */
export class PortPool {
  readonly #range: string;
  readonly #first: number;
  readonly #last: number;
  readonly #numbers: NumberPool;

  constructor(range: string, random: Random) {
    const match = /^(\d+)-(\d+)$/.exec(range);
    if (!match) throw new AllocationError(`${JSON.stringify(range)} is not a port range`);
    this.#range = range;
    this.#first = Number(match[1]);
    this.#last = Number(match[2]);
    this.#numbers = new NumberPool(this.#last - this.#first + 1, random);
  }

  mark(port: number): void {
    if (this.#has(port)) this.#numbers.mark(port - this.#first);
  }

  take(port: number): number {
    if (!this.#has(port))
      throw new AllocationError(
        `provided port is not in the valid range. The range of valid ports is ${this.#first}-${this.#last}`,
      );
    if (!this.#numbers.take(port - this.#first)) throw new AllocationError('provided port is already allocated');
    return port;
  }

  next(): number {
    const offset = this.#numbers.next();
    if (offset === undefined) throw new AllocationError('range is full');
    return this.#first + offset;
  }

  release(port: number): void {
    if (this.#has(port)) this.#numbers.release(port - this.#first);
  }

  isTaken(port: number): boolean {
    return this.#has(port) && this.#numbers.has(port - this.#first);
  }

  get state(): RangeState {
    return { range: this.#range, bits: this.#numbers.bits() };
  }

  /** Adds stored allocations, whether or not their owner exists yet. */
  adopt(bits: Uint8Array, now: number): void {
    this.#numbers.adopt(bits, now);
  }

  #has(port: number): boolean {
    return port >= this.#first && port <= this.#last;
  }
}

/** Simulates allocations of a pool for a dry run; unrequested numbers are made up, as in the reference. */
export class PortTrial {
  readonly #pool: PortPool;
  readonly #taken = new Set<number>();

  constructor(pool: PortPool) {
    this.#pool = pool;
  }

  take(port: number): number {
    if (this.#pool.isTaken(port) || this.#taken.has(port))
      throw new AllocationError('provided port is already allocated');
    this.#taken.add(port);
    return port;
  }

  next(): number {
    const port = this.#taken.size === 0 ? FIRST_MADE_UP : Math.max(...this.#taken) + 1;
    this.#taken.add(port);
    return port;
  }

  release(port: number): void {
    this.#taken.delete(port);
  }
}

const FIRST_MADE_UP = 32769;
