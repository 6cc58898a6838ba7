/**
 * The pipeline of a request, top to bottom: request info, authentication, impersonation, flow control, authorization,
 * the handler, and the response in the form that the client accepts. Every stage is traced.
 */
import type { AuditRecord } from '../audit/index.ts';
import { SECRET_HEADERS } from '../authn/index.ts';
import { pathAndQuery, yieldToTasks } from '../std/index.ts';
import type { AggregationServer } from './extensions/aggregation.ts';
import { respond, statusResponse } from './codec/respond.ts';
import type { RequestContext } from './context.ts';
import type { FilterTimer } from './metrics/filters.ts';
import type { Origin } from './origin.ts';
import type { PlainServer } from './plainPaths.ts';
import type { ResourceServer } from './registry/registry.ts';
import { route } from './routes.ts';
import { auditUnauthenticated, closeAudit, openAudit } from './stages/audit.ts';
import { authenticate } from './stages/authenticate.ts';
import { authorize } from './stages/authorize.ts';
import { withCors, type OriginTest } from './stages/cors.ts';
import { tellAnswerBody } from './stages/bodies.ts';
import { timeLimit, type Deadline, type Deadlines } from './stages/deadline.ts';
import { failureOf, PlainFailure } from './stages/failure.ts';
import { admit, type FlowServer, type Seat } from './stages/flow.ts';
import { withoutBodyForHead } from './stages/head.ts';
import { holdBefore } from './stages/hold.ts';
import { asksToBeAnother, impersonate } from './stages/impersonate.ts';
import { missingFormats, webSocketBodies } from './stages/parts.ts';
import { requestInfo, type RequestInfo } from './stages/requestInfo.ts';
import { compressed } from './stages/compression.ts';
import { withWarnings } from './stages/warnings.ts';
import { wantsWebSocket } from './streams/asksUpgrade.ts';

/** Everything that the stages use together. Only the composition of the server knows all of it. */
export interface Server extends ResourceServer, FlowServer, PlainServer, AggregationServer {
  readonly filters: FilterTimer;
  readonly deadlines: Deadlines;
  /** The maximum duration of a request, in milliseconds. */
  readonly requestTimeout: number;
  /** Whether pages of an origin may send requests; undefined if no other origin may. */
  readonly allowsOrigin: OriginTest | undefined;
}

type ServerContext = RequestContext<Server>;

type Address = ReturnType<typeof pathAndQuery>;

/** Answers a request. Stepped time waits until the request is answered or waits for the clock itself. */
export function handle(server: Server, request: Request, origin: Origin): Promise<Response> {
  return server.clock.during(traced(server, request, origin), 'task');
}

async function traced(server: Server, request: Request, origin: Origin): Promise<Response> {
  const id = server.random.uuid();
  const started = server.clock.now();
  const url = pathAndQuery(request.url);
  traceReceived(server, id, request, url, origin);
  const answered = await withCors(request, server.allowsOrigin, () => answer(server, id, request, url, origin));
  const written = compressed(server, request, answered);
  const response = withoutBodyForHead(request, written instanceof Promise ? await written : written);
  if (server.tracer.wants('request')) {
    server.tracer.emit({
      topic: 'request',
      request: id,
      stage: 'answered',
      status: response.status,
      ms: server.clock.now() - started,
      headers: [...response.headers],
    });
  }
  return response;
}

/** The state of a request so far. Both success and failure responses are made from it. */
interface RequestState {
  readonly id: string;
  readonly request: Request;
  readonly origin: Origin;
  readonly started: number;
  readonly warnings: Set<string>;
  audit?: AuditRecord | undefined;
  context?: ServerContext;
  seat?: Seat;
}

async function answer(server: Server, id: string, request: Request, url: Address, origin: Origin): Promise<Response> {
  const state: RequestState = { id, request, origin, started: server.clock.now(), warnings: new Set() };
  try {
    const missing = missingFormats(request);
    if (missing) await missing;
    const query = parseQuery(url.search);
    const info = requestInfo(request.method, decodePath(url.pathname), query);
    const limit = timeLimit(info, query, server.requestTimeout);
    const served = await server.deadlines.within(limit, (deadline) => serve(server, state, query, info, deadline));
    return finished(server, state, served);
  } catch (error) {
    if (error instanceof PlainFailure) return finished(server, state, error.response());
    const failure = failureOf(error);
    if (failure.reason === 'Timeout' && state.context) server.requests.terminated(state.context, failure.code);
    const accept = request.headers.get('accept');
    return finished(server, state, statusResponse(failure, accept, server.names, state.context));
  }
}

