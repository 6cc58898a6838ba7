import { userAgentHeader, type Call, type Realm } from '../wire/index.ts';

/** Turns what `fetch` is given into a call over the wire, without the cost of a Request where it can be had without. */
export async function callFrom(realm: Realm, path: string, init: RequestInit = {}): Promise<Call> {
  const { method = 'GET', body, signal } = init;
  if (body != null && typeof body !== 'string')
    return callOf(realm, new Request(new URL(path, location.origin), init), signal);
  const headers = new Headers(init.headers);
  if (body != null && !headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8');
  return { ...callWith(realm, method.toUpperCase(), path, headers, signal), ...(body != null && { body }) };
}

/** A Request as a call; its path is taken from the end of the cluster's address, `base`, on. */
export async function callOf(realm: Realm, request: Request, signal?: AbortSignal | null, base = ''): Promise<Call> {
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(base.length) + search;
  const call = callWith(realm, request.method, path, request.headers, signal ?? request.signal);
  const body = hasBody(request) ? await request.arrayBuffer() : undefined;
  return body?.byteLength ? { ...call, body } : call;
}

function callWith(realm: Realm, method: string, path: string, headers: Headers, signal?: AbortSignal | null): Call {
  const list = [...headers].filter(([name]) => name !== 'user-agent');
  // Chromium drops a User-Agent from every Request that is made; what it would send travels under another name.
  list.push([userAgentHeader, headers.get('user-agent') ?? navigator.userAgent]);
  return { realm, method, path: path || '/', headers: list, ...(signal && { signal }) };
}

function hasBody(request: Request): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD';
}
