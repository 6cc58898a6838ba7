/** Why a pod would go where it would go, from the situation as it is. */
import { keyOf, type Pod } from '../../client/index.ts';
import { Filters } from '../framework/filters.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import type { Cycle, Facts } from '../framework/plugin.ts';
import { highest, scoreNodes, type Scored } from '../framework/run.ts';
import { checkNode, runFilters, whyNone, type FilterOutcome } from '../place.ts';
import { CRITERIA, findCandidates, mayPreempt, pickCandidate, type Candidate } from '../preemption.ts';
import { cycleFor, preemptionOf, rulesFor, type Situation } from './situation.ts';

/** What one filter says of one node. */
export interface Verdict {
  readonly plugin: string;
  /** Why it refuses the node; empty where it doesn't. */
  readonly reasons: readonly string[];
  /** Whether the pod could go there if other pods went away; only where it refuses. */
  readonly resolvable?: boolean;
  /** Whether this is the refusal that counts: filters after it are not asked when a pod is scheduled. */
  readonly isFirst: boolean;
  /** The numbers behind the verdict. */
  readonly facts: Facts;
}

export interface ScorePart {
  readonly plugin: string;
  readonly raw: number;
  /** From 0 to 100. */
  readonly normalized: number;
  readonly weight: number;
  readonly weighted: number;
}

export interface NodeExplanation {
  readonly node: string;
  readonly verdicts: readonly Verdict[];
  readonly fits: boolean;
  /** Whether it fits only as long as nominated pods don't come. */
  readonly isReserved: boolean;
  /** Absent where the node doesn't fit, was not looked at, or is the only one. */
  readonly scores?: readonly ScorePart[];
  readonly total?: number;
}

export interface PreemptionCandidate {
  readonly node: string;
  readonly victims: readonly { readonly pod: string; readonly priority: number }[];
  /** How many victims a disruption budget protects. */
  readonly violations: number;
  /** What candidates are compared by, from the first criterion on; less is better. */
  readonly compared: readonly { readonly criterion: string; readonly value: number }[];
}

export interface PreemptionStory {
  readonly isAllowed: boolean;
  readonly candidates: readonly PreemptionCandidate[];
  /** The node on which room would be made. */
  readonly node?: string;
  /** The criterion that left only this candidate. */
  readonly decidedBy?: string;
}

export interface Explanation {
  readonly pod: string;
  readonly nodes: readonly NodeExplanation[];
  /** The nodes with the highest total: the pod goes to one of them at random. */
  readonly winners: readonly string[];
  /** Refused on every node alike, before any was asked. */
  readonly refusedEverywhere?: { readonly plugin: string; readonly reasons: readonly string[] };
  /** The message of the event and the condition, where no node fits. */
  readonly why?: string;
  readonly preemption?: PreemptionStory;
}

/** Evaluates every filter on every node, and scores those that the scheduler would score. */
export function explainPlacement(situation: Situation, pod: Pod): Explanation {
  const cycle = cycleFor(situation, pod);
  const rules = rulesFor(situation, cycle.info);
  const outcome = runFilters(cycle, rules, situation.start ?? 0);
  const { feasible, filters } = outcome;
  const scored = feasible.length > 1 ? scoreNodes(situation.plugins, cycle, feasible) : undefined;
  const winners = scored ? highest(scored.totals).map((i) => (feasible[i] as NodeInfo).name) : namesOf(feasible);
  const everywhere = filters.refusedEverywhere;
  const positions = new Map(feasible.map(({ name }, i) => [name, i]));
  return {
    pod: keyOf(pod),
    nodes: cycle.snapshot.nodes.map((node) => ({
      ...verdictsOn(cycle, node, filters, rules.nominatedOn(node.name)),
      ...scoresOf(scored, positions.get(node.name)),
    })),
    winners,
    ...(everywhere && { refusedEverywhere: { plugin: everywhere.plugin, reasons: everywhere.refusal.reasons } }),
    ...(feasible.length === 0 && {
      why: whyNone(cycle.snapshot.nodes.length, outcome.rejections),
      preemption: storyOf(situation, cycle, outcome),
    }),
  };
}

/** What every filter says of one node; undefined where there is no such node. */
export function explainNode(situation: Situation, pod: Pod, name: string): NodeExplanation | undefined {
  const cycle = cycleFor(situation, pod);
  const node = cycle.snapshot.get(name);
  if (!node) return undefined;
  const { plugins, nominatedOn } = rulesFor(situation, cycle.info);
  return verdictsOn(cycle, node, Filters.prepare(plugins, cycle), nominatedOn(name));
}

const namesOf = (nodes: readonly NodeInfo[]): string[] => nodes.map(({ name }) => name);

function verdictsOn(
  cycle: Cycle,
  node: NodeInfo,
  filters: Filters,
  nominated: readonly NodeInfo['pods'][number][],
): NodeExplanation {
  const all = filters.refusedEverywhere ? [] : filters.checkAll(node);
  const first = all.findIndex(({ refusal }) => refusal);
  const verdicts = all.map(({ plugin, state, refusal }, i) => ({
    plugin: plugin.name,
    reasons: refusal?.reasons ?? [],
    ...(refusal && { resolvable: refusal.resolvable }),
    isFirst: i === first,
    facts: plugin.facts?.(cycle, node, state) ?? [],
  }));
  const passes = first < 0 && !filters.refusedEverywhere;
  const fits = passes && checkNode(node, filters, nominated) === undefined;
  return { node: node.name, verdicts, fits, isReserved: passes && !fits };
}

function scoresOf(scored: Scored | undefined, i: number | undefined): Pick<NodeExplanation, 'scores' | 'total'> {
  if (!scored || i === undefined) return {};
  const scores = scored.columns.map(({ plugin, raw, normalized, weight }) => ({
    ...{ plugin, weight, raw: raw[i] as number, normalized: normalized[i] as number },
    weighted: (normalized[i] as number) * weight,
  }));
  return { scores, total: scored.totals[i] as number };
}

/** On which node room would be made for a pod that fits nowhere, and whose. */
export function preemptionFor(situation: Situation, pod: Pod): PreemptionStory {
  const cycle = cycleFor(situation, pod);
  return storyOf(situation, cycle, runFilters(cycle, rulesFor(situation, cycle.info), situation.start ?? 0));
}

function storyOf(situation: Situation, cycle: Cycle, { filters, rejections }: FilterOutcome): PreemptionStory {
  const { pod, snapshot, info } = cycle;
  const args = preemptionOf(situation);
  if (!args || !mayPreempt(pod, snapshot, rejections)) return { isAllowed: false, candidates: [] };
  const { nominatedOn } = rulesFor(situation, info);
  const question = { pod, snapshot, filters, rejections, nominatedOn, args, offset: () => 0 };
  const candidates = findCandidates({ ...question, budgets: situation.budgets ?? [] });
  const choice = pickCandidate(candidates);
  return {
    isAllowed: true,
    candidates: candidates.map(describeCandidate),
    ...(choice && { node: choice.candidate.node }),
    ...(choice?.decidedBy !== undefined && { decidedBy: choice.decidedBy }),
  };
}

function describeCandidate(candidate: Candidate): PreemptionCandidate {
  const { node, victims, violations } = candidate;
  return {
    ...{ node, violations },
    victims: victims.map((pod) => ({ pod: keyOf(pod), priority: pod.spec.priority ?? 0 })),
    compared: CRITERIA.map(({ name, of }) => ({ criterion: name, value: of(candidate) })),
  };
}
