import { MAX_SCORE, plugin, type Refusal } from '../framework/plugin.ts';
import { add, isScalar } from '../framework/resources.ts';
import type { NodeInfo, PodInfo } from '../framework/nodeInfo.ts';

/** Which resources of a node are not enough for the pod, those named first that are compared first. */
export function shortages({ request }: PodInfo, node: NodeInfo): Refusal | undefined {
  const reasons: string[] = [];
  let hopeless = false;
  if (node.pods.length + 1 > (node.allocatable.pods ?? 0)) reasons.push('Too many pods');
  for (const name of ['cpu', 'memory', 'ephemeral-storage', ...Object.keys(request).filter(isScalar)]) {
    const wanted = request[name] ?? 0;
    const capacity = node.allocatable[name] ?? 0;
    if (wanted === 0 || wanted <= capacity - (node.requested[name] ?? 0)) continue;
    reasons.push(`Insufficient ${name}`);
    hopeless ||= wanted > capacity;
  }
  return reasons.length === 0 ? undefined : { reasons, resolvable: !hopeless };
}

/** Leaves out nodes that don't have what the pod requests. */
export const nodeResourcesFit = plugin({
  name: 'NodeResourcesFit',
  filter: ({ info }, node) => shortages(info, node),
});

/** Share of a node's CPU and memory that would be in use with the pod on it; above 1 where it is overcommitted. */
function fractions(info: PodInfo, node: NodeInfo): { readonly cpu: number; readonly memory: number } {
  const used = add(node.assumed, info.assumed);
  const share = (name: 'cpu' | 'memory'): number => {
    const capacity = node.allocatable[name] ?? 0;
    return capacity === 0 ? 1 : (used[name] ?? 0) / capacity;
  };
  return { cpu: share('cpu'), memory: share('memory') };
}

/** Prefers nodes of which less is in use. */
export const nodeResourcesLeastAllocated = plugin({
  name: 'NodeResourcesLeastAllocated',
  weight: 1,
  score({ info }, node) {
    const { cpu, memory } = fractions(info, node);
    const free = (fraction: number): number => (fraction > 1 ? 0 : Math.floor((1 - fraction) * MAX_SCORE));
    return Math.floor((free(cpu) + free(memory)) / 2);
  },
});

/** Prefers nodes whose CPU and memory are in use to the same degree. */
export const nodeResourcesBalancedAllocation = plugin({
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  score({ info }, node) {
    const { cpu, memory } = fractions(info, node);
    return cpu >= 1 || memory >= 1 ? 0 : Math.trunc((1 - Math.abs(cpu - memory)) * MAX_SCORE);
  },
});
