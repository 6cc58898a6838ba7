/** Every decision that the cluster takes, as typed events. Panels read them; the core never knows who listens. */

export interface TraceBase {
  /** Milliseconds since the epoch, by the cluster's clock. */
  readonly at: number;
}

/** A change that woke a control loop. */
export interface Waking {
  /** Such as `ReplicaSet default/web added`. */
  readonly why: string;
  /** The revision of the change; absent where no single one is known. */
  readonly revision?: number;
}

/** A run of a control loop that was under way when a request was sent, and the changes that had woken it. */
export interface Cause {
  /** The loop's name. */
  readonly controller: string;
  readonly key: string;
  /** The latest of them; empty where the loop looks again after a while. */
  readonly woken: readonly Waking[];
}

/** A stage of one request's way; all events of a request share `request`. */
export type RequestEvent = TraceBase & { readonly topic: 'request'; readonly request: string } & (
    | {
        readonly stage: 'received';
        readonly method: string;
        readonly url: string;
        readonly headers: readonly (readonly [string, string])[];
        readonly origin: string;
        /** What its sender reacts to: more than one where several runs of its loops are under way. */
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
        /** Both empty where only the number of requests in flight counts. */
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
        /** A webhook was asked; comes before the outcome of the plugin that asked it. */
        readonly stage: 'webhook';
        readonly configuration: string;
        readonly webhook: string;
        readonly outcome: 'allowed' | 'changed' | 'refused' | 'failed';
        /** What it was asked and what it answered, where it came to that; without secrets. */
        readonly review?: unknown;
        readonly answer?: unknown;
        /** Why it failed or refused. */
        readonly why?: string;
        /** A failure that the webhook's policy is to pass over. */
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

/** How it stood with the seats when a request was given one, or none. */
export interface FlowDetail {
  /** The queue that it went through. */
  readonly queue?: number | undefined;
  /** Milliseconds. */
  readonly waited?: number | undefined;
  /** How many may run, run and wait: at its level, or of its kind. */
  readonly seats?: { readonly limit: number; readonly executing: number; readonly waiting: number } | undefined;
}

/** A body of a request from outside of the cluster, or of its answer. */
export type BodyEvent = TraceBase & {
  readonly topic: 'body';
  readonly request: string;
  readonly of: 'request' | 'answer';
  readonly contentType: string;
  readonly bytes: number;
  /** As JSON or YAML, without secrets; absent where it is too large, or nothing that could be read. */
  readonly text?: string;
};

/** A watch's life: opened, each delivery, bookmarks, its end. */
export type WatchEvent = TraceBase & {
  readonly topic: 'watch';
  readonly request: string;
  readonly what: 'opened' | 'delivered' | 'bookmark' | 'closed';
  readonly revision: number;
  readonly backlog: number;
  /** Who watches. */
  readonly user: string;
  readonly userAgent: string;
  /** What was put on the way to the watcher, after its selectors: the revision of each change, and what it is to them. */
  readonly sent?: readonly { readonly revision: number; readonly type: string }[];
  readonly detail?: unknown;
};

/** The scheduler at work on one pod. */
export type SchedulingEvent = TraceBase & {
  readonly topic: 'scheduling';
  readonly pod: string;
  readonly uid: string;
} & (
    | {
        /** A pod enters a queue, or leaves them: `popped` to be tried, `removed` for good. */
        readonly what: 'queued' | 'popped' | 'backoff' | 'unschedulable' | 'moved' | 'removed';
        readonly why: string;
        readonly attempts: number;
        readonly priority: number;
        /** When its backoff ends, in milliseconds since the epoch. */
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

/** One run of a control loop over one key. */
export type ReconcileEvent = TraceBase & {
  readonly topic: 'reconcile';
  readonly controller: string;
  readonly key: string;
  readonly what: 'woken' | 'planned' | 'done' | 'failed' | 'requeued';
  readonly why?: string;
  readonly plan?: readonly unknown[];
  /** Once it has ended: the revisions at which it began to read each cache, by the cache's path. */
  readonly read?: Readonly<Record<string, string>>;
};

export type CollectorEvent = TraceBase & {
  readonly topic: 'gc';
  readonly object: string;
  readonly what: 'orphaned' | 'deleted' | 'waiting' | 'absent-owner';
  readonly why: string;
};

/** What the simulated nodes do. */
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

/** A connection, or the first datagram of an exchange, that a program tried to make in the simulated network. */
export type FlowEvent = TraceBase & {
  readonly topic: 'flow';
  readonly from: FlowEnd;
  /** Who received it, or would have; absent where it led to nobody. */
  readonly to?: FlowEnd;
  /** The name or address that the program asked for. */
  readonly asked: string;
  /** The port that the program asked for. */
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  /** The service that forwarded it: `namespace/name`. */
  readonly service?: string;
  readonly outcome: 'delivered' | 'no such name' | 'refused' | 'timed out' | 'not found';
  /** Why it was not delivered. */
  readonly reason?: string;
  /** Where policies denied it: on which side, and the policies that isolate the pod there (`namespace/name`). */
  readonly denied?: { readonly direction: 'Ingress' | 'Egress'; readonly policies: readonly string[] };
  /** How many connections alike this stands for: more than one only where there are very many. */
  readonly count: number;
};

/** An error that nothing caught: a mistake of the program. What it stopped may be missing; the rest goes on. */
export type ProblemEvent = TraceBase & { readonly topic: 'problem'; readonly message: string; readonly stack?: string };

/** An audit event as its backends got it. */
export type AuditTraceEvent = TraceBase & { readonly topic: 'audit'; readonly event: unknown };

/** One call of a webhook that a person wrote; secrets are taken out of what is shown. */
export interface WebhookCall {
  /** Counts up within one run of the cluster. */
  readonly id: number;
  readonly webhook: { readonly namespace: string; readonly name: string };
  readonly url: string;
  /** The kind of the review, such as `AdmissionReview`; empty where it is none. */
  readonly kind: string;
  readonly review: unknown;
  readonly outcome: 'answered' | 'failed';
  /** The HTTP status; absent where no answer came about. */
  readonly status?: number;
  readonly answer?: unknown;
  /** Why no answer came about. */
  readonly why?: string;
  /** What the code wrote to its console. */
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
  | NodeEvent
  | FlowEvent
  | ProblemEvent
  | AuditTraceEvent
  | WebhookEvent;
export type Topic = TraceEvent['topic'];

/** The event for an error that nothing caught. */
export function problemEvent(error: unknown): Untimed<ProblemEvent> {
  if (!(error instanceof Error)) return { topic: 'problem', message: String(error) };
  return { topic: 'problem', message: error.message, ...(error.stack ? { stack: error.stack } : {}) };
}

/** An event without its time, as the places that decide hand it in. */
export type Untimed<E> = E extends TraceEvent ? Omit<E, 'at'> : never;
