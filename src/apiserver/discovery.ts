/** What there is: `/`, `/api`, `/apis`, groups, versions, resource lists. */
import { discoveryDocument, rootPaths, status } from '../schema/index.ts';
import { textResponse, type Answer } from './codec/respond.ts';
import { allGroups, isRemote } from './extensions/remoteServices.ts';
import type { RequestContext, Server } from './context.ts';

/** The discovery document for this path; undefined where nothing of that name is served. */
export function discover(context: RequestContext): Answer | undefined {
  const { scheme } = context.server;
  const path = context.info.path.replace(/\/+$/, '');
  if (context.request.method !== 'GET' && context.request.method !== 'HEAD') return undefined;
  if (path === '') return rootAnswer(context.server, 200);
  const [, root, group = '', version] = path.split('/');
  if (root === 'apis' && version !== undefined && isRemote(context.server, group, version)) return undefined;
  const value = discoveryDocument({ ...scheme, groups: allGroups(context.server) }, path);
  return value && { type: 'document', code: 200, value };
}

/** The list of all paths is no kind: it is JSON, whatever the client accepts. */
function rootAnswer({ scheme, plainPaths }: Server, code: number): Answer {
  const text = JSON.stringify({ paths: rootPaths(scheme, [...plainPaths.keys()]) }, undefined, 2);
  return { type: 'response', response: textResponse(text, code, 'application/json') };
}

/**
 * The answer where nothing of a path's name is served: below `/api` and the groups that are built in a Status, below
 * other groups the plain text of whoever is asked last, and for all else the list of what there is.
 */
export function unserved({ info, server }: RequestContext): Answer {
  const [, root = '', group = '', version = ''] = info.path.split('/');
  if (root === 'apis' && group !== '') {
    if (isRemote(server, group, version)) return plain('service unavailable\n', 503);
    const builtIn = server.scheme.all().some(({ custom, gvr }) => !custom && gvr.group === group);
    if (!builtIn) return plain('404 page not found\n', 404);
  }
  if (root === 'api' || root === 'apis') throw status.unknownPath();
  return rootAnswer(server, 404);
}

const plain = (text: string, code: number): Answer => ({
  type: 'response',
  response: textResponse(text, code, 'text/plain; charset=utf-8'),
});
