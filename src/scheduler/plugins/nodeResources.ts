import type { Fields } from '../config/fields.ts';
import { MAX_SCORE, plugin, type Plugin, type Refusal } from '../framework/plugin.ts';
import { add, isScalar } from '../framework/resources.ts';
import type { NodeInfo, PodInfo } from '../framework/nodeInfo.ts';

/** Which resources of a node are not enough for the pod, those named first that are compared first. */
export function shortages(
  { request }: PodInfo,
  node: NodeInfo,
  isIgnored: (name: string) => boolean = () => false,
): Refusal | undefined {
  const reasons: string[] = [];
  let hopeless = false;
  if (node.pods.length + 1 > (node.allocatable.pods ?? 0)) reasons.push('Too many pods');
  for (const name of ['cpu', 'memory', 'ephemeral-storage', ...Object.keys(request).filter(isScalar)]) {
    if (isIgnored(name)) continue;
    const wanted = request[name] ?? 0;
    const capacity = node.allocatable[name] ?? 0;
    if (wanted === 0 || wanted <= capacity - (node.requested[name] ?? 0)) continue;
    reasons.push(`Insufficient ${name}`);
    hopeless ||= wanted > capacity;
  }
  return reasons.length === 0 ? undefined : { reasons, resolvable: !hopeless };
}

/** Leaves out nodes that don't have what the pod requests. */
const fit = (isIgnored: (name: string) => boolean): Plugin =>
  plugin({ name: 'NodeResourcesFit', filter: ({ info }, node) => shortages(info, node, isIgnored) });

export const nodeResourcesFit = fit(() => false);

/** Reads which resources, and which groups of them, are left out of account. */
export function nodeResourcesFitWith(told: Fields): Plugin {
  const [names, groups] = [told.texts('ignoredResources'), told.texts('ignoredResourceGroups')];
  return fit((name) => isScalar(name) && (names.includes(name) || groups.includes(name.split('/')[0] ?? '')));
}

/** Share of a node's CPU and memory that would be in use with the pod on it; above 1 where it is overcommitted. */
function fractions(info: PodInfo, node: NodeInfo): { readonly cpu: number; readonly memory: number } {
  const used = add(node.assumed, info.assumed);
  const share = (name: 'cpu' | 'memory'): number => {
    const capacity = node.allocatable[name] ?? 0;
    return capacity === 0 ? 1 : (used[name] ?? 0) / capacity;
  };
  return { cpu: share('cpu'), memory: share('memory') };
}

interface Weighted {
  readonly name: string;
  readonly weight: number;
}

const CPU_AND_MEMORY: readonly Weighted[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** A plugin that scores by the share of each resource that would be in use; `value` says what a share is worth. */
const allocation = (name: string, value: (share: number) => number, resources: readonly Weighted[]): Plugin =>
  plugin({
    name,
    weight: 1,
    score({ info }, node) {
      const used = add(node.assumed, info.assumed);
      const counted = resources.filter(
        (resource) => isNative(resource.name) || info.request[resource.name] !== undefined,
      );
      const weights = counted.reduce((sum, { weight }) => sum + weight, 0);
      const total = counted.reduce((sum, resource) => {
        const capacity = node.allocatable[resource.name] ?? 0;
        const share = capacity === 0 ? Infinity : (used[resource.name] ?? 0) / capacity;
        return sum + (share > 1 ? 0 : Math.floor(value(share) * MAX_SCORE)) * resource.weight;
      }, 0);
      return weights === 0 ? 0 : Math.floor(total / weights);
    },
  });

const isNative = (name: string): boolean => !isScalar(name);

/** Reads `resources`, each with a weight from 1 to 100. */
const resourcesOf = (told: Fields): readonly Weighted[] => {
  const resources = told.list('resources').map((resource) => {
    const read = { name: resource.text('name') ?? '', weight: resource.number('weight', 1, 100) ?? 1 };
    resource.end();
    return read;
  });
  return resources.length > 0 ? resources : CPU_AND_MEMORY;
};

/** Prefers nodes of which less is in use. */
const least = (resources: readonly Weighted[]): Plugin =>
  allocation('NodeResourcesLeastAllocated', (share) => 1 - share, resources);

/** Prefers nodes of which more is in use, so that others become empty. */
const most = (resources: readonly Weighted[]): Plugin =>
  allocation('NodeResourcesMostAllocated', (share) => share, resources);

export const nodeResourcesLeastAllocated = least(CPU_AND_MEMORY);
export const nodeResourcesMostAllocated = most(CPU_AND_MEMORY);
export const leastAllocatedOf = (told: Fields): Plugin => least(resourcesOf(told));
export const mostAllocatedOf = (told: Fields): Plugin => most(resourcesOf(told));

/** Prefers nodes whose CPU and memory are in use to the same degree. */
export const nodeResourcesBalancedAllocation = plugin({
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  score({ info }, node) {
    const { cpu, memory } = fractions(info, node);
    return cpu >= 1 || memory >= 1 ? 0 : Math.trunc((1 - Math.abs(cpu - memory)) * MAX_SCORE);
  },
});
