/** One pod's turn as the scheduler takes it, extenders included. Nothing comes of it: no pod is bound, none is evicted. */
import type { Pod } from '../../client/index.ts';
import { filterByExtenders, withScoresOfExtenders, type LeftOut } from '../extender/index.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import type { Cycle } from '../framework/plugin.ts';
import { highest, scoreNodes, type Scored } from '../framework/run.ts';
import { runFilters, whyNone, type FilterOutcome, type FilterRules } from '../place.ts';
import { cycleFor, rulesFor, type Situation } from './situation.ts';

export interface Round {
  readonly cycle: Cycle;
  readonly rules: FilterRules;
  /** What the filters said, less what extenders refused. */
  readonly outcome: FilterOutcome;
  /** The nodes that an extender left out. */
  readonly leftOut: readonly LeftOut[];
  /** Absent where fewer than two nodes fit: nothing is scored then. */
  readonly scored?: Scored;
  /** The nodes with the highest total: the pod goes to one of them at random. */
  readonly winners: readonly NodeInfo[];
  /** Why no node fits; absent where one does. */
  readonly why?: string;
  /** An extender that has to answer didn't: the pod fails, and no room is made for it. */
  readonly isBroken: boolean;
}

/** Filters, then scores, as the scheduler would now. */
export async function roundFor(situation: Situation, pod: Pod): Promise<Round> {
  const { extenders = [], plugins, snapshot } = situation;
  const cycle = cycleFor(situation, pod);
  const rules = rulesFor(situation, cycle.info);
  const filtered = runFilters(cycle, rules, situation.start ?? 0);
  const begun = { cycle, rules, outcome: filtered, leftOut: [], winners: [] };
  try {
    const { feasible, rejections, leftOut } = await filterByExtenders(extenders, pod, filtered.feasible);
    const outcome = { ...filtered, feasible, rejections: [...filtered.rejections, ...rejections] };
    const round = { ...begun, outcome, leftOut, isBroken: false };
    if (feasible.length === 0) return { ...round, why: whyNone(snapshot.nodes.length, outcome.rejections) };
    if (feasible.length === 1) return { ...round, winners: feasible };
    const scored = await withScoresOfExtenders(scoreNodes(plugins, cycle, feasible), extenders, pod, feasible);
    return { ...round, scored, winners: highest(scored.totals).map((i) => feasible[i] as NodeInfo) };
  } catch (problem) {
    const outcome = { ...filtered, feasible: [] };
    const why = problem instanceof Error ? problem.message : String(problem);
    return { ...begun, outcome, why, isBroken: true };
  }
}

/** The names of the nodes with the highest score; empty where none fits. */
export async function winnersOf(situation: Situation, pod: Pod): Promise<readonly string[]> {
  return (await roundFor(situation, pod)).winners.map(({ name }) => name);
}
