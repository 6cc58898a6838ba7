/** Finds the node for one pod. A pure function. */
import type { Random } from '../std/index.ts';
import { Filters, type Rejection } from './framework/filters.ts';
import type { NodeInfo, PodInfo } from './framework/nodeInfo.ts';
import type { Cycle, Plugin } from './framework/plugin.ts';
import { describeRejections, filterNodes, highest, type Filtered } from './framework/run.ts';

export interface FilterRules {
  readonly plugins: readonly Plugin[];
  /** Whether a node that one filter refuses is shown to the others, too. */
  readonly asksAll?: boolean;
  /** Share of the nodes that suffices, in percent; 0 lets their number decide. */
  readonly percentage?: number;
  /** Pods nominated for a node that matter at least as much as the one that is placed. */
  readonly nominatedOn: (node: string) => readonly PodInfo[];
}

/** What came of asking the filters. */
export interface FilterOutcome extends Filtered {
  readonly filters: Filters;
}

/** Asks the filters about nodes, beginning at `start`. A pod that is refused everywhere is refused on each node. */
export function runFilters(cycle: Cycle, rules: FilterRules, start: number): FilterOutcome {
  const { nodes } = cycle.snapshot;
  const filters = Filters.prepare(rules.plugins, cycle, rules.asksAll);
  const everywhere = filters.refusedEverywhere;
  if (everywhere) {
    const rejections = nodes.map((node) => ({ node: node.name, ...everywhere }));
    return { filters, feasible: [], rejections, asked: 0 };
  }
  const check = (node: NodeInfo): Rejection | undefined => checkNode(node, filters, rules.nominatedOn(node.name));
  return { filters, ...filterNodes({ check }, nodes, start, rules.percentage) };
}

/** A node for which others are nominated has to fit with them there, and, since they may never come, without them. */
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

/** The position of the highest total; of equals any. */
export function pick(totals: readonly number[], random: Pick<Random, 'int'>): number {
  const equals = highest(totals);
  return equals[equals.length === 1 ? 0 : random.int(equals.length)] as number;
}
