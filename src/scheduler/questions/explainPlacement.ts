/** Explains the placement of a pod in the current situation. */
import { keyOf, type Pod } from '../../client/index.ts';
import { candidatesAfterExtenders, filteringExtenders } from '../extender/index.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import type { Facts } from '../framework/plugin.ts';
import type { Scored } from '../framework/run.ts';
import { checkNode } from '../place.ts';
import { CRITERIA, findCandidates, mayPreempt, pickCandidate, type Candidate } from '../preemption.ts';
import { roundFor, type Round } from './round.ts';
import { preemptionOf, type Situation } from './situation.ts';

/** The result of one filter or extender for one node. */
export interface Verdict {
  readonly plugin: string;
  /** Why it rejects the node; empty if it passes. */
  readonly reasons: readonly string[];
  /** Whether removing other pods could help; only for rejections. */
  readonly resolvable?: boolean;
  /** Whether this is the decisive rejection: during scheduling, later filters do not run. */
  readonly isFirst: boolean;
  /** The numbers behind the result. */
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
  /** Whether it fits only if nominated pods are not scheduled. */
  readonly isReserved: boolean;
  /** Missing if the node does not fit, was not checked, or is the only one. */
  readonly scores?: readonly ScorePart[];
  readonly total?: number;
}

export interface Compared {
  readonly criterion: string;
  /** Lower is better. */
  readonly value: number;
  /** A sum of priorities has an offset for each victim; a time is in milliseconds since the epoch, negated. */
  readonly unit?: 'priorities' | 'time';
}

export interface PreemptionCandidate {
  readonly node: string;
  readonly victims: readonly { readonly pod: string; readonly priority: number }[];
  /** How many victims a disruption budget protects. */
  readonly violations: number;
  /** The criteria by which candidates are compared, in order; lower is better. */
  readonly compared: readonly Compared[];
}

/**
 * Why there is no preemption: it is disabled, an extender failed, the pod's policy is `Never`, or earlier victims are
 * still terminating.
 */
export type PreemptionBar = 'profile' | 'extender' | 'policy' | 'leaving';

export interface PreemptionStory {
  /** Missing if preemption is allowed. */
  readonly barredBy?: PreemptionBar;
  readonly candidates: readonly PreemptionCandidate[];
  /** The node on which pods would be preempted. */
  readonly node?: string;
  /** The criterion that left only this candidate. */
  readonly decidedBy?: string;
}

export interface Explanation {
  readonly pod: string;
  readonly nodes: readonly NodeExplanation[];
  /** The nodes with the highest total: one of them is selected at random. */
  readonly winners: readonly string[];
  /** The rejection on every node, before any was checked. */
  readonly refusedEverywhere?: { readonly plugin: string; readonly reasons: readonly string[] };
  /** The message of the event and the condition, if no node fits. */
  readonly why?: string;
  readonly preemption?: PreemptionStory;
}

/**
 * Runs every filter on every node, calls extenders for those that fit, and scores those that the scheduler would score.
 */
export async function explainPlacement(situation: Situation, pod: Pod): Promise<Explanation> {
  const round = await roundFor(situation, pod);
  const { scored, why, winners } = round;
  const { feasible, filters } = round.outcome;
  const everywhere = filters.refusedEverywhere;
  const positions = new Map(feasible.map(({ name }, i) => [name, i]));
  return {
    pod: keyOf(pod),
    nodes: round.cycle.snapshot.nodes.map((node) => ({
      ...verdictsOn(situation, round, node),
      ...scoresOf(scored, positions.get(node.name)),
    })),
    winners: winners.map(({ name }) => name),
    ...(everywhere && { refusedEverywhere: { plugin: everywhere.plugin, reasons: everywhere.refusal.reasons } }),
    ...(why !== undefined && { why, preemption: await preemptionIn(situation, round) }),
  };
}

/** The result of every filter for one node; undefined if the node does not exist. */
export async function explainNode(situation: Situation, pod: Pod, name: string): Promise<NodeExplanation | undefined> {
  const node = situation.snapshot.get(name);
  return node && verdictsOn(situation, await roundFor(situation, pod), node);
}

function verdictsOn(situation: Situation, round: Round, node: NodeInfo): NodeExplanation {
  const { cycle, rules } = round;
  const { filters } = round.outcome;
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
  const suits = passes && checkNode(node, filters, rules.nominatedOn(node.name)) === undefined;
  const outside = suits ? verdictsOfExtenders(situation, round, node) : [];
  const fits = suits && !round.isBroken && outside.every(({ isFirst }) => !isFirst);
  return { node: node.name, verdicts: [...verdicts, ...outside], fits, isReserved: passes && !suits };
}

/** The results of extenders for a node that passes the filters, up to the one that rejects it. */
function verdictsOfExtenders({ extenders = [] }: Situation, round: Round, { name }: NodeInfo): readonly Verdict[] {
  if (round.isBroken) return [];
  const asked = filteringExtenders(extenders, round.cycle.pod);
  const leftOut = round.leftOut.find(({ node }) => node === name);
  const last = leftOut ? asked.findIndex((extender) => extender.name === leftOut.extender) : asked.length - 1;
  return asked.slice(0, last + 1).map((extender, i) => {
    if (!leftOut || i !== last) return { plugin: extender.name, reasons: [], isFirst: false, facts: [] };
    const reasons = [leftOut.why ?? 'left out, without a reason'];
    return { plugin: extender.name, reasons, resolvable: true, isFirst: true, facts: [] };
  });
}

function scoresOf(scored: Scored | undefined, i: number | undefined): Pick<NodeExplanation, 'scores' | 'total'> {
  if (!scored || i === undefined) return {};
  const scores = scored.columns.map(({ plugin, raw, normalized, weight }) => ({
    ...{ plugin, weight, raw: raw[i] as number, normalized: normalized[i] as number },
    weighted: (normalized[i] as number) * weight,
  }));
  return { scores, total: scored.totals[i] as number };
}

/** The node and the victims of a preemption for a pod that fits nowhere. */
export async function preemptionIn(situation: Situation, round: Round): Promise<PreemptionStory> {
  const { cycle, rules, isBroken } = round;
  const { pod, snapshot } = cycle;
  const { filters, rejections } = round.outcome;
  const args = preemptionOf(situation);
  if (!args) return { barredBy: 'profile', candidates: [] };
  if (isBroken) return { barredBy: 'extender', candidates: [] };
  if (!mayPreempt(pod, snapshot, rejections))
    return { barredBy: pod.spec.preemptionPolicy === 'Never' ? 'policy' : 'leaving', candidates: [] };
  const question = { pod, snapshot, filters, rejections, nominatedOn: rules.nominatedOn, args, offset: () => 0 };
  const found = findCandidates({ ...question, budgets: situation.budgets ?? [] });
  // As in the scheduler, a failing extender here only prevents preemption.
  const candidates = await candidatesAfterExtenders(situation.extenders ?? [], pod, found, snapshot).catch(() => []);
  const choice = pickCandidate(candidates);
  return {
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
    compared: CRITERIA.map(({ name, of, unit }) => ({
      ...{ criterion: name, value: of(candidate) },
      ...(unit && { unit }),
    })),
  };
}
