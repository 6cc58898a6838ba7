/** The score for soft spread constraints. */
import { getOwn } from '../../../std/index.ts';
import type { NodeInfo } from '../../framework/nodeInfo.ts';
import { MAX_SCORE, type Cycle } from '../../framework/plugin.ts';
import type { ByNode } from '../../framework/podIndex.ts';
import {
  constraintsOf,
  eachMatching,
  hasAllKeys,
  hostname,
  matchingPods,
  nodesForPod,
  type Constraint,
  type Defaults,
} from './constraints.ts';

/** A constraint, prepared for one pod. */
interface Spread extends Pick<Constraint, 'maxSkew' | 'topologyKey'> {
  readonly weight: number;
  /** The number of matching pods in a node's topology domain; `value` is the node's value of the label. */
  readonly podsAt: (node: NodeInfo, value: string) => number;
}

export interface ScoreState {
  /** For each feasible node whether it has the labels of all constraints. */
  readonly isCounted: readonly boolean[];
  readonly spreads: readonly Spread[];
}

export function prepareScore(cycle: Cycle, feasible: readonly NodeInfo[], defaults: Defaults): ScoreState {
  const constraints = constraintsOf(cycle, defaults, 'ScheduleAnyway');
  // As in the reference, the system's constraints ignore nodes without a zone.
  const isCounted = feasible.map((node) => hasAllKeys(node, constraints));
  const counted = feasible.filter((_, i) => isCounted[i]);
  if (counted.length === 0) return { isCounted, spreads: [] };
  const has = eligible(cycle, constraints);
  return { isCounted, spreads: constraints.map((constraint) => spreadOf(cycle, constraint, counted, has)) };
}

/** The nodes whose pods are counted: those that match the pod and have the labels. */
function eligible(cycle: Cycle, constraints: readonly Constraint[]): (node: NodeInfo) => boolean {
  const nodes = nodesForPod(cycle);
  const allowed = nodes && new Set(nodes.map(({ name }) => name));
  return (node) => (!allowed || allowed.has(node.name)) && hasAllKeys(node, constraints);
}

function spreadOf(
  cycle: Cycle,
  { maxSkew, topologyKey, selector }: Constraint,
  counted: readonly NodeInfo[],
  isCounted: (node: NodeInfo) => boolean,
): Spread {
  const spread = (places: number, podsAt: Spread['podsAt']): Spread => ({
    ...{ maxSkew, topologyKey, podsAt },
    weight: Math.log(places + 2),
  });
  if (topologyKey === hostname(cycle.listers.names))
    return spread(counted.length, podsOnNode(matchingPods(cycle, selector)));
  const counts = new Map<string, number>();
  for (const { labels } of counted) counts.set(getOwn(labels, topologyKey) ?? '', 0);
  eachMatching(cycle, selector, (node, count) => {
    const place = getOwn(node.labels, topologyKey) ?? '';
    const before = counts.get(place);
    if (before !== undefined && isCounted(node)) counts.set(place, before + count);
  });
  return spread(counts.size, (_, value) => counts.get(value) ?? 0);
}

/** How many of the pods are on a node. */
const podsOnNode =
  (pods: readonly ByNode[]) =>
  ({ name }: NodeInfo): number => {
    let sum = 0;
    for (const nodes of pods) sum += nodes.get(name) ?? 0;
    return sum;
  };

/** Nodes without all labels of the constraints are ignored. */
export function score(_: Cycle, node: NodeInfo, { spreads }: ScoreState): number {
  let sum = 0;
  for (const { maxSkew, topologyKey, weight, podsAt } of spreads) {
    const value = getOwn(node.labels, topologyKey);
    if (value === undefined) return 0;
    sum += podsAt(node, value) * weight + (maxSkew - 1);
  }
  return Math.trunc(sum);
}

/** Fewer is better: scores are inverted relative to the maximum and minimum. */
export function normalize(scores: readonly number[], { isCounted }: ScoreState): number[] {
  let [least, most] = [Infinity, 0];
  for (let i = 0; i < scores.length; i++) {
    if (!isCounted[i]) continue;
    least = Math.min(least, scores[i] as number);
    most = Math.max(most, scores[i] as number);
  }
  return scores.map((each, i) => {
    if (!isCounted[i]) return 0;
    return most === 0 ? MAX_SCORE : Math.trunc((MAX_SCORE * (most + least - each)) / most);
  });
}
