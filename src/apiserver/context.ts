/** The state of one request, and the minimal server interface that every stage may use. It imports no stage. */
import type { AuditRecord } from '../audit/index.ts';
import type { UserInfo } from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import type { RuleContext, Scheme } from '../schema/index.ts';
import type { Clock, Metrics, Random } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { Views } from './codec/views.ts';
import type { Deadline } from './stages/deadline.ts';
import type { RequestInfo } from './stages/requestInfo.ts';

/** Settings as the stages read them. */
export interface Settings {
  readonly gate: (name: string) => boolean;
  /** The text of a flag, or its default; undefined if it has neither. */
  readonly flag: (name: string) => string | undefined;
}

/** The base of the server. A stage that needs more declares an extension of it beside its functions. */
export interface Core extends Settings {
  readonly names: Names;
  readonly scheme: Scheme;
  readonly storage: Storage;
  readonly views: Views;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
}

/** One request while it is handled. `S` is the server interface that the holder may use. */
export interface RequestContext<S extends Core = Core> {
  readonly server: S;
  readonly id: string;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  /** Undefined for a long-running request. */
  readonly deadline: Deadline | undefined;
  readonly user: UserInfo;
  readonly userAgent: string;
  /** Texts for Warning headers, in order of occurrence. */
  readonly warnings: Set<string>;
  /** The audit record of this request; undefined if the audit policy records nothing. */
  readonly audit: AuditRecord | undefined;
  /** Whether the request came from outside the cluster's own components. If so, its bodies are traced. */
  readonly fromOutside: boolean;
  /** Whether the client sent empty lists or maps, for kinds where this is a change (see `Rules.emptyCounts`). */
  sentEmpties?: boolean;
  /** The same for byte strings (see `Rules.emptyBytesCount`). */
  sentEmptyBytes?: boolean;
  /**
   * Whether the request is about a large object, which is processed in steps: other tasks run between two passes over
   * it.
   */
  isLarge?: boolean;
  /** The body, once read: a write that is retried needs it again. */
  body?: Uint8Array;
  /** The object as the client sent it, before decoding; for a patch, its result. */
  sent?: unknown;
}

/** The rule context of this request. */
export function ruleContext(context: RequestContext): RuleContext {
  const { server, user, info } = context;
  return {
    names: server.names,
    gate: server.gate,
    flag: server.flag,
    user,
    now: server.clock.now(),
    requested: { group: info.group, version: info.version },
    sent: context.sent,
    uuid: () => server.random.uuid(),
  };
}

/** From this size in bytes on, an object may have so many fields that each pass over them takes noticeable time. */
const LARGE = 64 * 1024;

/** Records that the request is about an object of this size, in bytes or characters. */
export function noteSize(context: RequestContext, size: number): void {
  if (size > LARGE) context.isLarge = true;
}
