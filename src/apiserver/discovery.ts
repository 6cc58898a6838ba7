/** What there is: `/`, `/api`, `/apis`, groups, versions, resource lists. */
import { discoveryDocument, rootPaths } from '../schema/index.ts';
import type { Answer } from './codec/respond.ts';
import type { RequestContext } from './context.ts';

/** The discovery document for this path; undefined where nothing of that name is served. */
export function discover(context: RequestContext): Answer | undefined {
  const { scheme } = context.server;
  const path = context.info.path.replace(/\/+$/, '');
  if (context.request.method !== 'GET' && context.request.method !== 'HEAD') return undefined;
  const value = path === '' ? { paths: rootPaths(scheme, [...context.server.plainPaths.keys()]) } : discoveryDocument(scheme, path);
  return value && { type: 'document', code: 200, value };
}
