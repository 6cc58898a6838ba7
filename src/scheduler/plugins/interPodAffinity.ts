import type { Fields } from '../config/fields.ts';
import { plugin, type Plugin } from '../framework/plugin.ts';
import { copyState, facts, filter, movePod, prepareFilter, type FilterState } from './affinity/filter.ts';
import { normalize, prepareScore, score } from './affinity/score.ts';
import type { TopologyCounts } from './affinity/topology.ts';

/** The default weight of required affinity terms of placed pods that match the incoming one. */
const HARD_AFFINITY_WEIGHT = 1;

/** Inter-pod affinity and anti-affinity, of the incoming and the placed pods. */
export const interPodAffinityOf = (hardWeight: number): Plugin =>
  plugin<FilterState, TopologyCounts>({
    name: 'InterPodAffinity',
    weight: 1,
    ...{ prepareFilter, filter, copyState, movePod, facts },
    prepareScore: (cycle) => prepareScore(cycle, hardWeight),
    score,
    normalize: (scores, _cycle, _feasible, counts) => normalize(scores, counts),
  });

export const interPodAffinity = interPodAffinityOf(HARD_AFFINITY_WEIGHT);

/** Reads `hardPodAffinityWeight`. */
export const interPodAffinityWith = (args: Fields): Plugin =>
  interPodAffinityOf(args.number('hardPodAffinityWeight', 0, 100) ?? HARD_AFFINITY_WEIGHT);
