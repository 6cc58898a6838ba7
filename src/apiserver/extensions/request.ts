/** How the server's own loops ask the server: as itself, so that their writes are checked and owned like all others. */
import type { ApiObject } from '../../schema/index.ts';
import { isObject, requestTo } from '../../std/index.ts';
import type { Server } from '../context.ts';
import { handle } from '../pipeline.ts';

const SELF = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'], extra: {} };

/** Patches name the lists' items by their keys. */
const contentType = (method: string): string =>
  method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';

/** Sends a request; answers with the object, undefined where it was refused. A refusal settles itself: the loop hears of what changed. */
export async function ask(server: Server, method: string, path: string, body?: object): Promise<ApiObject | undefined> {
  const headers = { 'content-type': contentType(method), 'user-agent': server.names.fill('{prefix}-apiserver') };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const origin = { as: SELF, userAgent: headers['user-agent'], from: SELF.name };
  const response = await handle(server, requestTo(`http://cluster.local${path}`, init), origin);
  const answer: unknown = await response.json();
  return response.ok && isObject(answer) ? (answer as ApiObject) : undefined;
}
