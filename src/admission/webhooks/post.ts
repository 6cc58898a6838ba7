/** Sends a review to a webhook: its address, its time limit, and errors for invalid answers. */
import type { RemoteFetch, Trust } from '../../authn/index.ts';
import type { objects } from '../../schema/index.ts';
import { decodeText, delay, fromBase64, type Clock } from '../../std/index.ts';

/** The webhook could not be called, or its answer is invalid. */
export class CallError extends Error {
  override name = 'CallError';
}

/** The client configuration of a webhook. */
export interface Addressee {
  readonly clientConfig: objects.MutatingWebhook['clientConfig'];
  /** 10 by default. */
  readonly timeoutSeconds?: number;
}

export interface PostDeps {
  readonly fetch: RemoteFetch;
  readonly clock: Clock;
}

/** Sends a review and waits for the answer, by the cluster's clock. Throws CallError. */
export async function post(webhook: Addressee, review: object, deps: PostDeps): Promise<unknown> {
  const seconds = webhook.timeoutSeconds ?? 10;
  const address = addressOf(webhook, seconds);
  const abort = new AbortController();
  const request = new Request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(review),
    signal: abort.signal,
  });
  const late = new CallError(`Post ${JSON.stringify(address)}: context deadline exceeded`);
  const tooLate = delay(deps.clock, seconds * 1000, abort.signal).then(() => Promise.reject(late));
  try {
    return await Promise.race([ask(request, address, webhook, deps), tooLate]);
  } finally {
    abort.abort(late);
    tooLate.catch(() => undefined);
  }
}

async function ask(request: Request, address: string, webhook: Addressee, deps: PostDeps): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    response = await deps.fetch(request, trustOf(webhook));
    text = await response.text();
  } catch (error) {
    if (error instanceof CallError) throw error;
    throw new CallError(`Post ${JSON.stringify(address)}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!response.ok) throw new CallError(wordsFor(response.status, text));
  try {
    return JSON.parse(text);
  } catch {
    throw new CallError("couldn't get version/kind; json parse error: the answer is no JSON");
  }
}

/** A client's message for an error response that is not a Status. */
function wordsFor(code: number, text: string): string {
  const known = WORDS[code];
  if (known !== undefined) return known;
  if (code >= 500)
    return `an error on the server (${JSON.stringify(text.trim())}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}

const WORDS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  403: 'the server was forbidden to answer the request',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  406: 'the server was unable to respond with a content type that the client supports',
  409: 'the server reported a conflict',
  415: 'the server was not able to process the content sent because its content type is not supported',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** A service is reached by its cluster name; the time limit is sent as a parameter. Messages contain this address. */
function addressOf({ clientConfig: { service, url } }: Addressee, seconds: number): string {
  const base = service
    ? `https://${service.name}.${service.namespace}.svc:${service.port ?? 443}${service.path ?? '/'}`
    : (url ?? '');
  try {
    return `${base}${new URL(base).pathname === '/' && !base.endsWith('/') ? '/' : ''}?timeout=${seconds}s`;
  } catch {
    throw new CallError(`${JSON.stringify(base)} is no URL`);
  }
}

/** Without a bundle the system's trust is used. */
function trustOf({ clientConfig: { caBundle } }: Addressee): Trust {
  const bytes = caBundle ? fromBase64(caBundle) : undefined;
  return bytes ? { authorities: decodeText(bytes) } : {};
}
