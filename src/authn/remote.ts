/** Remote services: their addresses and how they are called. */
import {
  decodeText,
  delay,
  encodeText,
  fromBase64,
  inOneTurn,
  isObject,
  toBase64,
  toHex,
  yaml,
  getOwn,
} from '../std/index.ts';
import type { Clock } from '../std/index.ts';

/** How the certificate of a service is verified. */
export interface Trust {
  /** Trusted certificates as PEM. Without them the system's are used; a tab has none. */
  readonly authorities?: string;
  /** The expected name in the certificate; the address's host by default. */
  readonly serverName?: string;
  /** Whether verification is skipped. */
  readonly insecure?: boolean;
}

/** Reaches other services; the host or the cluster itself implements it. */
export type RemoteFetch = (request: Request, trust?: Trust) => Promise<Response>;

export interface RemoteEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly trust?: Trust;
}

type Files = Readonly<Record<string, string>>;

/** An invalid configuration file; the server does not start with it. */
export class RemoteConfigError extends Error {
  override name = 'RemoteConfigError';
}

/**
 * Reads an address from a client configuration (kubeconfig format); its paths refer to `files`. Throws
 * RemoteConfigError.
 */
export function readEndpoint(text: string, files: Files = {}): RemoteEndpoint {
  const config: unknown = yaml().parse(text);
  if (!isObject(config)) throw new RemoteConfigError('not a client configuration');
  const context = entry(config, 'contexts', 'context', config['current-context']);
  const cluster = entry(config, 'clusters', 'cluster', context.cluster);
  const user = context.user === undefined ? {} : entry(config, 'users', 'user', context.user);
  if (typeof cluster.server !== 'string')
    throw new RemoteConfigError(`cluster ${JSON.stringify(context.cluster)} has no server`);
  const trust = trustOf(cluster, files);
  return {
    url: checkedAddress(cluster.server),
    headers: credentials(user),
    ...(Object.keys(trust).length > 0 ? { trust } : {}),
  };
}

/** Refuses an address with a password, because error messages contain the address. */
function checkedAddress(server: string): string {
  if (!URL.canParse(server)) throw new RemoteConfigError(`server ${JSON.stringify(server)} is no URL`);
  const { username, password } = new URL(server);
  if (username !== '' || password !== '')
    throw new RemoteConfigError('server: a user belongs into users, not into the URL');
  return server;
}

/** Inline data precedes the file that the configuration names. */
function trustOf(cluster: Record<string, unknown>, files: Files): Trust {
  const path = cluster['certificate-authority'];
  const data = cluster['certificate-authority-data'];
  if (typeof path === 'string' && data === undefined && getOwn(files, path) === undefined)
    throw new RemoteConfigError(`there is no file ${JSON.stringify(path)}, which certificate-authority names`);
  const bytes = typeof data === 'string' ? fromBase64(data) : undefined;
  if (data !== undefined && !bytes) throw new RemoteConfigError('certificate-authority-data is not base64');
  const authorities = bytes ? decodeText(bytes) : typeof path === 'string' ? getOwn(files, path) : undefined;
  const serverName = cluster['tls-server-name'];
  return {
    ...(authorities === undefined ? {} : { authorities }),
    ...(typeof serverName === 'string' && serverName !== '' ? { serverName } : {}),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
  };
}

function entry(config: Record<string, unknown>, list: string, field: string, name: unknown): Record<string, unknown> {
  const items: unknown = getOwn(config, list);
  const found: unknown = Array.isArray(items) ? items.find((item) => isObject(item) && item.name === name) : undefined;
  const value = isObject(found) ? getOwn(found, field) : undefined;
  if (!isObject(value)) throw new RemoteConfigError(`no ${field} ${JSON.stringify(name)} in ${list}`);
  return value;
}

function credentials(user: Record<string, unknown>): Record<string, string> {
  if (typeof user.token === 'string') return { authorization: `Bearer ${user.token}` };
  if (typeof user.username === 'string')
    return { authorization: `Basic ${toBase64(encodeText(`${user.username}:${String(user.password ?? '')}`))}` };
  return {};
}

/** The number of attempts, and the delay after the first failure; each further delay is half as long again. */
export interface Backoff {
  readonly attempts: number;
  readonly firstWaitMs: number;
}

const DEFAULT_BACKOFF: Backoff = { attempts: 5, firstWaitMs: 500 };
const WAIT_FACTOR = 1.5;

export interface RemoteDeps {
  readonly fetch: RemoteFetch;
  readonly clock: Clock;
}

/** Posts a JSON value; retries a few times if the service is unreachable or busy. Throws after the last attempt. */
export async function post(
  deps: RemoteDeps,
  endpoint: RemoteEndpoint,
  body: unknown,
  { attempts, firstWaitMs }: Backoff = DEFAULT_BACKOFF,
): Promise<Response> {
  for (let attempt = 1, wait = firstWaitMs; ; attempt++, wait *= WAIT_FACTOR) {
    const outcome = await tryPost(deps, endpoint, body);
    if ('response' in outcome) return outcome.response;
    if (!outcome.again || attempt === attempts) throw new Error(outcome.why);
    await delay(deps.clock, wait);
  }
}

/** Like `post`, for services that answer with an object. Throws for other answers. */
export async function postJson(
  deps: RemoteDeps,
  endpoint: RemoteEndpoint,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await post(deps, endpoint, body);
  const answer: unknown = await response.json();
  if (!isObject(answer)) throw new Error(`${endpoint.url} answered no JSON object`);
  return answer;
}

type Outcome = { readonly response: Response } | { readonly why: string; readonly again: boolean };

async function tryPost(deps: RemoteDeps, endpoint: RemoteEndpoint, body: unknown): Promise<Outcome> {
  const request = new Request(endpoint.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...endpoint.headers },
    body: JSON.stringify(body),
  });
  try {
    const response = await deps.fetch(request, endpoint.trust);
    if (response.ok) return { response };
    const again = response.status === 429 || response.status >= 500;
    return { why: `${endpoint.url} answered ${response.status}`, again };
  } catch (problem) {
    return { why: problem instanceof Error ? problem.message : String(problem), again: true };
  }
}

/** The cache key of a secret, so that the secret itself is not stored. */
export async function digest(text: string): Promise<string> {
  const hash = new Uint8Array(await inOneTurn(() => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
  return toHex(hash);
}
