/** Every decision of the cluster, as typed events. Panels read them; the core does not know the listeners. */

export interface TraceBase {
  /** Milliseconds since the epoch, by the cluster's clock. */
  readonly at: number;
}

/** A change that woke a control loop. */
export interface Waking {
  /** Such as `ReplicaSet default/web added`. */
  readonly why: string;
  /** The revision of the change; missing if unknown. */
  readonly revision?: number;
}

/** A run of a control loop during which a request was sent, and the changes that had woken it. */
export interface Cause {
  /** The loop's name. */
  readonly controller: string;
  readonly key: string;
  /** The latest changes; empty if the run was scheduled by time. */
  readonly woken: readonly Waking[];
}

/** A stage of a request; all events of a request share `request`. */
export type RequestEvent = TraceBase & { readonly topic: 'request'; readonly request: string } & (
    | {
        readonly stage: 'received';
        readonly method: string;
        readonly url: string;
        readonly headers: readonly (readonly [string, string])[];
        readonly origin: string;
        /** The causes of the request; several if several runs of its loops are active. */
        readonly causes?: readonly Cause[];
      }
    | {
        readonly stage: 'authentication';
        readonly user?: string;
        readonly groups?: readonly string[];
        readonly attempts: readonly {
          readonly method: string;
          readonly outcome: 'passed' | 'accepted' | 'refused';
          readonly why: string;
        }[];
      }
    | {
        readonly stage: 'impersonation';
        readonly from: string;
        readonly user: string;
        readonly groups: readonly string[];
      }
    | {
        readonly stage: 'flow';
        /** Both are empty if only the number of requests in flight is limited. */
        readonly flowSchema: string;
        readonly priorityLevel: string;
        /** `executed`, `exempt`, or the reason of a refusal. */
        readonly outcome: string;
        readonly admitted: boolean;
        readonly detail: FlowDetail;
      }
    | {
        readonly stage: 'authorization';
        readonly allowed: boolean;
        readonly attributes: unknown;
        readonly verdicts: readonly unknown[];
      }
    | { readonly stage: 'object'; readonly after: string; readonly object: unknown }
    | {
        readonly stage: 'admission';
        readonly plugin: string;
        readonly phase: 'mutating' | 'validating';
        readonly outcome: 'unchanged' | 'changed' | 'refused';
        readonly detail?: unknown;
        readonly patch?: readonly unknown[];
      }
    | {
        /** Consecutive admission plugins that neither changed nor refused the object. */
        readonly stage: 'idle';
        readonly phase: 'mutating' | 'validating';
        readonly plugins: readonly string[];
      }
    | {
        /** A webhook was called; precedes the outcome of its plugin. */
        readonly stage: 'webhook';
        readonly configuration: string;
        readonly webhook: string;
        readonly outcome: 'allowed' | 'changed' | 'refused' | 'failed';
        /** The review and the answer, if any, without secrets. */
        readonly review?: unknown;
        readonly answer?: unknown;
        /** Why it failed or refused. */
        readonly why?: string;
        /** A failure that the webhook's policy ignores. */
        readonly ignored?: boolean;
        readonly ms: number;
      }
    | { readonly stage: 'validation'; readonly errors: readonly unknown[] }
    | { readonly stage: 'stored'; readonly key: string; readonly revision: number; readonly verb: string }
    | {
        readonly stage: 'answered';
        readonly status: number;
        readonly ms: number;
        readonly headers: readonly (readonly [string, string])[];
        readonly bodyBytes?: number;
      }
    | { readonly stage: 'closed'; readonly why: string }
  );

/** What the short form of a stage leaves out, by the stage. */
export interface LeftOut {
  readonly authentication: 'attempts';
  readonly flow: 'detail';
  readonly authorization: 'verdicts';
  readonly admission: 'patch';
  readonly idle: 'plugins';
  readonly webhook: 'review' | 'answer';
  readonly answered: 'headers';
}

