/** One scheduling cycle for a pod, including extenders, without effects: no pod is bound or evicted. */
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
  /** The filter results, without nodes that extenders rejected. */
  readonly outcome: FilterOutcome;
  /** The nodes that an extender rejected. */
  readonly leftOut: readonly LeftOut[];
  /** Missing if fewer than two nodes fit: then nothing is scored. */
  readonly scored?: Scored;
  /** The nodes with the highest total: one of them is selected at random. */
  readonly winners: readonly NodeInfo[];
  /** Why no node fits; missing if one does. */
  readonly why?: string;
  /** A required extender failed: the attempt fails, without preemption. */
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
    if (feasible.length === 0) return { ...round, why: whyNone(snapshot.list.length, outcome.rejections) };
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
