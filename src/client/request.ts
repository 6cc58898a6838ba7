import {
  isObject,
  JsonBody,
  stoppedBy,
  WholeResponse,
  type Gathered,
  type JsonRequestInit,
  type StopSignal,
} from '../std/index.ts';
import { StatusError, type Status } from '../schema/index.ts';
import type { Transport } from './types.ts';

/** Query parameters; undefined ones are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly method?: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: StopSignal;
  readonly userAgent?: string;
  /** Its sort, if a server may answer it together with others. */
  readonly gathered?: Gathered | undefined;
}

/** Sends a request; throws a StatusError for an error response. */
export async function request(transport: Transport, path: string, options: RequestOptions = {}): Promise<Response> {
  const response = await transport(path + queryText(options.query), initOf(options));
  if (response.ok) return response;
  throw new StatusError(await statusOf(response));
}

/** Like `request`, for a response that is one JSON value. */
export async function requestJson(transport: Transport, path: string, options?: RequestOptions): Promise<unknown> {
  const response = await request(transport, path, options);
  // In one process with the server the frozen object is available directly.
  if (response instanceof WholeResponse && response.shared && 'object' in response.shared)
    return response.shared.object;
  return response.json();
}

function initOf(options: RequestOptions): JsonRequestInit {
  const headers: Record<string, string> = { accept: options.accept ?? 'application/json' };
  if (options.userAgent !== undefined) headers['user-agent'] = options.userAgent;
  if (options.body !== undefined) headers['content-type'] = options.contentType ?? 'application/json';
  const { method = 'GET', body, signal, gathered } = options;
  const init: JsonRequestInit = { method, headers, gathered };
  const bare = signal ? stoppedBy(signal, init) : init;
  if (body === undefined) return bare;
  const json = body instanceof JsonBody ? body : JsonBody.of(body);
  return json ? withText(bare, json) : { ...bare, body: JSON.stringify(body) };
}

/** A server in this process takes the value, so the text is made only for other servers. */
const withText = (bare: JsonRequestInit, json: JsonBody): JsonRequestInit => ({
  ...bare,
  json,
  get body() {
    return json.text;
  },
});

function queryText(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The Status in a response, or one derived from its code if the body has none (such as a proxy's error page). */
async function statusOf(response: Response): Promise<Status> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (isStatus(body)) return body;
  } catch {
    // Not JSON: only the code describes the error.
  }
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: text.slice(0, 200) || response.statusText,
    reason: REASONS[response.status] ?? 'Unknown',
    code: response.status,
  };
}

/** Narrows an untrusted value. */
export function isStatus(value: unknown): value is Status {
  return isObject(value) && value.kind === 'Status' && typeof value.code === 'number';
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};
