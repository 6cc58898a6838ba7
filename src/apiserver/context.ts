/** What every part of the API server is handed: the server's own parts, and what is known of one request. */
import type { Admission } from '../admission/index.ts';
import type { Auditor, AuditRecord } from '../audit/index.ts';
import type { AccountIssuer, Authentication, Connection, UserInfo } from '../authn/index.ts';
import type { Attributes, Authorization, PolicyIndex, RuleSummary } from '../authz/index.ts';
import type { Names } from '../names/index.ts';
import type { ApiObject, RuleContext, Scheme } from '../schema/index.ts';
import type { Clock, Metrics, Random } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Breakpoints, Tracer } from '../trace/index.ts';
import type { Answer } from './codec/respond.ts';
import type { Views } from './codec/views.ts';
import type { LogOptions } from './registry/kinds/podConnect.ts';
import type { Flow, Levels } from './flow/index.ts';
import type { FilterTimer, InFlight, RequestMetrics } from './metrics.ts';
import type { Registry } from './registry/registry.ts';
import type { OriginTest } from './stages/cors.ts';
import type { Deadline, Deadlines } from './stages/deadline.ts';
import type { RequestInfo } from './stages/requestInfo.ts';
import type { NodeStreams } from './streams/nodeStreams.ts';

/** Settings as the server's stages read them. */
export interface Settings {
  readonly gate: (name: string) => boolean;
  /** A flag's value as text; its default where it was not given; undefined where it has none. */
  readonly flag: (name: string) => string | undefined;
}

export interface Server extends Settings {
  readonly names: Names;
  readonly scheme: Scheme;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  /** Where people hold requests. */
  readonly breakpoints: Breakpoints;
  readonly views: Views;
  readonly registry: Registry;
  readonly admission: Admission;
  readonly metrics: Metrics;
  readonly requests: RequestMetrics;
  readonly inFlight: InFlight;
  readonly filters: FilterTimer;
  readonly flow: Flow;
  /** What priority and fairness goes by; undefined where only the simple limits hold. */
  readonly levels: Levels | undefined;
  readonly deadlines: Deadlines;
  /** Milliseconds that a request may take. */
  readonly requestTimeout: number;
  /** Whether pages of an origin may ask; undefined where those of no other origin may. */
  readonly allowsOrigin: OriginTest | undefined;
  /** Undefined where nothing is recorded. */
  readonly audit: Auditor | undefined;
  /** Plain paths beside health and version: keys, OpenAPI, metrics. */
  readonly plainPaths: ReadonlyMap<string, (context: RequestContext) => Answer | Promise<Answer>>;
  /** What a container wrote, from its node's agent; undefined where no agents run. */
  readonly containerLogs?:
    ((pod: ApiObject, container: string, options: LogOptions, signal: AbortSignal) => Promise<Response>) | undefined;
  /** The ways into containers; undefined where no agents run. */
  readonly nodeStreams?: NodeStreams | undefined;
  authenticate(request: Request, connection: Connection): Promise<Authentication>;
  authorize(attributes: Attributes): Authorization | Promise<Authorization>;
  rulesFor(user: UserInfo, namespace: string): readonly RuleSummary[];
  reviewToken(token: string, audiences: readonly string[]): Promise<Authentication>;
  readonly accounts: AccountIssuer | undefined;
  readonly policy: PolicyIndex;
}

/** One request on its way. */
export interface RequestContext {
  readonly server: Server;
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
  /** Whether it came from outside of the cluster's own components; then its bodies are told to those who look on. */
  readonly fromOutside: boolean;
  /** Whether what the client sent has empty lists or maps, for kinds to which this is a change (see `Rules.emptyCounts`). */
  sentEmpties?: boolean;
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
  };
}
