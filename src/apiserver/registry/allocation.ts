/** Pools of addresses and ports: what is taken stays taken until it is released. */
import { contains, formatAddress, parseAddress, parseBlock } from '../../schema/index.ts';
import type { Random } from '../../std/index.ts';

/** Why something can't be taken. */
export class AllocationError extends Error {
  override name = 'AllocationError';
}

/** Numbers from 0 up to but without `size`, taken in no particular order. */
class NumberPool {
  readonly #size: number;
  readonly #random: Random;
  readonly #taken = new Set<number>();

  constructor(size: number, random: Random) {
    this.#size = size;
    this.#random = random;
  }

  mark(n: number): boolean {
    if (this.#taken.has(n)) return false;
    this.#taken.add(n);
    return true;
  }

  release(n: number): void {
    this.#taken.delete(n);
  }

  /** The first free number from a random one on. */
  next(): number | undefined {
    if (this.#taken.size >= this.#size) return undefined;
    let n = this.#random.int(this.#size);
    while (this.#taken.has(n)) n = (n + 1) % this.#size;
    this.#taken.add(n);
    return n;
  }
}

const MAX_ADDRESSES = 65536;

/** Addresses of a block, without its first and last. */
export class AddressPool {
  readonly #cidr: string;
  readonly #base: bigint;
  readonly #size: number;
  readonly #numbers: NumberPool;

  constructor(cidr: string, random: Random) {
    const block = parseBlock(cidr);
    if (!block) throw new AllocationError(`${JSON.stringify(cidr)} is not an address block`);
    const [network = '', bits = '0'] = cidr.split('/');
    const address = parseAddress(network);
    const width = network.includes(':') ? 128 : 32;
    const count = 1n << BigInt(width - Number(bits));
    this.#cidr = cidr;
    this.#base = toNumber(address ? formatAddress(address) : network) & ~(count - 1n);
    this.#size = Number(count - 2n > BigInt(MAX_ADDRESSES) && width === 128 ? BigInt(MAX_ADDRESSES) : count - 2n);
    this.#numbers = new NumberPool(Math.max(0, this.#size), random);
  }

  mark(address: string): void {
    const offset = this.#offset(address);
    if (offset !== undefined) this.#numbers.mark(offset);
  }

  /** Takes this very address; throws AllocationError when it can't be had. */
  take(address: string): string {
    const offset = this.#offset(address);
    if (offset === undefined)
      throw new AllocationError(`provided IP is not in the valid range. The range of valid IPs is ${this.#cidr}`);
    if (!this.#numbers.mark(offset)) throw new AllocationError('provided IP is already allocated');
    return address;
  }

  next(): string {
    const offset = this.#numbers.next();
    if (offset === undefined) throw new AllocationError('range is full');
    return fromNumber(this.#base + 1n + BigInt(offset), this.#cidr.includes(':'));
  }

  release(address: string): void {
    const offset = this.#offset(address);
    if (offset !== undefined) this.#numbers.release(offset);
  }

  #offset(text: string): number | undefined {
    const address = parseAddress(text);
    const block = parseBlock(this.#cidr);
    if (!address || !block || !contains(block, address)) return undefined;
    const offset = Number(toNumber(formatAddress(address)) - this.#base) - 1;
    return offset >= 0 && offset < this.#size ? offset : undefined;
  }
}

function toNumber(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((n, part) => (n << 8n) + BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return groups.reduce((n, part) => (n << 16n) + BigInt(`0x${part}`), 0n);
}

function fromNumber(n: bigint, v6: boolean): string {
  if (!v6) return [24n, 16n, 8n, 0n].map((shift) => String((n >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((n >> BigInt(16 * (7 - i))) & 0xffffn).toString(16)).join(':');
  const address = parseAddress(groups);
  return address ? formatAddress(address) : groups;
}

/** Ports of a range such as `30000-32767`. */
export class PortPool {
  readonly #first: number;
  readonly #last: number;
  readonly #numbers: NumberPool;

  constructor(range: string, random: Random) {
    const match = /^(\d+)-(\d+)$/.exec(range);
    if (!match) throw new AllocationError(`${JSON.stringify(range)} is not a port range`);
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
    if (!this.#numbers.mark(port - this.#first)) throw new AllocationError('provided port is already allocated');
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

  #has(port: number): boolean {
    return port >= this.#first && port <= this.#last;
  }
}
