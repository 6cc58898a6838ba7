/** get, list. */
import { status, type Resource } from '../../schema/index.ts';
import { Part } from '../../std/index.ts';
import type { Answer } from '../codec/answer.ts';
import { acceptedBy } from '../codec/respond.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { ifTrue, listOptions, validateListOptions, type ListOptions } from '../registry/query.ts';
import { getObject, listObjects, type ListResult } from '../registry/read.ts';
import { selectedName, selection } from '../registry/selection.ts';
import { groupResource } from '../registry/preconditions.ts';
import { watch } from './watch.ts';

/** Exports are rare, so their code is loaded with the first. */
export const exporting = new Part(() => import('./export.ts'));

/**
 * Whether a read requests an export (`handlers/export.ts`). Refuses (400) exports of subresources and of some kinds.
 */
export function asksForExport({ query, info }: ResourceContext, resource: Resource): boolean {
  if (!ifTrue(query.get('export'))) return false;
  if (info.subresource === '' && resource.declaration.exported !== false) return true;
  throw status.badRequest(`export of ${JSON.stringify(resource.gvr.resource)} is not supported`);
}

export async function get(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { server, info } = context;
  acceptedBy(context, resource);
  if (asksForExport(context, resource)) return (await exporting.load()).exportObject(context, resource);
  const virtual = server.registry.behaviour(resource)?.get;
  if (virtual) {
    const object = await virtual(info.name, context);
    return { type: 'object', code: 200, resource, view: () => server.views.fresh(object) };
  }
  const entry = await getObject(context, resource, info.name, context.query.get('resourceVersion') ?? '');
  return { type: 'object', code: 200, resource, view: (r) => server.views.of(entry, r) };
}

/** list, and watch if the query or the path requests it. */
export async function list(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { server, info } = context;
  acceptedBy(context, resource);
  const requested = listOptions(context.query);
  const watching = requested.watch || info.watchPath;
  if (watching && !resource.verbs.includes('watch')) throw unwatchable(context, resource);
  // The reference validates a request with an old watch path as a list here.
  validateListOptions(requested, server.names.domain);
  const options = inPages(context, singleName(context, requested));
  const selected = selection(resource, options.labelSelector, options.fieldSelector);
  if (watching) return { type: 'response', response: await watch(context, resource, options, selected) };
  const virtual = server.registry.behaviour(resource)?.list;
  if (virtual) {
    const objects = (await virtual(context)).filter((object) => selected?.(object) ?? true);
    const views = objects.map((object) => server.views.fresh(object));
    return { type: 'list', resource, views: () => views, metadata: {} };
  }
  return listAnswer(context, resource, await listObjects(context, resource, options, selected));
}

/** Kinds without stored objects can't be watched, and have no watch path. */
const unwatchable = ({ info }: ResourceContext, resource: Resource): Error =>
  info.watchPath ? status.unknownPath() : status.methodNotSupported(groupResource(resource), 'watch');

/** Without paging, a limit is ignored. */
function inPages({ server }: ResourceContext, options: ListOptions): ListOptions {
  return server.gate('APIListChunking') ? options : { ...options, limit: 0, continue: '' };
}

/** Old watch paths have the name in the path; a selector must match it. */
function singleName(context: ResourceContext, options: ListOptions): ListOptions {
  const name = context.info.parts[1];
  if (!context.info.watchPath || !name) return options;
  if (options.fieldSelector === '') return { ...options, fieldSelector: `metadata.name=${name}` };
  if (selectedName(options.fieldSelector) !== name)
    throw status.badRequest("fieldSelector metadata.name doesn't match requested name");
  return options;
}

export function listAnswer(context: ResourceContext, resource: Resource, result: ListResult): Answer {
  const metadata = {
    resourceVersion: String(result.revision),
    ...(result.continue === undefined ? {} : { continue: result.continue }),
    ...(result.remaining === undefined || !context.server.gate('RemainingItemCount')
      ? {}
      : { remainingItemCount: result.remaining }),
  };
  return {
    type: 'list',
    resource,
    metadata,
    views: (r) => result.entries.map((entry) => context.server.views.of(entry, r)),
  };
}
