import { keyOf } from '../client/index.ts';
import type { Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { withPods, type NodeInfo } from './framework/nodeInfo.ts';
import type { Cycle, Plugin } from './framework/plugin.ts';
import { explain, filterNodes, Filters, scoreNodes, type Rejection, type Scored } from './framework/run.ts';
import type { Nominations } from './nominations.ts';

export type Placement =
  | { readonly node: NodeInfo }
  | { readonly node: undefined; readonly why: string; readonly rejections: readonly Rejection[] };

export interface PlacementRules {
  readonly plugins: readonly Plugin[];
  /** Share of the nodes that suffices, in percent; 0 lets their number decide. */
  readonly percentage?: number;
  readonly nominations: Nominations;
  readonly random: Random;
  readonly tracer: Tracer;
}

/** Finds the node for one pod: filters, then scores. Decides from what it is given, and changes nothing. */
export function place(
  cycle: Cycle,
  rules: PlacementRules,
  start: number,
): { readonly placement: Placement; readonly asked: number } {
  const { nodes } = cycle.snapshot;
  if (nodes.length === 0)
    return { placement: { node: undefined, why: 'no nodes available to schedule pods', rejections: [] }, asked: 0 };
  const filters = new Filters(rules.plugins, cycle);
  if (filters.refusedEverywhere) return { placement: refusedEverywhere(cycle, filters.refusedEverywhere), asked: 0 };
  const { feasible, rejections, asked } = filterNodes(
    { check: (node) => check(cycle, rules, filters, node) },
    nodes,
    start,
    rules.percentage,
  );
  traceFiltered(cycle, rules.tracer, feasible, rejections);
  if (feasible.length === 0)
    return { placement: { node: undefined, why: explain(nodes.length, rejections), rejections }, asked };
  const [only] = feasible;
  const node = feasible.length === 1 && only ? only : best(cycle, rules, feasible);
  return { placement: { node }, asked };
}

/** A node where room was made for others has to fit with them there, and, since they may never come, without them. */
function check(cycle: Cycle, rules: PlacementRules, filters: Filters, node: NodeInfo): Rejection | undefined {
  const reserved = rules.nominations.reservedOn(node.name, cycle.pod);
  if (reserved.length > 0) {
    const full = withPods(node, reserved);
    const rejection = checkAs(cycle, rules.plugins, full);
    if (rejection) return rejection;
  }
  return filters.check(node);
}

/** Whether the pod would fit on a node as it is given, all other nodes as they are. */
export function checkAs(cycle: Cycle, plugins: readonly Plugin[], node: NodeInfo): Rejection | undefined {
  const filters = new Filters(plugins, { ...cycle, snapshot: cycle.snapshot.with(node) });
  if (filters.refusedEverywhere) return { node: node.name, ...filters.refusedEverywhere };
  return filters.check(node);
}

function refusedEverywhere(cycle: Cycle, refused: NonNullable<Filters['refusedEverywhere']>): Placement {
  const { nodes } = cycle.snapshot;
  const rejections = nodes.map((node) => ({ node: node.name, ...refused }));
  return { node: undefined, why: explain(nodes.length, rejections), rejections };
}

/** The node with the highest score; of equals any. */
function best(cycle: Cycle, { plugins, random, tracer }: PlacementRules, feasible: readonly NodeInfo[]): NodeInfo {
  const scored = scoreNodes(plugins, cycle, feasible);
  traceScored(cycle, tracer, scored);
  const highest = Math.max(...scored.map(({ total }) => total));
  const equals = scored.filter(({ total }) => total === highest);
  return (equals[random.int(equals.length)] as Scored).node;
}

function traceFiltered(
  { pod }: Cycle,
  tracer: Tracer,
  feasible: readonly NodeInfo[],
  rejections: readonly Rejection[],
): void {
  if (!tracer.wants('scheduling')) return;
  const refused = rejections.map(({ node, plugin, refusal }) => ({ node, plugin, reasons: refusal.reasons }));
  const nodes = [...feasible.map((node) => ({ node: node.name, reasons: [] })), ...refused];
  tracer.emit({ topic: 'scheduling', pod: keyOf(pod), uid: pod.metadata.uid ?? '', what: 'filtered', nodes });
}

function traceScored({ pod }: Cycle, tracer: Tracer, scored: readonly Scored[]): void {
  if (!tracer.wants('scheduling')) return;
  const nodes = scored.map(({ node, total, scores }) => ({ node: node.name, total, scores }));
  tracer.emit({ topic: 'scheduling', pod: keyOf(pod), uid: pod.metadata.uid ?? '', what: 'scored', nodes });
}
