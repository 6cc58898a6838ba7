/** What the page asks of the scheduler: the forms of questions and answers, as the host carries them. */
import type { ApiObject } from '../schema/index.ts';

/** A change that nobody has made; what it doesn't name stays as it is. */
export interface SchedulingDraft {
  /** The pod as it would be. */
  readonly pod?: ApiObject;
  /** Nodes as they would be; those whose names are new would come. */
  readonly nodes?: readonly ApiObject[];
  readonly withoutNodes?: readonly string[];
  /** Pods that would go, as `namespace/name`. */
  readonly withoutPods?: readonly string[];
  readonly profile?: string;
  readonly weights?: Readonly<Record<string, number>>;
}

export interface SchedulingAsked {
  /** A pod as `namespace/name`, or one that nobody made. */
  readonly pod: string | ApiObject;
  readonly draft?: SchedulingDraft;
  /** From the nodes as they stood when the pod was decided about. */
  readonly then?: boolean;
}

export type Facts = readonly Readonly<Record<string, string | number | boolean>>[];

export interface Verdict {
  readonly plugin: string;
  /** Why it refuses the node; empty where it doesn't. */
  readonly reasons: readonly string[];
  readonly isFirst: boolean;
  readonly facts: Facts;
}

export interface ScorePart {
  readonly plugin: string;
  readonly raw: number;
  readonly normalized: number;
  readonly weight: number;
  readonly weighted: number;
}

export interface NodeRow {
  readonly node: string;
  readonly zone: string;
  /** The first filter that refuses the node; `resolvable` where the pod could go there if others went away. */
  readonly first?: { readonly plugin: string; readonly reasons: readonly string[]; readonly resolvable: boolean };
  readonly fits: boolean;
  /** It fits only as long as nominated pods don't come. */
  readonly isReserved: boolean;
  readonly scores?: readonly ScorePart[];
  readonly total?: number;
}

export interface PreemptionCandidate {
  readonly node: string;
  readonly victims: readonly { readonly pod: string; readonly priority: number }[];
  /** How many victims a disruption budget protects. */
  readonly violations: number;
  readonly compared: readonly { readonly criterion: string; readonly value: number }[];
}

export interface PreemptionStory {
  readonly isAllowed: boolean;
  readonly candidates: readonly PreemptionCandidate[];
  readonly node?: string;
  readonly decidedBy?: string;
}

/** Where a pod goes, and why. */
export interface Placement {
  readonly pod: string;
  readonly profile: string;
  readonly at: number;
  /** What the scheduler decided, where it is remembered. */
  readonly taken?: { readonly at: number; readonly node?: string; readonly why?: string; readonly nominated?: string };
  readonly filters: readonly string[];
  readonly nodes: readonly NodeRow[];
  readonly winners: readonly string[];
  readonly refusedEverywhere?: { readonly plugin: string; readonly reasons: readonly string[] };
  readonly why?: string;
  readonly preemption?: PreemptionStory;
  /** The events that could help, where it fits nowhere. */
  readonly wakes: readonly string[];
}

export type Knob = { readonly of: 'cpu' | 'memory' | 'priority' } | { readonly of: 'weight'; readonly plugin: string };

export interface Turn {
  /** CPU in thousandths of a core, memory in bytes. */
  readonly value: number;
  readonly winners: readonly string[];
}

/** The value now, and the nearest ones at which others win. */
export interface Tipping {
  readonly now: Turn;
  readonly below?: Turn;
  readonly above?: Turn;
}

/** A small change that would give the pod a node. */
export interface Remedy {
  readonly title: string;
  readonly draft: SchedulingDraft;
  readonly winners: readonly string[];
}

export interface Fit {
  readonly count: number;
  readonly byNode: Readonly<Record<string, number>>;
  /** What keeps the next one from fitting. */
  readonly bottleneck?: string;
}

export type DrainOutcome = { readonly pod: string } & (
  | { readonly what: 'moves'; readonly to: string }
  | { readonly what: 'has-no-place'; readonly why: string }
  | { readonly what: 'blocked'; readonly by: string }
  | { readonly what: 'stays' | 'is-lost' }
);

/** What the pods of one owner request of a node; an empty owner stands for all the others. */
export interface Share {
  readonly owner: string;
  readonly namespace: string;
  readonly pods: number;
  /** In the order of the node's resources. */
  readonly amounts: readonly number[];
}

export interface NodeTile {
  readonly node: string;
  readonly zone: string;
  readonly unschedulable: boolean;
  readonly taints: readonly string[];
  readonly resources: readonly { readonly name: string; readonly allocatable: number; readonly requested: number }[];
  readonly shares: readonly Share[];
}

export interface QueuedPod {
  readonly pod: string;
  readonly uid: string;
  readonly priority: number;
  readonly attempts: number;
  /** When it came into its lane, and when its backoff ends; in milliseconds since the epoch. */
  readonly since: number;
  readonly until?: number;
  readonly reason?: string;
  readonly wakes?: readonly string[];
}

export interface LaneView {
  readonly count: number;
  readonly first: readonly QueuedPod[];
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
}

export interface SchedulingProfile {
  readonly name: string;
  readonly filters: readonly string[];
  readonly scores: readonly { readonly plugin: string; readonly weight: number }[];
}

export interface SchedulingOverview {
  readonly at: number;
  readonly nodes: readonly NodeTile[];
  readonly lanes: Readonly<Record<'active' | 'backoff' | 'unschedulable', LaneView>>;
  readonly profiles: readonly SchedulingProfile[];
}

/** Questions about scheduling. One that can't be answered throws an error that says why. */
export interface SchedulingControl {
  explain(asked: SchedulingAsked): Promise<Placement>;
  verdicts(asked: SchedulingAsked, node: string): Promise<readonly Verdict[]>;
  tipping(asked: SchedulingAsked, knob: Knob): Promise<Tipping>;
  remedies(asked: SchedulingAsked): Promise<readonly Remedy[]>;
  fit(asked: SchedulingAsked, limit?: number): Promise<Fit>;
  drain(node: string, draft?: SchedulingDraft): Promise<readonly DrainOutcome[]>;
  /** Calls back with how full the cluster is and who waits, now and whenever that changes; returns what ends it. */
  follow(listener: (overview: SchedulingOverview) => void): () => void;
}
