/** What is known of one request, and the least that every stage may use of the server. It imports no stage. */
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

/** Settings as the server's stages read them. */
export interface Settings {
  readonly gate: (name: string) => boolean;
  /** A flag's value as text; its default where it was not given; undefined where it has none. */
  readonly flag: (name: string) => string | undefined;
}

/** What the server is built on. A stage that needs more declares it beside its functions, as an extension of this. */
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

/** One request while it is handled. `S` is what the holder may use of the server. */
export interface RequestContext<S extends Core = Core> {
  readonly server: S;
  readonly id: string;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  /** Undefined for a request that may go on for as long as its client wants. */
  readonly deadline: Deadline | undefined;
  readonly user: UserInfo;
  readonly userAgent: string;
  /** Texts for Warning headers, in the order in which they came up. */
  readonly warnings: Set<string>;
  /** What is kept of this request; undefined where the audit policy wants nothing. */
  readonly audit: AuditRecord | undefined;
  /** Whether the request came from outside the cluster's own components. Then its bodies are traced. */
  readonly fromOutside: boolean;
  /** Whether what the client sent has empty lists or maps, for kinds to which this is a change (see `Rules.emptyCounts`). */
  sentEmpties?: boolean;
  /** The same of byte strings (see `Rules.emptyBytesCount`). */
  sentEmptyBytes?: boolean;
  /** Whether the request is about an object so large that it is handled in steps: then other tasks run between two passes over it. */
  isLarge?: boolean;
  /** The body, once it was read: a write that is judged again needs it again. */
  body?: Uint8Array;
  /** The object in what the client sent, before decoding; the result of a patch where it sent one. */
  sent?: unknown;
}

/** What rules may know, for this request. */
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

/** An object of this many bytes may have so many fields that each pass over them is felt. */
const LARGE = 64 * 1024;

/** Notes that the request is about an object of this size, in bytes or characters. */
export function noteSize(context: RequestContext, size: number): void {
  if (size > LARGE) context.isLarge = true;
}
