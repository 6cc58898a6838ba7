/** Requests for groups and versions of another server: forwarded to its service, with the user's name. */
import type { RemoteFetch, Trust, UserInfo } from '../../authn/index.ts';
import type { objects } from '../../schema/index.ts';
import { concatenate, decodeText, delay, fromBase64, pathAndQuery, type Clock } from '../../std/index.ts';
import { textResponse } from '../codec/textResponse.ts';
import type { Core, RequestContext } from '../context.ts';
import { wantsWebSocket } from '../streams/asksUpgrade.ts';

export type ApiService = objects.APIService;

/** What forwarding needs from the server. */
export interface AggregationServer extends Core {
  /** Reaches other servers. */
  readonly fetch?: RemoteFetch;
}

/** Headers that concern one connection, that this server consumes, or that contain the identity. */
const DROPPED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|host|authorization|accept-encoding|impersonate-.*|x-remote-.*)$/;

/** Milliseconds for an availability check. */
const CHECK_LIMIT = 5000;

/** The URL of a server, and how its certificate is verified. */
export function addressOf({ spec }: ApiService): { readonly base: string; readonly trust: Trust } {
  const { name = '', namespace = '', port = 443 } = spec.service ?? {};
  const bundle = spec.caBundle ? fromBase64(spec.caBundle) : undefined;
  const trust =
    spec.insecureSkipTLSVerify === true ? { insecure: true } : { authorities: bundle ? decodeText(bundle) : '' };
  return { base: `https://${name}.${namespace}.svc:${port}`, trust };
}

/** Forwards a request to the server of its group and version. */
export async function passOnRemote(context: RequestContext<AggregationServer>, service: ApiService): Promise<Response> {
  const { request, server } = context;
  const available = service.status.conditions?.some(({ type, status }) => type === 'Available' && status === 'True');
  if (!available || !server.fetch) return plain('service unavailable\n', 503);
  const { base, trust } = addressOf(service);
  const { pathname, search } = pathAndQuery(request.url);
  try {
    const answer = await server.fetch(await requestTo(`${base}${pathname}${search}`, context), trust);
    const headers = [...answer.headers].filter(([name]) => !DROPPED.test(name));
    const body = wantsWebSocket(request) ? (answer.body?.pipeThrough(wholeLines()) ?? null) : answer.body;
    return new Response(body, { status: answer.status, headers });
  } catch (problem) {
    request.signal.throwIfAborted();
    const why = problem instanceof Error ? problem.message : String(problem);
    return plain(`error trying to reach service: ${why}\n`, 503);
  }
}

/**
 * A watch over a WebSocket is forwarded as a plain watch; each of its events, a line, becomes a message. Other upgrade
 * requests are forwarded without the upgrade.
 */
export function wholeLines(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  /** The parts of an incomplete line. */
  let rest: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    if (part.length === 0) return;
    rest.push(part);
    size += part.length;
    if (size > LONGEST_LINE) throw new Error('an event of the watch is too long');
  };
  const line = (): Uint8Array<ArrayBuffer> => {
    const whole = concatenate(rest);
    rest = [];
    size = 0;
    return whole;
  };
  return new TransformStream({
    transform: (part, controller) => {
      let from = 0;
      for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, from)) {
        add(part.subarray(from, end + 1));
        controller.enqueue(line());
        from = end + 1;
      }
      add(part.subarray(from));
    },
    flush: (controller) => {
      if (size > 0) controller.enqueue(line());
    },
  });
}

const NEWLINE = 10;
/**
 * The maximum size of an event in bytes: objects have at most 1.5 MiB, and JSON needs at most six bytes for a
 * character.
 */
const LONGEST_LINE = 16 * 1024 * 1024;

async function requestTo(url: string, { request, user }: RequestContext): Promise<Request> {
  const { method, signal } = request;
  const headers = new Headers([...request.headers].filter(([name]) => !DROPPED.test(name)));
  for (const [name, value] of identity(user)) headers.append(name, value);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(url, { method, headers, signal, body: hasBody ? await request.arrayBuffer() : null });
}

/** The user's identity in the headers of the reference's proxy. */
const identity = ({ name, groups, extra = {} }: UserInfo): (readonly [string, string])[] => [
  ['x-remote-user', name],
  ...groups.map((group) => ['x-remote-group', group] as const),
  ...Object.entries(extra).flatMap(([key, values]) =>
    values.map((value) => [`x-remote-extra-${encodeURIComponent(key.toLowerCase())}`, value] as const),
  ),
];

/**
 * Why a server with endpoints is unavailable: the error of reading its resources; undefined if it answers. `signal`
 * aborts the request.
 */
export async function discoveryProblem(
  service: ApiService,
  fetch: RemoteFetch,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { base, trust } = addressOf(service);
  const url = `${base}/apis/${service.spec.group ?? ''}/${service.spec.version ?? ''}`;
  const answered = new AbortController();
  const over = AbortSignal.any([answered.signal, signal]);
  const headers = {
    accept: 'application/json',
    'x-remote-user': 'system:kube-aggregator',
    'x-remote-group': 'system:masters',
  };
  const late = delay(clock, CHECK_LIMIT, over).then(() => 'context deadline exceeded');
  try {
    return await Promise.race([asked(fetch, new Request(url, { headers, signal: over }), trust, url), late]).then(
      (why) => why && `failing or missing response from ${url}: ${why}`,
    );
  } finally {
    answered.abort();
  }
}

async function asked(fetch: RemoteFetch, request: Request, trust: Trust, url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(request, trust);
    await answer.body?.cancel();
    return answer.ok ? undefined : `bad status from ${url}: ${answer.status}`;
  } catch (problem) {
    return `Get ${JSON.stringify(url)}: ${problem instanceof Error ? problem.message : String(problem)}`;
  }
}

const plain = (text: string, code: number): Response => textResponse(text, code, 'text/plain; charset=utf-8');
