/** Writes an object to storage: its stored form, the check whether it exists, and its view afterwards. */
import type { ApiObject, Resource } from '../../schema/index.ts';
import { clone, deepEqual, yieldToTasks } from '../../std/index.ts';
import type { Entry, PutOp, Revision } from '../../storage/index.ts';
import { inOrder, restored, storedText, withRevision } from '../codec/views.ts';
import type { ResourceContext, ResourceServer } from './registry.ts';
import type { Undo, Written } from './registry.ts';

/** The object with the presence rules and field order of its type restored. Fields that it took over from `existing` have them. */
export function normalize(
  context: ResourceContext,
  resource: Resource,
  object: ApiObject,
  existing?: object,
): ApiObject {
  const { node, declaration } = resource.hub;
  return context.server.scheme.decode(node, object, declaration.storesEmpty ? 'sent' : 'stored', existing) as ApiObject;
}

/** A new object, with a specification that it shares with others as that was stored. */
export function normalizeNew(context: ResourceContext, resource: Resource, object: ApiObject): ApiObject {
  const spec = context.server.specs.storedAs(object['spec']);
  return spec ? normalize(context, resource, { ...object, spec }, { spec }) : normalize(context, resource, object);
}

/**
 * A custom object may be stored in another version, with fields that the request's version lacks or without some that
 * it has; and reading may have added defaults.
 */
export function isUnchanged(resource: Resource, form: ApiObject, entry: Entry, existing: ApiObject): boolean {
  return resource.custom || resource.declaration.restore
    ? deepEqual(JSON.parse(storedText(form)), JSON.parse(entry.value))
    : deepEqual(form, existing);
}

/** The options of a write. */
export interface Storing {
  readonly undo: Undo | undefined;
  readonly taken: (by: Entry | undefined) => Error;
  readonly created: boolean;
  /** The stored form, if known. */
  readonly form?: ApiObject;
}

/** Another server has allocated what this write claims; the claim has to be repeated. */
export class Overtaken extends Error {}

/** Writes an object if its key still has the given revision; otherwise releases its allocations. */
export async function store(
  context: ResourceContext,
  resource: Resource,
  key: string,
  object: ApiObject,
  expect: number,
  storing: Storing,
): Promise<Written> {
  const { server } = context;
  const normalized = storing.created ? normalizeNew(context, resource, object) : object;
  try {
    if (context.isLarge) await yieldToTasks();
    const form = storing.form ?? (await storedForm(context, resource, normalized));
    const put = putOp(context, resource, key, form, expect);
    if (context.isLarge) await yieldToTasks();
    const result = await server.storage.commit([put, ...(storing.undo?.guards ?? [])]);
    if (context.isLarge) await yieldToTasks();
    if (!result.ok) throw result.key === key ? storing.taken(result.conflict) : new Overtaken();
    const entry = result.entries[0] as Entry;
    server.views.take(entry, resource, form);
    if (storing.created) server.specs.keep(resource, object, form);
    await server.views.ready([entry], resource);
    traceStored(context, key, result.revision);
    return shownAs(server, entry, resource, storing.created);
  } catch (error) {
    storing.undo?.();
    throw error;
  }
}

/** Deletes an object if it is still stored as `entry`; returns whether it was. `object` is its last known state. */
export async function remove(
  context: ResourceContext,
  resource: Resource,
  entry: Entry,
  object: ApiObject,
): Promise<boolean> {
  const { storage, views, registry } = context.server;
  const result = await storage.commit([{ type: 'delete', key: entry.key, expect: entry.revision }]);
  if (!result.ok) return false;
  views.passed(entry, resource);
  await registry.behaviour(resource)?.released?.(object, context);
  traceStored(context, entry.key, result.revision);
  return true;
}

function traceStored(
  { server: { tracer }, id, info: { verb } }: ResourceContext,
  key: string,
  revision: Revision,
): void {
  if (tracer.wants('request')) tracer.emit({ topic: 'request', request: id, stage: 'stored', key, revision, verb });
}

/** An entry as the result of a write. */
export const shownAs = ({ views }: ResourceServer, entry: Entry, resource: Resource, created = false): Written => ({
  object: views.of(entry, resource.hub).object,
  view: (r) => views.of(entry, r),
  created,
});

/**
 * The stored form of an object: custom objects have the definition's storage version, which a webhook may have to
 * produce.
 */
export function storedForm(
  { server }: ResourceContext,
  { custom, declaration, hub }: Resource,
  object: ApiObject,
): ApiObject | Promise<ApiObject> {
  if (!custom)
    return declaration.losesInStorage ? throughVersion(server, hub, declaration.storedAs ?? '', object) : object;
  return custom.remote ? custom.remote.toStored(withRevision(object, '')) : custom.toStored(object);
}

/** The storage operation that writes a `storedForm`, with a time to live if the kind has one. */
export function putOp(
  context: ResourceContext,
  resource: Resource,
  key: string,
  form: ApiObject,
  expect: number,
): PutOp {
  const ttl = resource.hub.declaration.ttlSeconds?.(context.server.flag);
  const { clock, storage, views } = context.server;
  const expires = ttl ? { expires: clock.now() + ttl * 1000 } : {};
  const before = expect > 0 ? storage.get(key) : undefined;
  const stored = (entry: Entry): void => {
    // Watches are notified before the writer is answered; without this they would parse the text again.
    views.take(entry, resource, form);
    if (before) views.passed(before, resource);
    // Expiring objects are sent to watchers and rarely read again.
    if (ttl) views.passed(entry, resource);
  };
  return { type: 'put', key, value: storedText(form), expect, stored, ...expires };
}

/** The object after a conversion to a version that can't express all of it, and back. */
function throughVersion({ scheme }: ResourceServer, hub: Resource, version: string, object: ApiObject): ApiObject {
  const stored = scheme.byKind({ ...hub.gvk, version });
  return stored ? scheme.convert(scheme.convert(object, hub, stored), stored, hub) : object;
}

/** The result of a dry run: the object as it would be read after storing it. */
export async function dryRunResult(
  context: ResourceContext,
  resource: Resource,
  object: ApiObject,
  created: boolean,
): Promise<Written> {
  const form = await storedForm(context, resource, object);
  const { custom } = resource;
  return unstored(context, custom?.remote ? object : restored(resource, clone(form)), created);
}

/** The result of a write that was not stored. */
export function unstored(context: ResourceContext, object: ApiObject, created: boolean): Written {
  const { server } = context;
  const view = (r: Resource) =>
    server.views.fresh(inOrder(r, r === r.hub ? object : server.scheme.convert(clone(object), r.hub, r)));
  return { object, view, created };
}
