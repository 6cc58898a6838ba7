/** Questions that people ask the scheduler, answered from its current state. Answers are plain data. */
import type { Pod } from '../../client/index.ts';
import { preemptionDecisionOf, type Decision } from '../decisions.ts';
import type { Profile } from '../config/index.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { Snapshot } from '../framework/snapshot.ts';
import type { SchedulerNow } from '../scheduler.ts';
import { asIfWaiting, situationWith, type Draft } from './draft.ts';
import {
  explainNode,
  explainPlacement,
  type Explanation,
  type NodeExplanation,
  type ScorePart,
  type Verdict,
} from './explainPlacement.ts';
import { overviewOf, zoneNameOf, type Overview } from './overview.ts';
import { howManyFit, rehearseDrain, type DrainOutcome, type Fit } from './rehearse.ts';
import { remediesFor, type Remedy } from './remedies.ts';
import type { Situation } from './situation.ts';
import { tippingPoints, type Knob, type Tipping } from './tipping.ts';
import { wakingEvents } from './wakingEvents.ts';

/** The pod in question: an existing one as `namespace/name`, or one that does not exist. */
export interface PodQuestion {
  readonly pod: string | Pod;
  readonly draft?: Draft;
  /**
   * Uses the nodes as they were when the pod was decided or when pods were preempted for it, instead of the current
   * ones.
   */
  readonly then?: 'decided' | 'room';
}

/** The result for one node: the first rejection, or its scores. */
export interface NodeRow {
  readonly node: string;
  readonly zone: string;
  readonly first?: { readonly plugin: string; readonly reasons: readonly string[]; readonly resolvable: boolean };
  readonly fits: boolean;
  /** It fits only if nominated pods are not scheduled. */
  readonly isReserved: boolean;
  readonly scores?: readonly ScorePart[];
  readonly total?: number;
}

/** The node of a pod, and why. */
export interface Placement extends Omit<Explanation, 'nodes'> {
  readonly profile: string;
  /** The time of the nodes' state, in milliseconds since the epoch. */
  readonly at: number;
  /** The scheduler's decision about the pod, if it is still stored. */
  readonly taken?: Pick<Decision, 'at' | 'node' | 'why'> & {
    /** Where and when pods were preempted for it. */
    readonly room?: { readonly node: string; readonly at: number };
  };
  /** The filters in execution order. */
  readonly filters: readonly string[];
  readonly nodes: readonly NodeRow[];
  /** The events that could help the pod, if it fits nowhere. */
  readonly wakes: readonly string[];
}

export interface SchedulingQuestions {
  overview(): Overview;
  /** The placement of a pod: filters, scores, best nodes, and victims of a preemption. */
  explain(asked: PodQuestion): Promise<Placement>;
  /** The result of every filter for one node, with the numbers behind it. */
  verdicts(asked: PodQuestion, node: string): Promise<readonly Verdict[]>;
  /** The value of a number at which another node wins. */
  tipping(asked: PodQuestion, knob: Knob): Promise<Tipping>;
  /** Small changes that would make the pod schedulable. */
  remedies(asked: PodQuestion): Promise<readonly Remedy[]>;
  /** How many pods like this one fit, and what limits the next one. */
  fit(asked: PodQuestion, limit?: number): Promise<Fit>;
  /** What happens to a node's pods when it is drained. */
  drain(node: string, draft?: Draft): Promise<readonly DrainOutcome[]>;
}

/** The same questions over the wire; a question that can't be answered throws an error with the reason. */
export type RemoteQuestions = Omit<SchedulingQuestions, 'overview'> & {
  /** Calls the listener with the overview, now and on every change; returns a function that stops it. */
  follow(listener: (overview: Overview) => void): () => void;
};

/** An invalid question. */
export class QuestionError extends Error {
  override name = 'QuestionError';
}

/** The maximum number of replicas to place; fewer if an extender is called for each. */
const MOST_REPLICAS = 1_000;
const MOST_REPLICAS_OUTSIDE = 100;

/** Answers from the scheduler's state. Extenders are called as in scheduling, unless `asksExtenders` is false. */
export function questionsOf(current: () => SchedulerNow, { asksExtenders = true } = {}): SchedulingQuestions {
  const now = (): SchedulerNow => (asksExtenders ? current() : { ...current(), extenders: [] });
  return {
    overview: () => overviewOf(current(), asksExtenders),
    explain: async (asked) => placementOf(now(), asked),
    verdicts: async (asked, node) => {
      const { situation, pod } = about(now(), asked);
      return (await explainNode(situation, pod, node))?.verdicts ?? [];
    },
    tipping: async (asked, knob) => {
      const { situation, pod } = about(now(), asked);
      return tippingPoints(situation, pod, knob);
    },
    remedies: async (asked) => {
      const { situation, pod } = about(now(), asked);
      return remediesFor(situation, pod);
    },
    fit: async (asked, limit = MOST_REPLICAS) => {
      const { situation, pod } = about(now(), asked);
      const most = situation.extenders?.length ? MOST_REPLICAS_OUTSIDE : MOST_REPLICAS;
      return howManyFit(situation, pod, Math.min(limit, most));
    },
    drain: async (node, draft = {}) => {
      const there = now();
      const profile = profileNamed(there, draft.profile);
      return rehearseDrain(situationWith(situationOf(there, profile), draft), node);
    },
  };
}

