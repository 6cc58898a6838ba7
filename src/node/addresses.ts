import { addressIn, CidrSet, formatAddress, isIPv6, parseBlock, type Block, type CidrPool } from '../schema/index.ts';
import { must } from '../std/index.ts';
import type { Node } from '../client/index.ts';

/** Addresses of the nodes themselves: the first node has 192.168.49.10, and 60,000 more follow. */
const NODES: CidrPool = { cidr: '192.168.0.0/16', mask: 32, first: 49 * 256 + 10 };

/** The parts of a pool that nodes have, by name. */
class Allocation {
  readonly #set: CidrSet;
  readonly #given = new Map<string, string>();

  constructor(pool: CidrPool) {
    this.#set = CidrSet.of(pool);
  }

  occupy(cidrs: readonly string[]): void {
    for (const cidr of cidrs) this.#set.occupy(cidr);
  }

  /** Releases what a node had, and what it was given and never had. */
  release(name: string, cidrs: readonly string[]): void {
    for (const cidr of [...cidrs, this.#given.get(name)]) if (cidr !== undefined) this.#set.release(cidr);
    this.#given.delete(name);
  }

  /** The same part for the same node until it is released; undefined where none is left. */
  partFor(name: string): string | undefined {
    const part = this.#given.get(name) ?? this.#set.allocate();
    if (part !== undefined) this.#given.set(name, part);
    return part;
  }
}

/** Gives each node an address of its own and, where no controller does that, a range of addresses for its pods. */
export class NodeAddresses {
  readonly #addresses = new Allocation(NODES);
  readonly #ranges: Allocation | undefined;

  /** `ranges` is undefined where the controller nodeipam gives the ranges. */
  constructor(ranges: CidrPool | undefined) {
    this.#ranges = ranges && new Allocation(ranges);
  }

  /** Takes what a node has already. */
  occupy(node: Node): void {
    this.#addresses.occupy(internalAddresses(node).map(single));
    this.#ranges?.occupy(rangesOf(node));
  }

  /** Releases what a node had that is gone. */
  release(node: Node): void {
    this.#addresses.release(nameOf(node), internalAddresses(node).map(single));
    this.#ranges?.release(nameOf(node), rangesOf(node));
  }

  /** The node's own address: the one that it has, or one that no other node has. */
  addressFor(node: Node): string {
    const [known] = internalAddresses(node);
    if (known !== undefined) return known;
    const part = must(this.#addresses.partFor(nameOf(node)), 'no address is left for a node');
    return part.slice(0, part.indexOf('/'));
  }

  /** A range for a node that has none. Undefined where none is left, or where a controller gives them. */
  rangeFor(node: Node): string | undefined {
    return this.#ranges?.partFor(nameOf(node));
  }
}

const nameOf = ({ metadata }: Node): string => metadata.name ?? '';

/** The range that holds one address. */
const single = (address: string): string => `${address}/32`;

function internalAddresses({ status }: Node): string[] {
  return (status.addresses ?? []).filter(({ type }) => type === 'InternalIP').map(({ address }) => address);
}

function rangesOf({ spec }: Node): readonly string[] {
  return spec.podCIDRs ?? (spec.podCIDR ? [spec.podCIDR] : []);
}

/** The addresses of a node's pods: each is taken by one pod at a time, the longest unused first. */
export class PodAddresses {
  readonly #block: Block;
  /** How many pods can have an address: the network, its gateway and the broadcast address are nobody's. */
  readonly #count: number;
  readonly #taken = new Set<string>();
  #next = 0;

  /** `range` is the node's own, such as `10.244.0.0/24`. */
  constructor(range: string) {
    this.#block = must(parseBlock(range), `${JSON.stringify(range)} is no range of addresses`);
    const bits = isIPv6(this.#block.address) ? 128 : 32;
    this.#count = Math.max(0, 2 ** (bits - this.#block.length) - 3);
  }

  /** Throws where every address is taken. */
  take(): string {
    for (let tries = 0; tries < this.#count; tries++) {
      const address = formatAddress(addressIn(this.#block, BigInt(this.#next + 2)));
      this.#next = (this.#next + 1) % this.#count;
      if (!this.#taken.has(address)) return this.keep(address);
    }
    throw new Error(`no address is left in ${this.#block.text}`);
  }

  /** An address that a pod has already. */
  keep(address: string): string {
    this.#taken.add(address);
    return address;
  }

  give(address: string): void {
    this.#taken.delete(address);
  }
}
