import { expression, meets, type Labels, type NodeSelectorRequirement, type objects } from '../../schema/index.ts';
import { normalized, plugin, refuseForGood } from '../framework/plugin.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';

type Labelled = Pick<NodeInfo, 'name' | 'labels'>;

/** Whether all of a term's expressions hold; a term without any matches nothing. */
export function matchesTerm(term: objects.NodeSelectorTerm, node: Labelled): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return false;
  return hold(matchExpressions, node.labels) && hold(matchFields, { 'metadata.name': node.name });
}

function hold(expressions: readonly NodeSelectorRequirement[], labels: Labels): boolean {
  return expressions.every((e) => {
    const requirement = expression(e);
    return !('error' in requirement) && meets(requirement, labels);
  });
}

/** Terms of a node selector are alternatives. */
export function matchesSelector(selector: objects.NodeSelector, node: Labelled): boolean {
  return (selector.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

/** Whether a pod's own node selector and required node affinity let it go to a node. */
export function matchesNode(spec: objects.PodSpec, node: Labelled): boolean {
  const wanted = Object.entries(spec.nodeSelector ?? {});
  if (!wanted.every(([key, value]) => node.labels[key] === value)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesSelector(required, node);
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
      .filter((term) => term.weight !== 0 && matchesTerm(term.preference, node))
      .reduce((sum, term) => sum + term.weight, 0);
  },
  normalize: (scores) => normalized(scores),
});
