/** The score for soft spread constraints. */
import { getOwn } from '../../../std/index.ts';
import type { NodeInfo } from '../../framework/nodeInfo.ts';
import { MAX_SCORE, type Cycle } from '../../framework/plugin.ts';
import {
  constraintsOf,
  eachMatching,
  hasAllKeys,
  hostname,
  nodesForPod,
  type Constraint,
  type Defaults,
} from './constraints.ts';

export interface ScoreState {
  readonly constraints: readonly Constraint[];
  /** For each constraint: the number of matching pods for each node or label value. */
  readonly counts: readonly ReadonlyMap<string, number>[];
  readonly weights: readonly number[];
  /** Whether a constraint's topology is the node. */
  readonly isPerNode: readonly boolean[];
  /** Nodes without all labels of the constraints. */
  readonly ignored: ReadonlySet<string>;
}

export function prepareScore(cycle: Cycle, feasible: readonly NodeInfo[], defaults: Defaults): ScoreState {
  const constraints = constraintsOf(cycle, defaults, 'ScheduleAnyway');
  if (constraints.length === 0) return { constraints, counts: [], weights: [], isPerNode: [], ignored: new Set() };
  // As in the reference, the system's constraints ignore nodes without a zone.
  const counted = feasible.filter((node) => hasAllKeys(node, constraints));
  const isCounted = eligible(cycle, constraints);
  const all = constraints.map((constraint) => countsFor(cycle, constraint, counted, isCounted));
  return {
    constraints,
    counts: all.map(({ counts }) => counts),
    weights: all.map(({ places }) => Math.log(places + 2)),
    isPerNode: constraints.map(({ topologyKey }) => topologyKey === hostname(cycle.listers.names)),
    ignored: namesOfOthers(feasible, constraints),
  };
}

const namesOfOthers = (nodes: readonly NodeInfo[], constraints: readonly Constraint[]): ReadonlySet<string> =>
  new Set(nodes.filter((node) => !hasAllKeys(node, constraints)).map(({ name }) => name));

/** The nodes whose pods are counted: those that match the pod and have the labels. */
function eligible(cycle: Cycle, constraints: readonly Constraint[]): (node: NodeInfo) => boolean {
  const nodes = nodesForPod(cycle);
  const allowed = nodes === cycle.snapshot.nodes ? undefined : new Set(nodes.map(({ name }) => name));
  return (node) => (!allowed || allowed.has(node.name)) && hasAllKeys(node, constraints);
}

function countsFor(
  cycle: Cycle,
  { topologyKey, selector }: Constraint,
  counted: readonly NodeInfo[],
  isCounted: (node: NodeInfo) => boolean,
): { readonly counts: ReadonlyMap<string, number>; readonly places: number } {
  const counts = new Map<string, number>();
  if (topologyKey === hostname(cycle.listers.names)) {
    eachMatching(cycle, selector, ({ name }, count) => counts.set(name, (counts.get(name) ?? 0) + count));
    return { counts, places: counted.length };
  }
  for (const { labels } of counted) counts.set(getOwn(labels, topologyKey) ?? '', 0);
  eachMatching(cycle, selector, (node, count) => {
    const place = getOwn(node.labels, topologyKey) ?? '';
    const before = counts.get(place);
    if (before !== undefined && isCounted(node)) counts.set(place, before + count);
  });
  return { counts, places: counts.size };
}

export function score(_: Cycle, node: NodeInfo, state: ScoreState): number {
  const { constraints, counts, isPerNode, ignored, weights } = state;
  if (ignored.has(node.name)) return 0;
  let sum = 0;
  for (const [i, { topologyKey, maxSkew }] of constraints.entries()) {
    const label = getOwn(node.labels, topologyKey);
    if (label === undefined) continue;
    const count = counts[i]?.get(isPerNode[i] ? node.name : label) ?? 0;
    sum += count * (weights[i] as number) + (maxSkew - 1);
  }
  return Math.trunc(sum);
}

/** Fewer is better: scores are inverted relative to the maximum and minimum. */
export function normalize(scores: readonly number[], feasible: readonly NodeInfo[], { ignored }: ScoreState): number[] {
  const isIgnored = (i: number): boolean => ignored.has((feasible[i] as NodeInfo).name);
  const counted = scores.filter((_, i) => !isIgnored(i));
  const least = counted.reduce((min, each) => Math.min(min, each), Infinity);
  const most = counted.reduce((max, each) => Math.max(max, each), 0);
  return scores.map((each, i) => {
    if (isIgnored(i)) return 0;
    return most === 0 ? MAX_SCORE : Math.trunc((MAX_SCORE * (most + least - each)) / most);
  });
}
