/** Discovery: `/`, `/api`, `/apis`, groups, versions, resource lists. */
import { discoveryDocument, rootPaths, status, storageVersionHashes } from '../schema/index.ts';
import { trimRight } from '../std/index.ts';
import type { Answer } from './codec/answer.ts';
import { textResponse } from './codec/textResponse.ts';
import type { Core, RequestContext } from './context.ts';
import { allGroups, remoteServiceOf } from './extensions/remoteServices.ts';
import { listedPaths, wrongMethod, type PlainServer } from './plainPaths.ts';

/** The discovery document of a path; undefined if the path names nothing that is served. */
export async function discover({ info, request, server }: RequestContext<PlainServer>): Promise<Answer | undefined> {
  const { scheme, gate } = server;
  const path = trimRight(info.path, '/');
  if (info.path === '/' || path === '/index.html') return rootAnswer(server, 200);
  const [, root, group = '', version] = path.split('/');
  if (root === 'apis' && version !== undefined && remoteServiceOf(server, group, version)) return undefined;
  const listed = root === 'api' ? (['', group] as const) : ([group, version ?? ''] as const);
  const hashes = gate('StorageVersionHash') ? await storageVersionHashes(scheme, ...listed) : undefined;
  const value = discoveryDocument({ ...scheme, groups: allGroups(server) }, path, hashes);
  if (!value) return undefined;
  const router = !takesAll(server, root, group, version);
  if (request.method !== 'GET' && router) throw wrongMethod();
  return { type: 'document', code: 200, value, router };
}

/**
 * In the reference some lists have no router in front and accept any method: the lists of groups, and everything below
 * custom groups.
 */
function takesAll(
  { scheme, names }: Core,
  root: string | undefined,
  group: string,
  version: string | undefined,
): boolean {
  if (root !== 'apis') return false;
  // A server with aggregation serves this group itself.
  if (group === names.fill('apiregistration.{domain}')) return false;
  return version === undefined || !scheme.all().some(({ custom, gvr }) => !custom && gvr.group === group);
}

/** The list of all paths is not a resource: it is always JSON, whatever the client accepts. */
function rootAnswer(server: PlainServer, code: number): Answer {
  const text = JSON.stringify({ paths: rootPaths(server.scheme, listedPaths(server)) }, undefined, 2);
  return { type: 'response', response: textResponse(text, code, 'application/json') };
}

/**
 * The answer for a path that is not served: a Status below `/api` and built-in groups, plain text of the last handler
 * below other groups, and the list of paths for everything else.
 */
export function unserved({ info, server }: RequestContext<PlainServer>): Answer {
  const [, root = '', group = ''] = info.path.split('/');
  if (root === 'apis' && group !== '') {
    const builtIn = server.scheme.all().some(({ custom, gvr }) => !custom && gvr.group === group);
    if (!builtIn) return plain('404 page not found\n', 404);
  }
  if (root === 'api' || root === 'apis' || root === 'version') throw status.unknownPath();
  return rootAnswer(server, 404);
}

const plain = (text: string, code: number): Answer => ({
  type: 'response',
  response: textResponse(text, code, 'text/plain; charset=utf-8'),
});
