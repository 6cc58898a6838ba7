import type { Call, Realm } from '../wire/index.ts';
import { userAgentHeader } from '../wire/index.ts';

/** Converts the arguments of `fetch` to a call over the wire, if possible without creating Request and Headers. */
export async function callFrom(realm: Realm, path: string, init: RequestInit = {}): Promise<Call> {
  const { method = 'GET', body, signal } = init;
  if (body != null && typeof body !== 'string') {
    return callOf(realm, new Request(new URL(path, location.origin), init), signal);
  }
  const headers = entriesOf(init.headers);
  if (body != null && !headers.some(([name]) => name === 'content-type')) {
    headers.push(['content-type', 'text/plain;charset=UTF-8']);
  }
  return { ...callWith(realm, method.toUpperCase(), path, headers, signal), ...(body != null && { body }) };
}

/** A Request as a call; its path is taken from the end of the cluster's address, `base`, on. */
export async function callOf(realm: Realm, request: Request, signal?: AbortSignal | null, base = ''): Promise<Call> {
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(base.length) + search;
  const call = callWith(realm, request.method, path, [...request.headers], signal ?? request.signal);
  const body = hasBody(request) ? await request.arrayBuffer() : undefined;
  return body?.byteLength ? { ...call, body } : call;
}

type HeaderEntries = [name: string, value: string][];

function entriesOf(headers: HeadersInit | undefined): HeaderEntries {
  if (headers === undefined) return [];
  if (Symbol.iterator in headers) return [...new Headers(headers)];
  return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
}

/** Chromium removes the User-Agent from every Request; it is sent in another header. */
function callWith(
  realm: Realm,
  method: string,
  path: string,
  headers: HeaderEntries,
  signal: AbortSignal | null | undefined,
): Call {
  const [, agent = navigator.userAgent] = headers.find(([name]) => name === 'user-agent') ?? [];
  const others = headers.filter(([name]) => name !== 'user-agent');
  return {
    realm,
    method,
    path: path || '/',
    headers: [...others, [userAgentHeader, agent]],
    ...(signal && { signal }),
  };
}

function hasBody(request: Request): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD';
}
