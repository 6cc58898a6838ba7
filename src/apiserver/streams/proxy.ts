/**
 * Requests forwarded to a server in a pod (`pods/NAME/proxy/…`, `services/NAME/proxy/…`) or to a node's agent
 * (`nodes/NAME/proxy/…`).
 */
import { status, type ApiObject } from '../../schema/index.ts';
import { PlainHeaders, WholeResponse } from '../../std/index.ts';
import type { ResourceContext } from '../registry/registry.ts';

/** The destination of a request: a port of a pod, or the agent of the named node. */
export type Upstream =
  { readonly pod: ApiObject; readonly port: number; readonly tls: boolean } | { readonly node: string };

/** Headers that concern one connection, or that only the API server may read. */
const DROPPED = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'content-length',
  ],
  ...['authorization', 'host'],
]);

/** Forwards the request. Throws 503 if the server can't be reached. A path without a trailing slash is redirected. */
export async function passOn(context: ResourceContext, upstream: Upstream): Promise<Response> {
  const { request, server } = context;
  const { prefix, path, search } = splitTarget(context);
  if (path === '' && (request.method === 'GET' || request.method === 'HEAD'))
    return new WholeResponse('', { status: 301, headers: { location: `${prefix}/${search}` } });
  if (!server.nodeStreams) throw unreachable('no nodes run');
  const { method } = request;
  const body = method === 'GET' || method === 'HEAD' ? undefined : new Uint8Array(await request.arrayBuffer());
  const sent = { method, path: (path || '/') + search, headers: sentHeaders(request, prefix + path), body };
  const asked =
    'node' in upstream
      ? server.nodeStreams.node(upstream.node, method, sent.path)
      : server.nodeStreams.request(upstream.pod, { ...upstream, ...sent }, request.signal);
  const answer = await asked.catch((problem: unknown) => {
    throw unreachable(problem instanceof Error ? problem.message : String(problem));
  });
  return answered(answer, prefix);
}

export const unreachable = (why: string): Error =>
  status.failure(503, 'ServiceUnavailable', `error trying to reach service: ${why}`);

/** The request's URL up to `/proxy`, the rest as it was written, and the query. */
function splitTarget({ request, query, info }: ResourceContext): {
  readonly prefix: string;
  readonly path: string;
  readonly search: string;
} {
  const { pathname, search } = new URL(request.url);
  const end = pathname
    .split('/')
    .slice(0, segmentsBeforeRest(info.namespace !== ''))
    .join('/').length;
  // In the old form `?path=` there is nothing after the name.
  const path = pathname.slice(end) || (query.get('path') ?? '');
  return { prefix: pathname.slice(0, end), path, search };
}

/** `/api/v1/namespaces/NS/pods/NAME/proxy` or `/api/v1/nodes/NAME/proxy`. */
const segmentsBeforeRest = (namespaced: boolean): number => (namespaced ? 8 : 6);

function sentHeaders({ headers }: Request, uri: string): Record<string, string> {
  const kept = [...headers].filter(([name]) => !DROPPED.has(name));
  return {
    ...Object.fromEntries(kept),
    'x-forwarded-uri': uri,
    'x-forwarded-host': headers.get('host') ?? '',
    'x-forwarded-proto': 'https',
  };
}

/** The response for the client: HTML pages with rewritten links, everything else unchanged. */
async function answered(answer: Response, prefix: string): Promise<Response> {
  const headers = new PlainHeaders([...answer.headers].filter(([name]) => !DROPPED.has(name)));
  const location = answer.headers.get('location');
  if (location !== null) headers.set('location', below(prefix, location));
  const { status: code } = answer;
  const isPage = (headers.get('content-type') ?? '').startsWith('text/html') && !headers.has('content-encoding');
  if (isPage) return new WholeResponse(withLinks(await answer.text(), prefix), { status: code, headers });
  if (answer instanceof WholeResponse) return new WholeResponse(answer.content, { status: code, headers });
  return new Response(answer.body, { status: code, headers: [...headers] });
}

/** Prefixes an absolute path with the proxy's path; other links stay. */
const below = (prefix: string, link: string): string =>
  link.startsWith('/') && !link.startsWith('//') && !link.startsWith(`${prefix}/`) ? prefix + link : link;

const LINKS = /(\s(?:href|src|action|background|cite|longdesc|usemap|data)\s*=\s*)(["'])([^"']*)\2/gi;

/** A page whose links lead through the proxy. */
const withLinks = (page: string, prefix: string): string =>
  page.replace(
    LINKS,
    (_, name: string, quote: string, link: string) => `${name}${quote}${below(prefix, link)}${quote}`,
  );
