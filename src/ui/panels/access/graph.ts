/** The graph of how somebody comes by rights: subject → binding → role → rule, laid out in four columns. */
import type { AccessId, AccessRule, HeldRule } from '../../host.ts';
import { ruleText, scopeText } from './words.ts';

export type Layer = 'subject' | 'binding' | 'role' | 'rule';
export const LAYERS: readonly Layer[] = ['subject', 'binding', 'role', 'rule'];

export interface GraphNode {
  readonly id: string;
  readonly layer: Layer;
  readonly kind: string;
  readonly label: string;
  readonly note: string;
  /** What it names, where that is an object. */
  readonly object: AccessId | undefined;
  /** Its place from above within its layer. */
  readonly place: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The longest layer's number of nodes. */
  readonly height: number;
}

const idOf = (layer: Layer, { kind, namespace = '', name }: AccessId): string =>
  `${layer} ${kind} ${namespace} ${name}`;

type Draft = Omit<GraphNode, 'place'>;

/** From which roles a rule of an aggregated role came. */
type Origins = (role: string, rule: AccessRule) => readonly string[];
const own: Origins = () => [];

/** The four nodes of one held rule. */
function chainOf({ subject, binding, role, rule, ruleIndex, scope }: HeldRule, origins: Origins): readonly Draft[] {
  const from = role.kind === 'ClusterRole' ? origins(role.name, rule) : [];
  const object = (layer: Layer, of: AccessId, note: string): Draft => ({
    id: idOf(layer, of),
    layer,
    kind: of.kind,
    label: of.name,
    note,
    object: layer === 'subject' && of.kind !== 'ServiceAccount' ? undefined : of,
  });
  return [
    object('subject', subject, subject.kind),
    object('binding', binding, scope === '' ? 'in the whole cluster' : `in ${scopeText(scope)}`),
    object('role', role, role.kind),
    {
      id: `${idOf('role', role)} ${ruleIndex}`,
      layer: 'rule',
      kind: 'Rule',
      label: ruleText(rule),
      note: from.length === 0 ? '' : `aggregated from ${from.join(', ')}`,
      object: undefined,
    },
  ];
}

/** Nodes and edges of all held rules, each once; a layer's nodes stand in the order in which the chains come. */
export function graphOf(held: readonly HeldRule[], origins: Origins = own): Graph {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  const counts: Record<Layer, number> = { subject: 0, binding: 0, role: 0, rule: 0 };
  for (const each of held) {
    const chain = chainOf(each, origins);
    for (const draft of chain)
      if (!nodes.has(draft.id)) nodes.set(draft.id, { ...draft, place: counts[draft.layer]++ });
    for (const [at, to] of chain.entries()) {
      const from = chain[at - 1];
      if (from) edges.set(`${from.id} > ${to.id}`, { from: from.id, to: to.id });
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], height: Math.max(0, ...Object.values(counts)) };
}

function spread(edges: readonly GraphEdge[], start: string, next: 'from' | 'to'): Set<string> {
  const back = next === 'from' ? 'to' : 'from';
  const reached = new Set([start]);
  for (const id of reached) for (const edge of edges) if (edge[back] === id) reached.add(edge[next]);
  return reached;
}

/** Everything that a node leads to, and everything that leads to it. */
export function connected({ edges }: Graph, id: string): ReadonlySet<string> {
  return new Set([...spread(edges, id, 'to'), ...spread(edges, id, 'from')]);
}
