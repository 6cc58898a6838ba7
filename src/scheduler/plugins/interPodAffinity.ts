import type { Fields } from '../config/fields.ts';
import { plugin, type Plugin } from '../framework/plugin.ts';
import { copyState, facts, filter, movePod, prepareFilter, type FilterState } from './affinity/filter.ts';
import { normalize, prepareScore, score } from './affinity/score.ts';
import type { TopologyCounts } from './affinity/topology.ts';

/** How much placed pods with a required affinity for the incoming one draw it to them, where nobody says. */
const HARD_AFFINITY_WEIGHT = 1;

/** Keeps pods near to, or away from, other pods, as either of them asks. */
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