type InShort<E extends RequestEvent> = E extends { readonly stage: keyof LeftOut } ? Omit<E, LeftOut[E['stage']]> : E;

/**
 * A stage of a request in short, as lists of requests need it. It has only the headers by which clients say who they
 * are, and only the kind and name of objects.
 */
export type BriefStage = InShort<RequestEvent>;

/** A request with everything that was traced of it. */
export interface WholeRequest {
  readonly stages: readonly RequestEvent[];
  readonly bodies: readonly BodyEvent[];
}

/** One watch that was notified of a revision. */
export interface Delivery {
  /** The watch's request. */
  readonly request: string;
  readonly user: string;
  readonly userAgent: string;
  /** What the change is to this watcher: ADDED, MODIFIED, DELETED. */
  readonly type: string;
  readonly at: number;
}

/** The seats when a request got one or was refused. */
export interface FlowDetail {
  /** The queue that it came from. */
  readonly queue?: number | undefined;
  /** Milliseconds. */
  readonly waited?: number | undefined;
  /** The limit and the running and waiting requests of the level, or of the kind of request. */
  readonly seats?: { readonly limit: number; readonly executing: number; readonly waiting: number } | undefined;
}

/** The body of a request from outside of the cluster, or of its response. */
export type BodyEvent = TraceBase & {
  readonly topic: 'body';
  readonly request: string;
  readonly of: 'request' | 'answer';
  readonly contentType: string;
  readonly bytes: number;
  /** As JSON or YAML without secrets; missing if it is too large or unreadable. */
  readonly text?: string | undefined;
};

/** The events of a watch: opened, each delivery, bookmarks, its end. */
export type WatchEvent = TraceBase & {
  readonly topic: 'watch';
  readonly request: string;
  readonly what: 'opened' | 'delivered' | 'bookmark' | 'closed';
  readonly revision: number;
  readonly backlog: number;
  /** The watching user. */
  readonly user: string;
  readonly userAgent: string;
  /** The sent events after selectors: the revision and type of each change. */
  readonly sent?: readonly { readonly revision: number; readonly type: string }[];
  readonly detail?: unknown;
};

/** The scheduler's events for one pod. */
export type SchedulingEvent = TraceBase & {
  readonly topic: 'scheduling';
  readonly pod: string;
  readonly uid: string;
} & (
    | {
        /** A pod enters a queue, or leaves them: `popped` to be tried, `removed` permanently. */
        readonly what: 'queued' | 'popped' | 'backoff' | 'unschedulable' | 'moved' | 'removed';
        readonly why: string;
        readonly attempts: number;
        readonly priority: number;
        /** When its back-off ends, in milliseconds since the epoch. */
        readonly until?: number;
      }
    | {
        readonly what: 'filtered';
        readonly nodes: readonly {
          readonly node: string;
          readonly plugin?: string;
          readonly reasons: readonly string[];
        }[];
      }
    | {
        readonly what: 'scored';
        readonly nodes: readonly {
          readonly node: string;
          readonly total: number;
          readonly scores: Readonly<Record<string, number>>;
        }[];
      }
    | { readonly what: 'bound'; readonly node: string }
    | { readonly what: 'preempting'; readonly node: string; readonly victims: readonly string[] }
    | { readonly what: 'failed'; readonly why: string }
  );

/** One run of a control loop for one key. */
export type ReconcileEvent = TraceBase & {
  readonly topic: 'reconcile';
  readonly controller: string;
  readonly key: string;
  readonly what: 'woken' | 'planned' | 'done' | 'failed' | 'requeued';
  readonly why?: string;
  readonly plan?: readonly unknown[];
  /** At the end of the run: the revisions of the caches when it started, by the cache's path. */
  readonly read?: Readonly<Record<string, string>>;
};

export type CollectorEvent = TraceBase & {
  readonly topic: 'gc';
  readonly object: string;
  readonly what: 'orphaned' | 'deleted' | 'waiting' | 'absent-owner';
  readonly why: string;
};

