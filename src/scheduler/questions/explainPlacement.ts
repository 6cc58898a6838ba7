/** Why a pod would go where it would go, from the situation as it is. */
import { keyOf, type Pod } from '../../client/index.ts';
import { candidatesAfterExtenders, filteringExtenders } from '../extender/index.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import type { Facts } from '../framework/plugin.ts';
import type { Scored } from '../framework/run.ts';
import { checkNode } from '../place.ts';
import { CRITERIA, findCandidates, mayPreempt, pickCandidate, type Candidate } from '../preemption.ts';
import { roundFor, type Round } from './round.ts';
import { preemptionOf, type Situation } from './situation.ts';

/** What one filter, or an extender, says of one node. */
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

export interface Compared {
  readonly criterion: string;
  /** Less is better. */
  readonly value: number;
  /** A sum of priorities has an offset for each victim; a time is in milliseconds since the epoch, negated. */
  readonly unit?: 'priorities' | 'time';
}

export interface PreemptionCandidate {
  readonly node: string;
  readonly victims: readonly { readonly pod: string; readonly priority: number }[];
  /** How many victims a disruption budget protects. */
  readonly violations: number;
  /** What candidates are compared by, from the first criterion on; less is better. */
  readonly compared: readonly Compared[];
}

/** Why no room is made: preemption is switched off, an extender fails, the pod's policy is `Never`, or pods are leaving for it already. */
export type PreemptionBar = 'profile' | 'extender' | 'policy' | 'leaving';

export interface PreemptionStory {
  /** Absent where room may be made. */
  readonly barredBy?: PreemptionBar;
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

/** Evaluates every filter on every node, asks extenders about those that fit, and scores those that the scheduler would score. */
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

/** What every filter says of one node; undefined where there is no such node. */
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

/** What extenders say of a node that suits the filters, up to the one that leaves it out. */
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

/** On which node room would be made for a pod that fits nowhere, and whose. */
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
  // Like in the scheduler, an extender that fails here only keeps room from being made.
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
