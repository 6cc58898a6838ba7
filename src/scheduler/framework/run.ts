import type { Filters, Rejection } from './filters.ts';
import type { NodeInfo } from './nodeInfo.ts';
import type { Cycle, Plugin } from './plugin.ts';
import type { Verdicts } from './verdicts.ts';

export interface Filtered {
  readonly feasible: readonly NodeInfo[];
  readonly rejections: readonly Rejection[];
  /** The number of checked nodes; the search for the next pod starts after them, so that no node is always first. */
  readonly asked: number;
}

/** Checks nodes in order, beginning at `start`, until enough are found. */
export function filterNodes(
  filters: Pick<Filters, 'check'>,
  nodes: Pick<readonly NodeInfo[], 'length' | 'at'>,
  start: number,
  percentage = 0,
): Filtered {
  const enough = feasibleNodesToFind(nodes.length, percentage);
  const feasible: NodeInfo[] = [];
  const rejections: Rejection[] = [];
  let asked = 0;
  for (; asked < nodes.length && feasible.length < enough; asked++) {
    const node = nodes.at((start + asked) % nodes.length) as NodeInfo;
    const rejection = filters.check(node);
    if (rejection) rejections.push(rejection);
    else feasible.push(node);
  }
  return { feasible, rejections, asked };
}

const FEWEST = 100;

/**
 * The number of feasible nodes to find. In a large cluster not every node is checked: at least a hundred, and otherwise
 * the given percentage or, if that is 0, from 50 % down to 5 %.
 */
export function feasibleNodesToFind(nodes: number, percentage: number): number {
  if (nodes < FEWEST || percentage >= 100) return nodes;
  const share = percentage > 0 ? percentage : Math.max(5, 50 - Math.floor(nodes / 125));
  return Math.max(FEWEST, Math.floor((nodes * share) / 100));
}

/** The scores of one plugin for each feasible node. */
export interface ScoreColumn {
  readonly plugin: string;
  readonly weight: number;
  readonly raw: readonly number[];
  readonly normalized: readonly number[];
}

/** The scores of all plugins, each in the order of the feasible nodes. */
export interface Scored {
  readonly columns: readonly ScoreColumn[];
  readonly totals: readonly number[];
}

/** `known` is what local plugins said about nodes for pods like this one. */
export function scoreNodes(
  plugins: readonly Plugin[],
  cycle: Cycle,
  feasible: readonly NodeInfo[],
  known?: Verdicts,
): Scored {
  const scorers = plugins
    .filter((plugin) => plugin.score)
    .map((plugin): Scorer => ({ plugin, state: plugin.prepareScore?.(cycle, feasible) }));
  const local = scorers.filter(({ plugin }) => known && plugin.isLocal);
  const scoresOf = (node: NodeInfo): number[] => local.map((scorer) => scoreOf(scorer, cycle, node));
  const raws = known?.columns(local, feasible, scoresOf);
  const columns = scorers.map((scorer) => columnOf(scorer, cycle, feasible, raws?.get(scorer)));
  return { columns, totals: totalsOf(columns, feasible.length) };
}

/** A plugin that scores, prepared for one pod. */
interface Scorer {
  readonly plugin: Plugin;
  readonly state: unknown;
}

const scoreOf = ({ plugin, state }: Scorer, cycle: Cycle, node: NodeInfo): number =>
  plugin.score?.(cycle, node, state) ?? 0;

function columnOf(
  scorer: Scorer,
  cycle: Cycle,
  feasible: readonly NodeInfo[],
  known: readonly number[] | undefined,
): ScoreColumn {
  const { plugin, state } = scorer;
  const raw = known ?? feasible.map((node) => scoreOf(scorer, cycle, node));
  const normalized = plugin.normalize?.(raw, cycle, feasible, state) ?? raw;
  return { plugin: plugin.name, weight: plugin.weight ?? 1, raw, normalized };
}

/** The sum of the columns for each node. */
export function totalsOf(columns: readonly ScoreColumn[], nodes: number): number[] {
  const totals = new Array<number>(nodes).fill(0);
  for (const { normalized, weight } of columns)
    for (let i = 0; i < nodes; i++) totals[i] = (totals[i] as number) + (normalized[i] as number) * weight;
  return totals;
}

/** The contribution of each plugin to the total of one node, by plugin name. */
export function weightedScores({ columns }: Scored, i: number): Record<string, number> {
  return Object.fromEntries(
    columns.map(({ plugin, weight, normalized }) => [plugin, (normalized[i] as number) * weight]),
  );
}

/** The indexes of the nodes with the highest total. */
export function highest(totals: readonly number[]): number[] {
  let most = -Infinity;
  let found: number[] = [];
  for (let i = 0; i < totals.length; i++) {
    const total = totals[i] as number;
    if (total > most) [most, found] = [total, [i]];
    else if (total === most) found.push(i);
  }
  return found;
}

/** The message for a pod that fits nowhere: the number of nodes for each reason. */
export function describeRejections(nodes: number, rejections: readonly Rejection[]): string {
  const counts = new Map<string, number>();
  for (const { refusal } of rejections)
    for (const reason of refusal.reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = Array.from(counts, ([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodes} nodes are available: ${reasons.join(', ')}.`;
}
