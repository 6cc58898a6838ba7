import type { NodeInfo } from '../framework/nodeInfo.ts';
import { MAX_SCORE, plugin, type Cycle } from '../framework/plugin.ts';
import { zoneOf } from '../framework/zone.ts';
import { eachMatching } from './spread/constraints.ts';
import { ownersSelector } from './spread/owners.ts';

/** The weight of zones relative to nodes. */
const ZONE_WEIGHT = 2 / 3;

/** Pods with their own spread constraints are skipped. */
const says = ({ pod }: Cycle): boolean => (pod.spec.topologySpreadConstraints ?? []).length > 0;

/** The number of matching pods by node name. */
function prepareScore(cycle: Cycle): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const selector = says(cycle) ? undefined : ownersSelector(cycle);
  if (selector && !selector.matchesEverything)
    eachMatching(cycle, selector, ({ name }, count) => counts.set(name, (counts.get(name) ?? 0) + count));
  return counts;
}

/** The score of a place with `count` pods, where the maximum is `most`. */
const shareLeft = (count: number, most: number): number => (most > 0 ? MAX_SCORE * ((most - count) / most) : MAX_SCORE);

function normalize(scores: readonly number[], { listers }: Cycle, feasible: readonly NodeInfo[]): number[] {
  const zones = feasible.map((node) => zoneOf(node.labels, listers.names));
  const byZone = new Map<string, number>();
  for (const [i, zone] of zones.entries())
    if (zone !== undefined) byZone.set(zone, (byZone.get(zone) ?? 0) + (scores[i] as number));
  const largest = (all: Iterable<number>): number => [...all].reduce((most, count) => Math.max(most, count), 0);
  const [mostOnNode, mostInZone] = [largest(scores), largest(byZone.values())];
  return scores.map((count, i) => {
    const onNode = shareLeft(count, mostOnNode);
    const zone = zones[i];
    if (zone === undefined) return Math.trunc(onNode);
    const inZone = shareLeft(byZone.get(zone) ?? 0, mostInZone);
    return Math.trunc(onNode * (1 - ZONE_WEIGHT) + ZONE_WEIGHT * inZone);
  });
}

/** Spreads pods of one service or owner over nodes and zones, as before topology constraints. */
export const selectorSpread = plugin<void, ReadonlyMap<string, number>>({
  name: 'SelectorSpread',
  weight: 1,
  prepareScore,
  score: (_, node, counts) => counts.get(node.name) ?? 0,
  normalize: (scores, cycle, feasible) => (says(cycle) ? scores : normalize(scores, cycle, feasible)),
});
