import { matchesNodeSelector, matchesNodeTerm, type NodeLike, type objects } from '../../schema/index.ts';
import { normalized, plugin, refuseForGood } from '../framework/plugin.ts';

/** Whether a pod's own node selector and required node affinity let it go to a node. */
export function matchesNode(spec: objects.PodSpec, node: NodeLike): boolean {
  const wanted = Object.entries(spec.nodeSelector ?? {});
  if (!wanted.every(([key, value]) => node.labels[key] === value)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesNodeSelector(required, node);
}

/** Keeps pods to the nodes that they ask for, and prefers those that they prefer. */
export const nodeAffinity = plugin({
  name: 'NodeAffinity',
  weight: 1,
  filter: ({ pod }, node) =>
    matchesNode(pod.spec, node) ? undefined : refuseForGood("node(s) didn't match Pod's node affinity"),
  score({ pod }, node) {
    const preferred = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return preferred
      .filter((term) => term.weight !== 0 && matchesNodeTerm(term.preference, node))
      .reduce((sum, term) => sum + term.weight, 0);
  },
  normalize: (scores) => normalized(scores),
});
