/**
 * Assigns each node its own pod CIDR from `--cluster-cidr`. Does nothing without `--allocate-node-cidrs`.
 *
 * Watches nodes.
 */
import { nameOf, nodes as nodesRef, type Node } from '../../client/index.ts';
import { CidrSet, isIPv6, isReason, parseBlock } from '../../schema/index.ts';
import { wakeOn, type Controller, type ControllerContext } from '../runtime/index.ts';

/** For each IP family the flag with a node's mask size, and its default. */
const MASKS = {
  ipv4: { flag: 'node-cidr-mask-size-ipv4', otherwise: 24 },
  ipv6: { flag: 'node-cidr-mask-size-ipv6', otherwise: 64 },
};

/** A CIDR set for each IP family of `--cluster-cidr`, without the service addresses. */
export function cidrSetsOf({ flags }: Pick<ControllerContext, 'flags'>): CidrSet[] {
  return flags.list('cluster-cidr').flatMap((cidr) => {
    const block = parseBlock(cidr);
    if (!block) return [];
    const { flag, otherwise } = MASKS[isIPv6(block.address) ? 'ipv6' : 'ipv4'];
    const set = new CidrSet(block, flags.number('node-cidr-mask-size') || flags.number(flag) || otherwise);
    for (const services of flags.list('service-cluster-ip-range')) set.occupy(services);
    return [set];
  });
}

class RangeAllocator {
  readonly #context: ControllerContext;
  readonly #sets: readonly CidrSet[];

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#sets = cidrSetsOf(context);
    const nodes = context.informers.of(nodesRef);
    nodes.on({
      added: (node) => this.#occupy(node),
      changed: (node) => this.#occupy(node),
      deleted: (node) => this.#release(rangesOf(node)),
    });
    const loop = context.loop({ reconcile: (name) => this.#reconcile(name) });
    wakeOn(loop, nodes, (node) => [nameOf(node)]);
  }

  #occupy(node: Node): void {
    for (const cidr of rangesOf(node)) for (const set of this.#sets) set.occupy(cidr);
  }

  #release(cidrs: readonly string[]): void {
    for (const cidr of cidrs) for (const set of this.#sets) set.release(cidr);
  }

  async #reconcile(name: string): Promise<void> {
    const { client, informers } = this.#context;
    const node = informers.of(nodesRef).get(name);
    if (!node || rangesOf(node).length > 0) return;
    const podCIDRs = this.#sets.flatMap((set) => set.allocate() ?? []);
    if (podCIDRs.length < this.#sets.length) return this.#refuse(node, podCIDRs);
    try {
      await client.of(nodesRef).patch(node, 'strategic', { spec: { podCIDR: podCIDRs[0], podCIDRs } });
    } catch (problem) {
      this.#release(podCIDRs);
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }

  #refuse(node: Node, allocated: readonly string[]): void {
    this.#release(allocated);
    const message = `Node ${node.metadata.name} status is now: CIDRNotAvailable`;
    this.#context.recorder.record(node, 'Normal', 'CIDRNotAvailable', message);
  }
}

function rangesOf({ spec }: Node): readonly string[] {
  return spec.podCIDRs ?? (spec.podCIDR ? [spec.podCIDR] : []);
}

export const nodeIpam: Controller = {
  name: 'nodeipam',
  account: 'node-controller',
  keepsNodes: true,
  component: 'cidrAllocator',
  start(context) {
    if (context.flags.bool('allocate-node-cidrs')) new RangeAllocator(context);
  },
};
