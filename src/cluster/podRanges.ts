import { isIPv6, parseBlock, type CidrPool } from '../schema/index.ts';
import type { readFlags } from './flags/index.ts';

/** Space for 8,192 nodes with 253 pods each. The first node has 10.244.0.0/24, as in tutorials. */
const DEFAULT: CidrPool = { cidr: '10.224.0.0/11', mask: 24, first: 20 * 256 };

/**
 * The pool of pod ranges: `--cluster-cidr` in parts of `--node-cidr-mask-size`, if given. Undefined with
 * `--allocate-node-cidrs`: then the controller nodeipam assigns the ranges.
 */
export function podRangesOf(components: ReturnType<typeof readFlags>): CidrPool | undefined {
  const { flags } = components.controllerManager;
  if (flags.on('allocate-node-cidrs')) return undefined;
  const block = flags
    .list('cluster-cidr')
    .map(parseBlock)
    .find((each) => each !== undefined && !isIPv6(each.address));
  if (!block) return DEFAULT;
  const mask = flags.number('node-cidr-mask-size') || flags.number('node-cidr-mask-size-ipv4') || DEFAULT.mask;
  return { cidr: block.text, mask: Math.max(mask, block.length) };
}
