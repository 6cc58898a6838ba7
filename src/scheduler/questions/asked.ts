/** Questions that people ask the scheduler, answered from its current state. Answers are plain data. */
import type { Pod } from '../../client/index.ts';
import { roomOf, type Decision } from '../decisions.ts';
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
export interface Asked {
  readonly pod: string | Pod;
  readonly draft?: Draft;
  /** From the nodes as they stood when the pod was decided about, or when room was made for it, rather than as they are. */
  readonly then?: 'decided' | 'room';
}

/** What came of one node: the first refusal, or its scores. */
export interface NodeRow {
  readonly node: string;
  readonly zone: string;
  readonly first?: { readonly plugin: string; readonly reasons: readonly string[]; readonly resolvable: boolean };
  readonly fits: boolean;
  /** It fits only as long as nominated pods don't come. */
  readonly isReserved: boolean;
  readonly scores?: readonly ScorePart[];
  readonly total?: number;
}

/** Where a pod goes, and why. */
export interface Placement extends Omit<Explanation, 'nodes'> {
  readonly profile: string;
  /** When the nodes stood as they were looked at, in milliseconds since the epoch. */
  readonly at: number;
  /** What the scheduler decided about the pod, where it is remembered. */
  readonly taken?: Pick<Decision, 'at' | 'node' | 'why'> & {
    /** Where and when room was made for it. */
    readonly room?: { readonly node: string; readonly at: number };
  };
  /** The filters in the order in which they are asked. */
  readonly filters: readonly string[];
  readonly nodes: readonly NodeRow[];
  /** The events that could help the pod, where it fits nowhere. */
  readonly wakes: readonly string[];
}

export interface SchedulingQuestions {
  overview(): Overview;
  /** The placement of a pod: filters, scores, best nodes, and victims of a preemption. */
  explain(asked: Asked): Promise<Placement>;
  /** What every filter says of one node, with the numbers behind it. */
  verdicts(asked: Asked, node: string): Promise<readonly Verdict[]>;
  /** At which value of a number another node wins. */
  tipping(asked: Asked, knob: Knob): Promise<Tipping>;
  /** Small changes that would give a node to a pod that fits nowhere. */
  remedies(asked: Asked): Promise<readonly Remedy[]>;
  /** How many pods like this one fit, and what the next one lacks. */
  fit(asked: Asked, limit?: number): Promise<Fit>;
  /** What becomes of a node's pods when it is drained. */
  drain(node: string, draft?: Draft): Promise<readonly DrainOutcome[]>;
}

/** The same questions asked over the wire; one that can't be answered throws an error that says why. */
export type RemoteQuestions = Omit<SchedulingQuestions, 'overview'> & {
  /** Calls back with how full the cluster is and who waits, now and whenever that changes; returns what ends it. */
  follow(listener: (overview: Overview) => void): () => void;
};

/** A question that can't be answered as it was asked. */
export class QuestionError extends Error {
  override name = 'QuestionError';
}

/** So many replicas are placed one after the other at most; fewer where somebody outside is asked about each. */
const MOST_REPLICAS = 1_000;
const MOST_REPLICAS_OUTSIDE = 100;

/** Answers from what the scheduler knows; extenders are asked as the scheduler asks them, unless `asksExtenders` is false. */
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
  /** When the nodes stood as the situation has them. */
  readonly at: number;
  readonly taken: Decision | undefined;
}

/** The situation and the pod, as the draft has them; a pod that has its node is looked at as if it had none yet. */
function about(now: SchedulerNow, { pod: asked, draft = {}, then }: Asked): About {
  const present = typeof asked === 'string' ? now.pod(asked) : asked;
  if (!present) throw new QuestionError(`there is no pod ${String(asked)}`);
  const pod = draft.pod ?? present;
  const profile = profileNamed(now, draft.profile ?? pod.spec.schedulerName);
  const taken = now.decisionAbout(present);
  const past = then === 'room' ? roomOf(taken) : then && taken;
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

/** As the nodes stood then; claims, volumes, services and budgets are as they are now, and extenders answer now. */
function situationThen(now: SchedulerNow, { plugins, asksAll, preemption }: Profile, past: Decision): Situation {
  const { listers, budgets, percentage, extenders } = now;
  const { nodes, start, reserved } = past;
  return {
    ...{ snapshot: new Snapshot(nodes), listers, plugins, asksAll, budgets, percentage, start, preemption, extenders },
    reservedOn: (node, pod) =>
      (reserved.get(node) ?? []).filter(({ uid, priority }) => uid !== pod.uid && priority >= pod.priority),
  };
}

async function placementOf(now: SchedulerNow, asked: Asked): Promise<Placement> {
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

/** Those that were asked about the most nodes: extenders are asked only about nodes that suit all filters. */
function filtersOf(nodes: readonly NodeExplanation[]): readonly string[] {
  const most = nodes.reduce<readonly Verdict[]>((m, { verdicts }) => (verdicts.length > m.length ? verdicts : m), []);
  return most.map(({ plugin }) => plugin);
}

const firstOf = (verdicts: readonly Verdict[]): Verdict | undefined => verdicts.find(({ isFirst }) => isFirst);

function takenOf(decision: Decision): NonNullable<Placement['taken']> {
  const { at, node, why } = decision;
  const room = roomOf(decision);
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
