import { getOwn } from '../../std/index.ts';
import { matchesNodeSelector, matchesNodeTerm, type NodeLike, type objects } from '../../schema/index.ts';
import { ConfigurationError, type Fields } from '../config/fields.ts';
import { normalized, plugin, refuseForGood, type Plugin } from '../framework/plugin.ts';

/** Whether a node matches a pod's node selector and required node affinity. */
export function matchesNode(spec: objects.PodSpec, node: NodeLike): boolean {
  const wanted = Object.entries(spec.nodeSelector ?? {});
  if (!wanted.every(([key, value]) => getOwn(node.labels, key) === value)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesNodeSelector(required, node);
}

/** Whether a pod has a node selector or required node affinity. */
export function restrictsNodes(spec: objects.PodSpec): boolean {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required !== undefined || Object.keys(spec.nodeSelector ?? {}).length > 0;
}

const requiredTerms = (spec: objects.PodSpec): readonly objects.NodeSelectorTerm[] =>
  spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];

type Affinity = NonNullable<NonNullable<objects.PodSpec['affinity']>['nodeAffinity']>;

/** Node selector and node affinity; `added` applies to all pods. */
const make = (added: Affinity): Plugin =>
  plugin<void, readonly objects.PreferredSchedulingTerm[]>({
    name: 'NodeAffinity',
    isLocal: true,
    weight: 1,
    concerns: ({ pod }) =>
      added.requiredDuringSchedulingIgnoredDuringExecution !== undefined || restrictsNodes(pod.spec),
    filter: ({ pod }, node) => {
      const required = added.requiredDuringSchedulingIgnoredDuringExecution;
      if (required && !matchesNodeSelector(required, node))
        return refuseForGood("node(s) didn't match scheduler-enforced node affinity");
      return matchesNode(pod.spec, node) ? undefined : refuseForGood("node(s) didn't match Pod's node affinity");
    },
    facts: ({ pod }, node) => [
      ...Object.entries(pod.spec.nodeSelector ?? {}).map(([label, wanted]) => ({
        ...{ label, wanted, found: getOwn(node.labels, label) ?? '' },
        matches: getOwn(node.labels, label) === wanted,
      })),
      ...requiredTerms(pod.spec).map((term, i) => ({ term: i, matches: matchesNodeTerm(term, node) })),
    ],
    prepareScore: ({ pod }) => [
      ...(added.preferredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
    ],
    score(_, node, preferred) {
      let sum = 0;
      for (const { weight, preference } of preferred) if (matchesNodeTerm(preference, node)) sum += weight;
      return sum;
    },
    normalize: (scores) => normalized(scores),
  });

export const nodeAffinity = make({});

/** Reads `addedAffinity`. */
export function nodeAffinityWith(args: Fields): Plugin {
  const added = args.raw('addedAffinity') ?? {};
  if (!isAffinity(added)) throw new ConfigurationError(`${args.at('addedAffinity')} is no node affinity`);
  return make(added);
}

/** Whether every requirement has the form that matching relies on. */
function isAffinity(value: unknown): value is Affinity {
  if (!isMap(value)) return false;
  const required = value['requiredDuringSchedulingIgnoredDuringExecution'] ?? { nodeSelectorTerms: [{}] };
  const preferred = value['preferredDuringSchedulingIgnoredDuringExecution'] ?? [];
  const isWeighted = (term: unknown): boolean =>
    isMap(term) && typeof term['weight'] === 'number' && isTerm(term['preference']);
  return isMap(required) && areAll(required['nodeSelectorTerms'], isTerm) && areAll(preferred, isWeighted);
}

function isTerm(term: unknown): boolean {
  if (!isMap(term)) return false;
  return ['matchExpressions', 'matchFields'].every((name) => areAll(getOwn(term, name) ?? [], isRequirement));
}

function isRequirement(value: unknown): boolean {
  if (!isMap(value) || typeof value['key'] !== 'string' || typeof value['operator'] !== 'string') return false;
  return areAll(value['values'] ?? [], (item) => typeof item === 'string');
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const areAll = (value: unknown, is: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(is);
