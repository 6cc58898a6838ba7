/** The filter for hard spread constraints. */
import { getOwn } from '../../../std/index.ts';
import type { NodeInfo } from '../../framework/nodeInfo.ts';
import { refuse, refuseForGood, type Cycle, type Facts, type PodMove, type Refusal } from '../../framework/plugin.ts';
import { constraintsOf, eachMatching, hasAllKeys, nodesForPod, type Constraint, type Defaults } from './constraints.ts';

/** A constraint with the number of matching pods for each value of its label. */
interface Spread extends Constraint {
  readonly counts: Map<string | undefined, number>;
  /** The minimum of those counts; undefined if it has to be recomputed. */
  least?: number | undefined;
}

export type FilterState = readonly Spread[];

const MISMATCH = "node(s) didn't match pod topology spread constraints";

export function prepareFilter(cycle: Cycle, defaults: Defaults): FilterState {
  const spreads = constraintsOf(cycle, defaults, 'DoNotSchedule').map((constraint) => ({
    ...constraint,
    counts: new Map<string | undefined, number>(),
  }));
  if (spreads.length > 0) countPlaces(cycle, spreads);
  return spreads;
}

/** Counts label values of nodes that match the pod; then it counts matching pods on all nodes with these values. */
function countPlaces(cycle: Cycle, spreads: FilterState): void {
  for (const node of nodesForPod(cycle) ?? cycle.snapshot.nodes) {
    if (!hasAllKeys(node, spreads)) continue;
    for (const { counts, topologyKey } of spreads) counts.set(getOwn(node.labels, topologyKey), 0);
  }
  for (const spread of spreads) eachMatching(cycle, spread.selector, (node, count) => addTo(spread, node, count));
}

/** Only existing values are increased. */
function addTo({ counts, topologyKey }: Spread, node: NodeInfo, by: number): void {
  const place = getOwn(node.labels, topologyKey);
  const before = counts.get(place);
  if (before !== undefined) counts.set(place, before + by);
}

export const copyState = (state: FilterState): FilterState =>
  state.map((spread) => ({ ...spread, counts: new Map(spread.counts) }));

export function movePod(state: FilterState, { info }: Cycle, { pod, node, by }: PodMove): void {
  if (pod.namespace !== info.namespace || !hasAllKeys(node, state)) return;
  for (const spread of state) {
    if (!spread.selector.matches(pod.labels)) continue;
    addTo(spread, node, by);
    spread.least = undefined;
  }
}

/** Without any domain there is no skew. */
function leastOf(spread: Spread): number {
  return (spread.least ??= [...spread.counts.values()].reduce((most, count) => Math.min(most, count), Infinity));
}

const matchingAt = ({ counts, topologyKey }: Spread, { labels }: NodeInfo): number =>
  counts.get(getOwn(labels, topologyKey)) ?? 0;

/** The skew with the pod on the node. */
const skewOf = ({ info }: Cycle, node: NodeInfo, spread: Spread): number =>
  matchingAt(spread, node) + (spread.selector.matches(info.labels) ? 1 : 0) - leastOf(spread);

export function filter(cycle: Cycle, node: NodeInfo, state: FilterState): Refusal | undefined {
  for (const spread of state) {
    if (getOwn(node.labels, spread.topologyKey) === undefined)
      return refuseForGood(`${MISMATCH} (missing required label)`);
    if (skewOf(cycle, node, spread) > spread.maxSkew) return refuse(MISMATCH);
  }
  return undefined;
}

export function facts(cycle: Cycle, node: NodeInfo, state: FilterState): Facts {
  return state.map((spread) => ({
    topologyKey: spread.topologyKey,
    place: getOwn(node.labels, spread.topologyKey) ?? '',
    matching: matchingAt(spread, node),
    least: leastOf(spread),
    skew: skewOf(cycle, node, spread),
    maxSkew: spread.maxSkew,
  }));
}
