import type { Selector } from '../../schema/index.ts';
import type { NodeInfo } from './nodeInfo.ts';
import type { AffinityTerm, PodInfo } from './podInfo.ts';

/** The number of pods on each node, by node name. */
export type ByNode = ReadonlyMap<string, number>;

/** Pods of one namespace with the same labels. */
export interface PodGroup {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly isTerminating: boolean;
  readonly nodes: ByNode;
}

/** An affinity term of placed pods, and the nodes of those pods. */
export interface PlacedTerm {
  readonly term: AffinityTerm;
  readonly nodes: ByNode;
}

/** The kinds of affinity terms. */
export type TermKind = 'requiredAffinity' | 'requiredAntiAffinity' | 'preferredAffinity' | 'preferredAntiAffinity';

const KINDS: readonly TermKind[] = [
  'requiredAffinity',
  'requiredAntiAffinity',
  'preferredAffinity',
  'preferredAntiAffinity',
];

type Counts = Map<string, number>;

/**
 * Placed pods by labels and by affinity terms. Replicas share both, so plugins that compare a pod with all others
 * process one group or term for each workload instead of every pod.
 */
export class PodIndex {
  readonly #groups = new Map<string, Map<string, PodGroup & { readonly nodes: Counts }>>();
  readonly #terms: Readonly<Record<TermKind, Map<string, PlacedTerm & { readonly nodes: Counts }>>> = {
    requiredAffinity: new Map(),
    requiredAntiAffinity: new Map(),
    preferredAffinity: new Map(),
    preferredAntiAffinity: new Map(),
  };

  static of(nodes: readonly NodeInfo[]): PodIndex {
    const index = new PodIndex();
    for (const { name, pods } of nodes) for (const pod of pods) index.add(name, pod);
    return index;
  }

  add(node: string, pod: PodInfo): void {
    change(this.#groupOf(pod).nodes, node, 1);
    for (const kind of KINDS) for (const term of pod[kind]) change(this.#termOf(kind, term).nodes, node, 1);
  }

  remove(node: string, pod: PodInfo): void {
    const groups = this.#groups.get(pod.namespace);
    const group = groups?.get(pod.group);
    if (groups && group && change(group.nodes, node, -1)) {
      groups.delete(pod.group);
      if (groups.size === 0) this.#groups.delete(pod.namespace);
    }
    for (const kind of KINDS) {
      for (const term of pod[kind])
        if (change(this.#termOf(kind, term).nodes, node, -1)) this.#terms[kind].delete(term.key);
    }
  }

  /** The groups of some namespaces that a selector matches. */
  matching(namespaces: readonly string[], selector: Selector): PodGroup[] {
    const found: PodGroup[] = [];
    for (const namespace of new Set(namespaces)) {
      for (const group of this.#groups.get(namespace)?.values() ?? [])
        if (selector.matches(group.labels)) found.push(group);
    }
    return found;
  }

  /** The groups of a namespace. */
  in(namespace: string): Iterable<PodGroup> {
    return this.#groups.get(namespace)?.values() ?? [];
  }

  /** All terms of one kind of placed pods. */
  terms(kind: TermKind): Iterable<PlacedTerm> {
    return this.#terms[kind].values();
  }

  #groupOf({ namespace, group, labels, isTerminating }: PodInfo): PodGroup & { readonly nodes: Counts } {
    let groups = this.#groups.get(namespace);
    if (!groups) this.#groups.set(namespace, (groups = new Map()));
    let found = groups.get(group);
    if (!found) groups.set(group, (found = { namespace, labels, isTerminating, nodes: new Map() }));
    return found;
  }

  #termOf(kind: TermKind, term: AffinityTerm): PlacedTerm & { readonly nodes: Counts } {
    let found = this.#terms[kind].get(term.key);
    if (!found) this.#terms[kind].set(term.key, (found = { term, nodes: new Map() }));
    return found;
  }
}

/** Changes a count, and returns whether all counts are zero. */
function change(counts: Counts, node: string, by: 1 | -1): boolean {
  const count = (counts.get(node) ?? 0) + by;
  if (count > 0) counts.set(node, count);
  else counts.delete(node);
  return counts.size === 0;
}
