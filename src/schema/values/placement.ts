/** What pods say of nodes: terms that select them, tolerations of their taints. */
import { expression, meets, type Labels, type NodeSelectorRequirement } from './labelSelector.ts';

export interface NodeTerm {
  readonly matchExpressions?: NodeSelectorRequirement[];
  readonly matchFields?: NodeSelectorRequirement[];
}

/** The properties of a node that terms match. */
export interface NodeLike {
  readonly name: string;
  readonly labels: Labels;
}

/** Whether all of a term's expressions hold; a term without any matches nothing. */
export function matchesNodeTerm({ matchExpressions = [], matchFields = [] }: NodeTerm, node: NodeLike): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return hold(matchExpressions, node.labels) && hold(matchFields, { 'metadata.name': node.name });
}

type Compiled = ReturnType<typeof expression>;

const compiled = new WeakMap<NodeSelectorRequirement, Compiled>();

/** An expression is of an object that no longer changes, and is held against many nodes. */
function compile(written: NodeSelectorRequirement): Compiled {
  let made = compiled.get(written);
  if (!made) compiled.set(written, (made = expression(written)));
  return made;
}

function hold(expressions: readonly NodeSelectorRequirement[], labels: Labels): boolean {
  return expressions.every((each) => {
    const requirement = compile(each);
    return !('error' in requirement) && meets(requirement, labels);
  });
}

/** Whether a node selector selects a node; its terms are alternatives. */
export function matchesNodeSelector(
  selector: { readonly nodeSelectorTerms: readonly NodeTerm[] | null },
  node: NodeLike,
): boolean {
  return (selector.nodeSelectorTerms ?? []).some((term) => matchesNodeTerm(term, node));
}

interface TolerationLike {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

interface TaintLike {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** Whether a toleration covers a taint: an empty key or effect covers all. */
export function tolerates(toleration: TolerationLike, taint: TaintLike): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  return toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? '');
}