/**
 * Leases or reports of many nodes, many events, many pods of one draft, or bindings or statuses of many pods, that were written
 * together, and are therefore not traced as requests.
 */
export type TogetherEvent = TraceBase & {
  readonly topic: 'together';
  readonly what: 'renewals' | 'reports' | 'events' | 'pods' | 'bindings' | 'statuses';
  readonly count: number;
  /** The revision of the last one. */
  readonly revision: number;
};

/** Events of the simulated nodes. */
export type NodeEvent = TraceBase & {
  readonly topic: 'node';
  readonly node: string;
  readonly pod?: string;
  readonly what: string;
  readonly detail?: unknown;
};

/** One end of a connection in the simulated network. */
export interface FlowEnd {
  readonly address: string;
  /** `namespace/name`. */
  readonly pod?: string;
  readonly node?: string;
}

/** A connection, or the first datagram of an exchange, that a program attempted in the simulated network. */
export type FlowEvent = TraceBase & {
  readonly topic: 'flow';
  readonly from: FlowEnd;
  /** The receiver, or intended receiver; missing if there is none. */
  readonly to?: FlowEnd;
  /** The name or address that the program used. */
  readonly asked: string;
  /** The port that the program used. */
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  /** The service that forwarded it: `namespace/name`. */
  readonly service?: string;
  readonly outcome: 'delivered' | 'no such name' | 'refused' | 'timed out' | 'not found';
  /** Why it was not delivered. */
  readonly reason?: string;
  /** If policies denied it: the direction, and the policies that isolate the pod (`namespace/name`). */
  readonly denied?: { readonly direction: 'Ingress' | 'Egress'; readonly policies: readonly string[] };
  /** The number of similar connections that this represents; more than one only if there are very many. */
  readonly count: number;
};

/** An uncaught error, which is a bug. What it interrupted may be missing; everything else continues. */
export type ProblemEvent = TraceBase & { readonly topic: 'problem'; readonly message: string; readonly stack?: string };

/** An audit event as sent to the backends. */
export type AuditTraceEvent = TraceBase & { readonly topic: 'audit'; readonly event: unknown };

/** One call of a user-written webhook, without secrets. */
export interface WebhookCall {
  /** A counter within one run of the cluster. */
  readonly id: number;
  readonly webhook: { readonly namespace: string; readonly name: string };
  readonly url: string;
  /** The kind of the review, such as `AdmissionReview`; empty if it is not a review. */
  readonly kind: string;
  readonly review: unknown;
  readonly outcome: 'answered' | 'failed';
  /** The HTTP status; missing without an answer. */
  readonly status?: number;
  readonly answer?: unknown;
  /** Why there is no answer. */
  readonly why?: string;
  /** The console output of the code. */
  readonly logs: readonly string[];
  /** Milliseconds since the epoch, by the cluster's clock. */
  readonly began: number;
  readonly ms: number;
}

export type WebhookEvent = TraceBase & WebhookCall & { readonly topic: 'webhook' };

export type TraceEvent =
  | RequestEvent
  | BodyEvent
  | WatchEvent
  | SchedulingEvent
  | ReconcileEvent
  | CollectorEvent
  | TogetherEvent
  | NodeEvent
  | FlowEvent
  | ProblemEvent
  | AuditTraceEvent
  | WebhookEvent;
export type Topic = TraceEvent['topic'];

/** What the request log passes on as it happens: stages, responses to requests that a stage refused, writes together. */
export type BriefEvent = BriefStage | BodyEvent | TogetherEvent;

/** The event for an uncaught error. */
export function problemEvent(error: unknown): Untimed<ProblemEvent> {
  if (!(error instanceof Error)) return { topic: 'problem', message: String(error) };
  return { topic: 'problem', message: error.message, ...(error.stack ? { stack: error.stack } : {}) };
}

/** An event without its time, as callers pass it. */
export type Untimed<E> = E extends TraceEvent ? Omit<E, 'at'> : never;
