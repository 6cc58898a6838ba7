/**
 * Requests of the server's own loops: they use the whole pipeline, so that their writes are validated and owned like
 * all others.
 */
import type { ApiObject } from '../../schema/index.ts';
import { isObject, requestTo } from '../../std/index.ts';
import type { Core } from '../context.ts';
import type { Origin } from '../origin.ts';

/** What loops may use of the server. */
export interface LoopServer extends Core {
  /** Sends a request through the whole pipeline. */
  readonly send: (request: Request, origin: Origin) => Promise<Response>;
  /** The server is read-only: loops follow the storage, and their writes are refused. */
  readonly onlyShows: boolean;
}

const SELF = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'], extra: {} };

/** Strategic merge patches identify list items by their keys. */
const contentType = (method: string): string =>
  method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';

/**
 * Sends a request; resolves to the object, or undefined if it was refused. A refusal needs no handling: the loop is
 * woken by the change that caused it.
 */
export async function ask(
  server: LoopServer,
  method: string,
  path: string,
  body?: object,
): Promise<ApiObject | undefined> {
  if (server.onlyShows && method !== 'GET') return undefined;
  const headers = { 'content-type': contentType(method), 'user-agent': server.names.fill('{prefix}-apiserver') };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const origin = { as: SELF, userAgent: headers['user-agent'], from: SELF.name };
  const response = await server.send(requestTo(`http://cluster.local${path}`, init), origin);
  const answer: unknown = await response.json();
  return response.ok && isObject(answer) ? (answer as ApiObject) : undefined;
}