/** The stages in order. */
async function serve(
  server: Server,
  state: RequestState,
  query: URLSearchParams,
  info: RequestInfo,
  deadline: Deadline | undefined,
): Promise<Response> {
  const { id, request, origin, warnings } = state;
  const userAgent = request.headers.get('user-agent') ?? origin.userAgent ?? '';
  const { filters } = server;
  const authenticated =
    origin.as ??
    (await authenticate(server, id, request, origin).catch((refusal: unknown) => {
      const certified = (origin.certificates ?? []).length > 0;
      state.audit = auditUnauthenticated(server, { id, request, info, userAgent, certified });
      throw refusal;
    }));
  let at = filters.passed('authentication', state.started);
  const audit = (state.audit = openAudit(server, { id, request, info, userAgent, user: authenticated }));
  at = filters.passed('audit', at);
  const user = asksToBeAnother(request) ? await impersonate(server, id, authenticated, request, audit) : authenticated;
  at = filters.passed('impersonation', at);
  const fromOutside = isFromOutside(origin);
  // The properties are listed one by one, because spreading another object would cost more than all stages.
  state.context = { server, id, request, query, info, deadline, user, userAgent, warnings, audit, fromOutside };
  return enter(state.context, state, at);
}

/** The stages after request info and user are known: the request waits for a seat, is authorized and handled. */
async function enter(context: ServerContext, state: RequestState, since: number): Promise<Response> {
  const { server, id, user, info, audit } = context;
  const { filters } = server;
  // An immediate decision is not awaited, so that the request costs no turn.
  const made = admit(context);
  const seat = (state.seat = made instanceof Promise ? await made : made);
  const at = filters.passed('flow', since);
  try {
    const held = holdBefore(context, 'authorization');
    if (held) await held;
    const allowed = authorize(server, id, user, info, audit);
    if (allowed) await allowed;
    filters.passed('authorization', at);
    const answered = await route(context);
    if (context.isLarge) await yieldToTasks();
    const written = respond(context, answered);
    const response = written instanceof Promise ? await written : written;
    return wantsWebSocket(context.request) ? webSocketBodies.get().overWebSocket(context, response) : response;
  } finally {
    seat.leave();
  }
}

/** The final response, with warnings and headers, recorded and counted. */
function finished(
  server: Server,
  { id, request, origin, started, warnings, audit, context, seat }: RequestState,
  answered: Response,
): Response {
  const response = closeAudit(
    audit,
    { server, request },
    server.gate('WarningHeaders') ? withWarnings(answered, warnings) : answered,
  );
  for (const [name, value] of seat?.headers ?? []) response.headers.set(name, value);
  if (isFromOutside(origin)) tellAnswerBody(server, id, response, context?.info ?? UNKNOWN);
  if (context) server.requests.count(context, response, (server.clock.now() - started) / 1000);
  return response;
}

/** For requests that were refused before their resource was known. */
const UNKNOWN = { resource: '', subresource: '' };

/** Components of the cluster have an identity and a name. */
const isFromOutside = ({ as, from = 'page' }: Origin): boolean => as === undefined || from === 'page';

/** Queries are never modified, so all requests without one share this. */
const NO_QUERY = new URLSearchParams();

/** The query without pairs that have invalid percent-escapes, which the reference drops. */
function parseQuery(search: string): URLSearchParams {
  if (search === '') return NO_QUERY;
  const pairs = search.replace(/^\?/, '').split('&');
  return new URLSearchParams(pairs.filter((pair) => !/%(?![0-9A-Fa-f]{2})/.test(pair)).join('&'));
}

/** Invalid percent-escapes stay as they are. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function traceReceived(server: Server, id: string, request: Request, url: Address, origin: Origin): void {
  if (!server.tracer.wants('request')) return;
  const headers = [...request.headers].map(
    ([name, value]) => [name, SECRET_HEADERS.has(name) ? '(hidden)' : value] as const,
  );
  if (origin.userAgent && !request.headers.has('user-agent')) headers.push(['user-agent', origin.userAgent]);
  const causes = origin.causes?.() ?? [];
  server.tracer.emit({
    topic: 'request',
    request: id,
    stage: 'received',
    method: request.method,
    url: (origin.base ?? '') + url.pathname + url.search,
    headers,
    origin: origin.from ?? 'page',
    ...(causes.length > 0 && { causes }),
  });
}
