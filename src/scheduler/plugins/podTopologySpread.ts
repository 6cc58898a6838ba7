import type { Fields } from '../config/fields.ts';
import { plugin, type Plugin } from '../framework/plugin.ts';
import { constraintsOf, defaultsFrom, type Defaults } from './spread/constraints.ts';
import { copyState, facts, filter, movePod, prepareFilter, type FilterState } from './spread/filter.ts';
import { normalize, prepareScore, score, type ScoreState } from './spread/score.ts';

/** Spreads matching pods over zones, nodes or other topologies by constraints. */
export const podTopologySpreadOf = (defaults: Defaults): Plugin =>
  plugin<FilterState, ScoreState>({
    name: 'PodTopologySpread',
    weight: 2,
    concerns: (cycle) => constraintsOf(cycle, defaults, 'DoNotSchedule').length > 0,
    prepareFilter: (cycle) => prepareFilter(cycle, defaults),
    ...{ filter, copyState, movePod, facts },
    prepareScore: (cycle, feasible) => prepareScore(cycle, feasible, defaults),
    score,
    normalize: (scores, _, __, state) => normalize(scores, state),
  });

export const podTopologySpread = podTopologySpreadOf('system');

/** Reads `defaultConstraints` and `defaultingType`. */
export const podTopologySpreadWith = (args: Fields): Plugin => podTopologySpreadOf(defaultsFrom(args));
