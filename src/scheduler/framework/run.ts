import type { Filters, Rejection } from './filters.ts';
import type { NodeInfo } from './nodeInfo.ts';
import type { Cycle, Plugin } from './plugin.ts';

export interface Filtered {
  readonly feasible: readonly NodeInfo[];
  readonly rejections: readonly Rejection[];
  /** How many nodes were asked; the next pod begins after them, so that none is always asked first. */
  readonly asked: number;
}

/** Asks nodes in turn, beginning at `start`, until enough are found. */
export function filterNodes(
  filters: Pick<Filters, 'check'>,
  nodes: readonly NodeInfo[],
  start: number,
  percentage = 0,
): Filtered {
  const enough = feasibleNodesToFind(nodes.length, percentage);
  const feasible: NodeInfo[] = [];
  const rejections: Rejection[] = [];
  let asked = 0;
  for (; asked < nodes.length && feasible.length < enough; asked++) {
    const node = nodes[(start + asked) % nodes.length] as NodeInfo;
    const rejection = filters.check(node);
    if (rejection) rejections.push(rejection);
    else feasible.push(node);
  }
  return { feasible, rejections, asked };
}

const FEWEST = 100;

/**
 * How many feasible nodes suffice. In a large cluster not every node is asked: never fewer than a hundred, and of the
 * others the percentage that is given, or, where that is 0, from half of them down to a twentieth.
 */
export function feasibleNodesToFind(nodes: number, percentage: number): number {
  if (nodes < FEWEST || percentage >= 100) return nodes;
  const share = percentage > 0 ? percentage : Math.max(5, 50 - Math.floor(nodes / 125));
  return Math.max(FEWEST, Math.floor((nodes * share) / 100));
}

/** What one plugin gives each feasible node. */
export interface ScoreColumn {
  readonly plugin: string;
  readonly weight: number;
  readonly raw: readonly number[];
  readonly normalized: readonly number[];
}

/** The scores of all plugins, each list in the order of the feasible nodes. */
export interface Scored {
  readonly columns: readonly ScoreColumn[];
  readonly totals: readonly number[];
}

export function scoreNodes(plugins: readonly Plugin[], cycle: Cycle, feasible: readonly NodeInfo[]): Scored {
  const columns = plugins.filter((plugin) => plugin.score).map((plugin) => columnOf(plugin, cycle, feasible));
  return { columns, totals: totalsOf(columns, feasible.length) };
}

function columnOf(plugin: Plugin, cycle: Cycle, feasible: readonly NodeInfo[]): ScoreColumn {
  const state = plugin.prepareScore?.(cycle, feasible);
  const raw = feasible.map((node) => plugin.score?.(cycle, node, state) ?? 0);
  const normalized = plugin.normalize?.(raw, cycle, feasible, state) ?? raw;
  return { plugin: plugin.name, weight: plugin.weight ?? 1, raw, normalized };
}

/** The sum of the columns, for each of so many nodes. */
export function totalsOf(columns: readonly ScoreColumn[], nodes: number): number[] {
  const totals = new Array<number>(nodes).fill(0);
  for (const { normalized, weight } of columns)
    for (let i = 0; i < nodes; i++) totals[i] = (totals[i] as number) + (normalized[i] as number) * weight;
  return totals;
}

/** What each plugin adds to the total of one node, by the plugin's name. */
export function weightedScores({ columns }: Scored, i: number): Record<string, number> {
  return Object.fromEntries(
    columns.map(({ plugin, weight, normalized }) => [plugin, (normalized[i] as number) * weight]),
  );
}

/** The positions of the nodes with the highest total. */
export function highest(totals: readonly number[]): number[] {
  let most = -Infinity;
  let found: number[] = [];
  for (const [i, total] of totals.entries()) {
    if (total > most) [most, found] = [total, [i]];
    else if (total === most) found.push(i);
  }
  return found;
}

/** The message about a pod that fits nowhere: how many nodes gave which reason. */
export function describeRejections(nodes: number, rejections: readonly Rejection[]): string {
  const counts = new Map<string, number>();
  for (const { refusal } of rejections)
    for (const reason of refusal.reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = Array.from(counts, ([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodes} nodes are available: ${reasons.join(', ')}.`;
}
