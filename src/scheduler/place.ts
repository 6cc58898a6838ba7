/** Finds the node for one pod. A pure function. */
import type { Random } from '../std/index.ts';
import { Filters, type Rejection } from './framework/filters.ts';
import type { NodeInfo, PodInfo } from './framework/nodeInfo.ts';
import type { Cycle, Plugin } from './framework/plugin.ts';
import type { Verdicts } from './framework/verdicts.ts';
import { describeRejections, filterNodes, highest, type Filtered } from './framework/run.ts';

export interface FilterRules {
  readonly plugins: readonly Plugin[];
  /** Whether all filters check a node that one of them has rejected. */
  readonly asksAll?: boolean;
  /** The percentage of nodes to find; 0 derives it from the number of nodes. */
  readonly percentage?: number;
  /** What local plugins said about nodes for pods like this one. */
  readonly known?: Verdicts | undefined;
  /** Pods nominated for a node with at least the priority of the scheduled pod. */
  readonly nominatedOn: (node: string) => readonly PodInfo[];
}

/** The result of the filters. */
export interface FilterOutcome extends Filtered {
  readonly filters: Filters;
}

/** Runs the filters on nodes, beginning at `start`. A pod that is rejected everywhere is rejected on each node. */
export function runFilters(cycle: Cycle, rules: FilterRules, start: number): FilterOutcome {
  const { snapshot } = cycle;
  const filters = Filters.prepare(rules.plugins, cycle, rules.asksAll, rules.known);
  const everywhere = filters.refusedEverywhere;
  if (everywhere) {
    const rejections = snapshot.nodes.map((node) => ({ node: node.name, ...everywhere }));
    return { filters, feasible: [], rejections, asked: 0 };
  }
  const check = (node: NodeInfo): Rejection | undefined => checkNode(node, filters, rules.nominatedOn(node.name));
  return { filters, ...filterNodes({ check }, snapshot.list, start, rules.percentage) };
}

/** A node with nominated pods has to pass with them and, because they may never be scheduled, without them. */
export function checkNode(node: NodeInfo, filters: Filters, nominated: readonly PodInfo[]): Rejection | undefined {
  if (nominated.length > 0) {
    const supposed = filters.suppose(node);
    for (const info of nominated) supposed.add(info);
    const rejection = supposed.check();
    if (rejection) return rejection;
  }
  return filters.check(node);
}

/** Why no node was found. */
export const whyNone = (nodes: number, rejections: readonly Rejection[]): string =>
  nodes === 0 ? 'no nodes available to schedule pods' : describeRejections(nodes, rejections);

/** The index of the highest total; a random one among equals. */
export function pick(totals: readonly number[], random: Pick<Random, 'int'>): number {
  const equals = highest(totals);
  return equals[equals.length === 1 ? 0 : random.int(equals.length)] as number;
}
