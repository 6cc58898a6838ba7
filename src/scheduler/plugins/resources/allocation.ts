/** Scores by resource usage with the pod on the node, in integers as in the reference. */
import { ConfigurationError, type Fields } from '../../config/fields.ts';
import type { NodeInfo, PodInfo } from '../../framework/nodeInfo.ts';
import { MAX_SCORE, plugin, type Plugin } from '../../framework/plugin.ts';
import { amountOf } from '../../framework/resources.ts';

export interface WeightedResource {
  readonly name: string;
  readonly weight: number;
}

export const CPU_AND_MEMORY: readonly WeightedResource[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** The usage of a resource with the pod on the node. */
export function usedWith(info: PodInfo, node: NodeInfo, name: string): number {
  if (name === 'cpu' || name === 'memory') return node.nonZeroRequested[name] + info.scored[name];
  return amountOf(node.requested, name) + amountOf(info.request, name);
}

/** `a × b ÷ c` in integers, rounded towards zero; exact beyond the range of a double. */
export function scaled(a: number, b: number, c: number): number {
  const product = a * b;
  return Number.isSafeInteger(product) ? Math.trunc(product / c) : Number((BigInt(a) * BigInt(b)) / BigInt(c));
}

/** The score of a resource with `used` of `capacity`. */
type Worth = (used: number, capacity: number) => number;

/** The weighted average of the resources' scores. A resource that does not fit or is missing scores 0. */
const average = (name: string, worth: Worth, resources: readonly WeightedResource[]): Plugin => {
  const weights = resources.reduce((sum, { weight }) => sum + weight, 0);
  return plugin({
    name,
    isLocal: true,
    weight: 1,
    score({ info }, node) {
      let sum = 0;
      for (const { name: resource, weight } of resources) {
        const capacity = amountOf(node.allocatable, resource);
        const used = usedWith(info, node, resource);
        if (capacity !== 0 && used <= capacity) sum += worth(used, capacity) * weight;
      }
      return Math.trunc(sum / weights);
    },
  });
};

/** Reads `resources`, each with a weight from 1 to `most`. */
export function resourcesFrom(args: Fields, most = 100): readonly WeightedResource[] {
  const resources = args.list('resources').map((resource) => {
    const read = { name: resource.text('name') ?? '', weight: resource.number('weight', 1, most) };
    resource.end();
    if (read.weight === undefined) throw new ConfigurationError(`${resource.at('weight')}: Required value`);
    return { ...read, weight: read.weight };
  });
  return resources.length > 0 ? resources : CPU_AND_MEMORY;
}

/** Prefers nodes with a lower share of resources in use. */
const least = (resources: readonly WeightedResource[]): Plugin =>
  average('NodeResourcesLeastAllocated', (used, capacity) => scaled(capacity - used, MAX_SCORE, capacity), resources);

/** Prefers nodes with a higher share of resources in use, so that others become empty. */
const most = (resources: readonly WeightedResource[]): Plugin =>
  average('NodeResourcesMostAllocated', (used, capacity) => scaled(used, MAX_SCORE, capacity), resources);

export const nodeResourcesLeastAllocated = least(CPU_AND_MEMORY);
export const nodeResourcesMostAllocated = most(CPU_AND_MEMORY);
export const leastAllocatedWith = (args: Fields): Plugin => least(resourcesFrom(args));
export const mostAllocatedWith = (args: Fields): Plugin => most(resourcesFrom(args));

/** The share of a resource in use with the pod on the node; 1 if the node has none. */
function shareUsed({ scored }: PodInfo, { allocatable, nonZeroRequested }: NodeInfo, name: 'cpu' | 'memory'): number {
  const capacity = allocatable[name];
  return capacity === 0 ? 1 : (nonZeroRequested[name] + scored[name]) / capacity;
}

/** Prefers nodes with similar shares of CPU and memory in use. */
export const nodeResourcesBalancedAllocation = plugin({
  name: 'NodeResourcesBalancedAllocation',
  isLocal: true,
  weight: 1,
  score({ info }, node) {
    const cpu = shareUsed(info, node, 'cpu');
    const memory = shareUsed(info, node, 'memory');
    return cpu >= 1 || memory >= 1 ? 0 : Math.trunc((1 - Math.abs(cpu - memory)) * MAX_SCORE);
  },
});
