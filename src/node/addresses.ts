import { addressIn, CidrSet, formatAddress, isIPv6, parseBlock, type Block, type CidrPool } from '../schema/index.ts';
import { must } from '../std/index.ts';
import { nameOf, type Node } from '../client/index.ts';

/** Addresses of nodes: 192.168.49.10 for the first node, followed by 60,000 more. */
const NODES: CidrPool = { cidr: '192.168.0.0/16', mask: 32, first: 49 * 256 + 10 };

/** The ranges of a pool that nodes have, by name. */
class Allocation {
  readonly #set: CidrSet;
  readonly #given = new Map<string, string>();

  constructor(pool: CidrPool) {
    this.#set = CidrSet.of(pool);
  }

  occupy(cidrs: readonly string[]): void {
    for (const cidr of cidrs) this.#set.occupy(cidr);
  }

  /** Releases a node's ranges, including assigned ones that it has not used yet. */
  release(name: string, cidrs: readonly string[]): void {
    for (const cidr of [...cidrs, this.#given.get(name)]) if (cidr !== undefined) this.#set.release(cidr);
    this.#given.delete(name);
  }

  /** The range of a node, the same until it is released; undefined if none is left. */
  partFor(name: string): string | undefined {
    const part = this.#given.get(name) ?? this.#set.allocate();
    if (part !== undefined) this.#given.set(name, part);
    return part;
  }
}

/** Assigns each node an address and, unless a controller does that, a range of pod addresses. */
export class NodeAddresses {
  readonly #addresses = new Allocation(NODES);
  readonly #ranges: Allocation | undefined;

  /** `ranges` is undefined if the controller nodeipam assigns the ranges. */
  constructor(ranges: CidrPool | undefined) {
    this.#ranges = ranges && new Allocation(ranges);
  }

  /** Records what a node already has. */
  occupy(node: Node): void {
    this.#addresses.occupy(internalAddresses(node).map(single));
    this.#ranges?.occupy(rangesOf(node));
  }

  /** Releases what a deleted node had. */
  release(node: Node): void {
    this.#addresses.release(nameOf(node), internalAddresses(node).map(single));
    this.#ranges?.release(nameOf(node), rangesOf(node));
  }

  /** The node's address: its existing one, or an unused one. */
  addressFor(node: Node): string {
    const [known] = internalAddresses(node);
    if (known !== undefined) return known;
    const part = must(this.#addresses.partFor(nameOf(node)), 'no address is left for a node');
    return part.slice(0, part.indexOf('/'));
  }

  /** A range for a node without one. Undefined if none is left, or if a controller assigns them. */
  rangeFor(node: Node): string | undefined {
    return this.#ranges?.partFor(nameOf(node));
  }
}

/** The range with a single address. */
const single = (address: string): string => `${address}/32`;

function internalAddresses({ status }: Node): string[] {
  return (status.addresses ?? []).filter(({ type }) => type === 'InternalIP').map(({ address }) => address);
}

function rangesOf({ spec }: Node): readonly string[] {
  return spec.podCIDRs ?? (spec.podCIDR ? [spec.podCIDR] : []);
}

/** The addresses of a node's pods: each is used by one pod at a time; the longest unused is assigned first. */
export class PodAddresses {
  readonly #block: Block;
  /** The number of pod addresses: without the network, gateway and broadcast addresses. */
  readonly #count: number;
  readonly #taken = new Set<string>();
  #next = 0;
  /** So many of them, from the first one on, may have been assigned. */
  #tried = 0;

  /** `range` is the node's, such as `10.244.0.0/24`. */
  constructor(range: string) {
    this.#block = must(parseBlock(range), `${JSON.stringify(range)} is no range of addresses`);
    const bits = isIPv6(this.#block.address) ? 128 : 32;
    this.#count = Math.max(0, 2 ** (bits - this.#block.length) - 3);
  }

  /** Throws if no address is left. */
  take(): string {
    for (let tries = 0; tries < this.#count; tries++) {
      const address = this.#address(this.#next);
      this.#tried = Math.max(this.#tried, this.#next + 1);
      this.#next = (this.#next + 1) % this.#count;
      if (this.#taken.has(address)) continue;
      this.#taken.add(address);
      return address;
    }
    throw new Error(`no address is left in ${this.#block.text}`);
  }

  /** All addresses that pods may have had. */
  *tried(): Iterable<string> {
    for (let index = 0; index < this.#tried; index++) yield this.#address(index);
  }

  #address(index: number): string {
    return formatAddress(addressIn(this.#block, BigInt(index + 2)));
  }

  /** Records the existing address of a pod. */
  keep(address: string): void {
    this.#taken.add(address);
    this.#tried = this.#count;
  }

  give(address: string): void {
    this.#taken.delete(address);
  }
}
