/** Answers requests to services of the cluster with user-written webhooks; forwards all others to the host. */
import type { RemoteFetch, Trust } from '../authn/index.ts';
import { parseDuration } from '../schema/index.ts';
import { delay, isObject, setOwn, type Clock } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { addressText, ConnectionError, listenerAt, type Listener, type Objects } from './address.ts';
import { createCallLog, type Call, type CallLog } from './calls.ts';
import { completed } from './complete.ts';
import { verifyServer } from './handshake.ts';
import type { Run, Sandbox } from './sandbox.ts';
import type { Certificates } from './serving.ts';
import type { WrittenWebhook } from './written.ts';

export interface WebhookDeps {
  readonly clock: Clock;
  readonly tracer: Tracer;
  readonly objects: Objects;
  readonly certificates: Certificates;
  /** Runs the code; without it nothing listens. */
  readonly sandbox: Sandbox | undefined;
  /** Handles requests to addresses outside of the cluster. */
  readonly outside: RemoteFetch;
  /** Handles requests to services without a user-written webhook: their pods, over the simulated network. */
  readonly inside: ServiceFetch;
}

/** Sends a request to a service. Rejects with an Error with the message of a network client. */
export type ServiceFetch = (
  request: Request,
  at: { readonly host: string; readonly port: number },
  trust: Trust,
) => Promise<Response>;

export interface Webhooks {
  readonly fetch: RemoteFetch;
  /** The latest calls, oldest first. */
  readonly calls: () => readonly Call[];
}

/** The maximum memory of a handler. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The maximum duration of a handler: the longest time limit of a webhook. */
const LONGEST_MS = 30_000;
/** Callers time out by the cluster's clock; the machine's timeout matters only if that clock is paused. */
const GRACE_MS = 500;

export function createWebhooks(deps: WebhookDeps): Webhooks {
  const log = createCallLog(deps);
  return { fetch: (request, trust) => reach(request, trust ?? {}, deps, log), calls: log.recent };
}

async function reach(request: Request, trust: Trust, deps: WebhookDeps, log: CallLog): Promise<Response> {
  const url = new URL(request.url);
  const listener = listenerAt(url, deps.objects);
  if (!listener) return deps.outside(request, trust);
  const [first] = listener.webhooks;
  if (!first) return deps.inside(request, listener, trust);
  const webhook = answering(listener, url);
  const shown = webhook ?? first;
  const call = log.begin(shown, url);
  try {
    return await exchange(request, url, trust, { listener, webhook, shown, deps, call });
  } catch (error) {
    call.failed(error);
    throw error;
  }
}

/** The webhook with this path, else one that answers any path. */
const answering = ({ webhooks }: Listener, { pathname }: URL): WrittenWebhook | undefined =>
  webhooks.find(({ path }) => path === pathname) ?? webhooks.find(({ path }) => path === undefined);

interface Exchange {
  readonly listener: Listener;
  readonly webhook: WrittenWebhook | undefined;
  /** The webhook whose certificate is presented. */
  readonly shown: WrittenWebhook;
  readonly deps: WebhookDeps;
  readonly call: ReturnType<CallLog['begin']>;
}

async function exchange(
  request: Request,
  url: URL,
  trust: Trust,
  { listener, webhook, shown, deps, call }: Exchange,
): Promise<Response> {
  const { sandbox, clock } = deps;
  if (!sandbox)
    throw new ConnectionError(
      `dial tcp ${addressText(listener)}: connect: connection refused (this host runs no webhooks that people write)`,
    );
  if (url.protocol === 'https:') await verifyServer(await deps.certificates(shown), trust, url.hostname, clock);
  const body = await bodyOf(request);
  call.asked(body);
  if (!webhook) return call.answered(text(404, '404 page not found\n'));
  if (webhook.delayMs > 0) await delay(clock, webhook.delayMs, request.signal);
  request.signal.throwIfAborted();
  const misbehaved = await misbehave(webhook, body, request.signal);
  if (misbehaved) return call.answered(misbehaved);
  const run = await clock.during(sandbox.run(jobOf(webhook, request, url, body), request.signal), 'io');
  call.wrote(run.logs);
  return call.answered(responseOf(run, webhook, body));
}

async function bodyOf(request: Request): Promise<unknown> {
  const content = await request.text();
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

function jobOf(
  { code }: WrittenWebhook,
  request: Request,
  url: URL,
  body: unknown,
): { code: string; input: string; limits: { milliseconds: number; bytes: number } } {
  const about = { method: request.method, path: url.pathname, query: url.search, headers: headersOf(request) };
  const timeout = parseDuration(url.searchParams.get('timeout') ?? '') ?? LONGEST_MS;
  return {
    code,
    input: JSON.stringify([body, about]),
    limits: { milliseconds: Math.min(LONGEST_MS, timeout) + GRACE_MS, bytes: MOST_BYTES },
  };
}

function headersOf({ headers }: Request): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [name, value] of headers) setOwn(all, name, value);
  return all;
}

/** The answer of a webhook with a fault annotation; undefined without one. */
async function misbehave(
  { fault, problem }: WrittenWebhook,
  body: unknown,
  signal: AbortSignal,
): Promise<Response | undefined> {
  if (problem !== undefined) return text(500, `${problem}\n`);
  if (fault === undefined) return undefined;
  if (typeof fault === 'object') return text(fault.status, `the webhook is told to answer ${fault.status}\n`);
  if (fault === 'reset') throw new ConnectionError('read: connection reset by peer');
  if (fault === 'timeout') return never(signal);
  if (fault === 'garbage') return text(200, 'this is no review\n', 'text/plain');
  if (fault === 'empty') return json({});
  const reviewed = isObject(body) && isObject(body.request) ? { ...body.request, uid: 'wrong' } : undefined;
  return json(completed(isObject(body) && reviewed ? { ...body, request: reviewed } : body, true));
}

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function responseOf(run: Run, { name }: WrittenWebhook, body: unknown): Response {
  if (run.outcome === 'ended') throw new ConnectionError(`EOF (the webhook ${name} was ended: ${run.message})`);
  if (run.outcome === 'threw') return text(500, `${run.message}\n`);
  const answer = completed(body, run.value === undefined ? undefined : JSON.parse(run.value));
  return answer === undefined || answer === null ? text(200, '') : json(answer);
}

const json = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

const text = (status: number, content: string, type = 'text/plain'): Response =>
  new Response(status === 204 || status === 304 ? null : content, { status, headers: { 'content-type': type } });