interface About {
  readonly situation: Situation;
  readonly pod: Pod;
  readonly profile: Profile;
  /** The time of the nodes' state. */
  readonly at: number;
  readonly taken: Decision | undefined;
}

/** The situation and the pod, with the draft applied; a scheduled pod is treated as unscheduled. */
function about(now: SchedulerNow, { pod: asked, draft = {}, then }: PodQuestion): About {
  const present = typeof asked === 'string' ? now.pod(asked) : asked;
  if (!present) throw new QuestionError(`there is no pod ${String(asked)}`);
  const pod = draft.pod ?? present;
  const profile = profileNamed(now, draft.profile ?? pod.spec.schedulerName);
  const taken = now.decisionAbout(present);
  const past = then === 'room' ? preemptionDecisionOf(taken) : then && taken;
  const base = past ? situationThen(now, profile, past) : situationOf(now, profile);
  const waiting = asIfWaiting(base, { ...pod, spec: { ...pod.spec, ...nodeNameOf(present) } });
  const situation = situationWith(waiting.situation, draft);
  return { situation, pod: waiting.pod, profile, at: past?.at ?? now.at, taken };
}

const nodeNameOf = ({ spec: { nodeName } }: Pod): { nodeName?: string } => (nodeName ? { nodeName } : {});

function profileNamed({ profiles }: SchedulerNow, name?: string): Profile {
  const profile = name === undefined ? profiles.values().next().value : profiles.get(name);
  if (!profile) throw new QuestionError(`no profile of this scheduler is called "${name ?? ''}"`);
  return profile;
}

function situationOf(now: SchedulerNow, { plugins, asksAll, preemption }: Profile): Situation {
  const { cache, listers, budgets, percentage, start, nominations, extenders } = now;
  return {
    ...{ snapshot: cache.snapshot(), listers, plugins, asksAll, budgets, percentage, start, preemption, extenders },
    reservedOn: (node, pod) => nominations.reservedOn(node, pod),
  };
}

/**
 * Uses the nodes' past state; claims, volumes, services and budgets are current, and extenders answer for the present.
 */
function situationThen(now: SchedulerNow, { plugins, asksAll, preemption }: Profile, past: Decision): Situation {
  const { listers, budgets, percentage, extenders } = now;
  const { nodes, start, reserved } = past;
  return {
    ...{ snapshot: new Snapshot(nodes), listers, plugins, asksAll, budgets, percentage, start, preemption, extenders },
    reservedOn: (node, pod) =>
      (reserved.get(node) ?? []).filter(({ uid, priority }) => uid !== pod.uid && priority >= pod.priority),
  };
}

async function placementOf(now: SchedulerNow, asked: PodQuestion): Promise<Placement> {
  const { situation, pod, profile, at, taken } = about(now, asked);
  const { nodes, ...explained } = await explainPlacement(situation, pod);
  const infos = situation.snapshot.nodes;
  const refusedBy = new Set(nodes.flatMap(({ verdicts }) => firstOf(verdicts)?.plugin ?? []));
  const everywhere = explained.refusedEverywhere;
  if (everywhere) refusedBy.add(everywhere.plugin);
  return {
    ...explained,
    ...{ profile: profile.name, at },
    ...(taken && { taken: takenOf(taken) }),
    filters: filtersOf(nodes),
    nodes: nodes.map((node, i) => rowOf(node, zoneNameOf((infos[i] as NodeInfo).labels, now.listers.names))),
    wakes: explained.winners.length === 0 ? wakingEvents([...refusedBy]) : [],
  };
}

/** The longest list of filters: extenders are only called for nodes that pass all filters. */
function filtersOf(nodes: readonly NodeExplanation[]): readonly string[] {
  const most = nodes.reduce<readonly Verdict[]>((m, { verdicts }) => (verdicts.length > m.length ? verdicts : m), []);
  return most.map(({ plugin }) => plugin);
}

const firstOf = (verdicts: readonly Verdict[]): Verdict | undefined => verdicts.find(({ isFirst }) => isFirst);

function takenOf(decision: Decision): NonNullable<Placement['taken']> {
  const { at, node, why } = decision;
  const room = preemptionDecisionOf(decision);
  return {
    ...{ at, ...(node && { node }), ...(why && { why }) },
    ...(room?.nominated !== undefined && { room: { node: room.nominated, at: room.at } }),
  };
}

function rowOf({ verdicts, ...node }: NodeExplanation, zone: string): NodeRow {
  const first = firstOf(verdicts);
  return {
    ...{ ...node, zone },
    ...(first && {
      first: { plugin: first.plugin, reasons: first.reasons, resolvable: first.resolvable ?? false },
    }),
  };
}
