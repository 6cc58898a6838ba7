/**
 * A request's way, top to bottom: what it is about, who asks, as whom, whether there is room for it, whether it is
 * allowed, then its handler, and the response in the form that the client accepts. Every stage leaves a trace.
 */
import type { AuditRecord } from '../audit/index.ts';
import { SECRET_HEADERS, type UserInfo } from '../authn/index.ts';
import { respond, statusResponse } from './codec/respond.ts';
import type { RequestContext, Server } from './context.ts';
import { countRequest } from './metrics.ts';
import { route } from './routes.ts';
import { closeAudit, openAudit } from './stages/audit.ts';
import { authenticate } from './stages/authenticate.ts';
import { authorize } from './stages/authorize.ts';
import { failureOf } from './stages/failure.ts';
import { impersonate } from './stages/impersonate.ts';
import { requestInfo, RequestInfoError } from './stages/requestInfo.ts';
import { withWarnings } from './stages/warnings.ts';

/** How a request came in. */
export interface Origin {
  /** A part of the cluster itself: its identity is known, no credential is checked. */
  readonly as?: UserInfo;
  /** The User-Agent where the request's own headers can't say it. */
  readonly userAgent?: string;
  /** The client's certificates as DER, its own first, where the connection's handshake proved them. */
  readonly certificates?: readonly Uint8Array[];
  /** For the trace: `page`, `controller-manager`, `http`. */
  readonly from?: string;
}

export async function handle(server: Server, request: Request, origin: Origin): Promise<Response> {
  const id = server.random.uuid();
  const started = server.clock.now();
  const url = new URL(request.url);
  traceReceived(server, id, request, url, origin);
  const response = await answer(server, id, request, url, origin);
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

async function answer(server: Server, id: string, request: Request, url: URL, origin: Origin): Promise<Response> {
  const warnings = new Set<string>();
  const started = server.clock.now();
  const userAgent = request.headers.get('user-agent') ?? origin.userAgent ?? '';
  let context: RequestContext | undefined;
  let audit: AuditRecord | undefined;
  const finished = (response: Response): Response =>
    counted(closeAudit(audit, { server, request }, withWarnings(response, warnings)), context, started);
  try {
    const query = parseQuery(url.search);
    const info = requestInfo(request.method, decodePath(url.pathname), query);
    const asked = { id, request, info, userAgent };
    const authenticated =
      origin.as ??
      (await authenticate(server, id, request, origin).catch((refusal: unknown) => {
        audit = openAudit(server, asked);
        throw refusal;
      }));
    audit = openAudit(server, { ...asked, user: authenticated });
    const user = await impersonate(server, id, authenticated, request, audit);
    context = { server, id, request, query, info, user, userAgent, warnings, audit };
    await authorize(server, id, user, info, audit);
    return finished(respond(context, await route(context)));
  } catch (error) {
    if (error instanceof RequestInfoError)
      return new Response(`Internal Server Error: ${JSON.stringify(url.pathname)}: ${error.message}\n`, {
        status: 500,
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      });
    return finished(statusResponse(failureOf(error), request.headers.get('accept'), server.names, context));
  }
}

function counted(response: Response, context: RequestContext | undefined, started: number): Response {
  if (context)
    countRequest(context.server.metrics, context, response.status, (context.server.clock.now() - started) / 1000);
  return response;
}

/** The query without the pairs whose percent-escapes are none: the reference drops those. */
function parseQuery(search: string): URLSearchParams {
  const pairs = search.replace(/^\?/, '').split('&');
  return new URLSearchParams(pairs.filter((pair) => !/%(?![0-9A-Fa-f]{2})/.test(pair)).join('&'));
}

/** Percent-escapes that are none stay as they are. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function traceReceived(server: Server, id: string, request: Request, url: URL, origin: Origin): void {
  if (!server.tracer.wants('request')) return;
  const headers = [...request.headers].map(
    ([name, value]) => [name, SECRET_HEADERS.has(name) ? '(hidden)' : value] as const,
  );
  if (origin.userAgent && !request.headers.has('user-agent')) headers.push(['user-agent', origin.userAgent]);
  server.tracer.emit({
    topic: 'request',
    request: id,
    stage: 'received',
    method: request.method,
    url: url.pathname + url.search,
    headers,
    origin: origin.from ?? 'page',
  });
}
