/** The filter for hard spread constraints. */
import { getOwn } from '../../../std/index.ts';
import type { NodeInfo } from '../../framework/nodeInfo.ts';
import { refuse, refuseForGood, type Cycle, type Facts, type PodMove, type Refusal } from '../../framework/plugin.ts';
import { constraintsOf, eachMatching, hasAllKeys, nodesForPod, type Constraint, type Defaults } from './constraints.ts';

export interface FilterState {
  readonly constraints: readonly Constraint[];
  /** For each constraint: the number of matching pods for each value of its label. */
  readonly counts: readonly Map<string, number>[];
  /** The minimum of those counts; undefined if it has to be recomputed. */
  readonly least: (number | undefined)[];
}

const MISMATCH = "node(s) didn't match pod topology spread constraints";

export function prepareFilter(cycle: Cycle, defaults: Defaults): FilterState {
  const constraints = constraintsOf(cycle, defaults, 'DoNotSchedule');
  const counts = constraints.map(() => new Map<string, number>());
  if (constraints.length > 0) countPlaces(cycle, constraints, counts);
  return { constraints, counts, least: constraints.map(() => undefined) };
}

/** Counts label values of nodes that match the pod; then it counts matching pods on all nodes with these values. */
function countPlaces(cycle: Cycle, constraints: readonly Constraint[], counts: readonly Map<string, number>[]): void {
  for (const node of nodesForPod(cycle)) {
    if (!hasAllKeys(node, constraints)) continue;
    for (const [i, { topologyKey }] of constraints.entries()) counts[i]?.set(getOwn(node.labels, topologyKey) ?? '', 0);
  }
  for (const [i, { topologyKey, selector }] of constraints.entries())
    eachMatching(cycle, selector, (node, count) => addTo(counts[i], getOwn(node.labels, topologyKey), count));
}

/** Only existing values are increased. */
function addTo(counts: Map<string, number> | undefined, place: string | undefined, by: number): void {
  const before = place === undefined ? undefined : counts?.get(place);
  if (before !== undefined) counts?.set(place as string, before + by);
}

export function copyState({ constraints, counts, least }: FilterState): FilterState {
  return { constraints, counts: counts.map((places) => new Map(places)), least: [...least] };
}

export function movePod(
  { constraints, counts, least }: FilterState,
  { info }: Cycle,
  { pod, node, by }: PodMove,
): void {
  if (pod.namespace !== info.namespace || !hasAllKeys(node, constraints)) return;
  for (const [i, { topologyKey, selector }] of constraints.entries()) {
    if (!selector.matches(pod.labels)) continue;
    addTo(counts[i], getOwn(node.labels, topologyKey), by);
    least[i] = undefined;
  }
}

/** Without any domain there is no skew. */
function leastOf({ counts, least }: FilterState, i: number): number {
  return (least[i] ??= [...(counts[i]?.values() ?? [])].reduce((most, count) => Math.min(most, count), Infinity));
}

/** The skew with the pod on the node. */
function skewOf({ info }: Cycle, node: NodeInfo, state: FilterState, i: number): number {
  const { topologyKey, selector } = state.constraints[i] as Constraint;
  const here = state.counts[i]?.get(getOwn(node.labels, topologyKey) ?? '') ?? 0;
  return here + (selector.matches(info.labels) ? 1 : 0) - leastOf(state, i);
}

export function filter(cycle: Cycle, node: NodeInfo, state: FilterState): Refusal | undefined {
  for (const [i, { topologyKey, maxSkew }] of state.constraints.entries()) {
    if (getOwn(node.labels, topologyKey) === undefined) return refuseForGood(`${MISMATCH} (missing required label)`);
    if (skewOf(cycle, node, state, i) > maxSkew) return refuse(MISMATCH);
  }
  return undefined;
}

export function facts(cycle: Cycle, node: NodeInfo, state: FilterState): Facts {
  return state.constraints.map(({ topologyKey, maxSkew }, i) => ({
    topologyKey,
    place: getOwn(node.labels, topologyKey) ?? '',
    matching: state.counts[i]?.get(getOwn(node.labels, topologyKey) ?? '') ?? 0,
    least: leastOf(state, i),
    skew: skewOf(cycle, node, state, i),
    maxSkew,
  }));
}
