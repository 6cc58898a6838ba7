/** How an object gets into storage: its form there, whether it is there already, and how it looks once it is. */
import type { ApiObject, Resource } from '../../schema/index.ts';
import { clone, deepEqual } from '../../std/index.ts';
import type { Entry, Op } from '../../storage/index.ts';
import { storedText, withRevision } from '../codec/views.ts';
import type { RequestContext, Server } from '../context.ts';
import type { Written } from './registry.ts';

/** The object as its type has it: presence rules and order of fields restored after all that changed it. */
export function normalize(context: RequestContext, resource: Resource, object: ApiObject): ApiObject {
  return context.server.scheme.decode(resource.hub.node, object) as ApiObject;
}

/**
 * A custom object may be stored in another version, with fields that the request's version does not show, or without some
 * that it does.
 */
export function isUnchanged(
  resource: Resource,
  object: ApiObject,
  form: ApiObject,
  entry: Entry,
  existing: ApiObject,
): boolean {
  return resource.custom
    ? deepEqual(JSON.parse(storedText(form)), JSON.parse(entry.value))
    : deepEqual(object, existing);
}

/** What goes with a write. */
export interface Storing {
  readonly undo: (() => void) | undefined;
  readonly taken: (by: Entry | undefined) => Error;
  readonly created: boolean;
  /** As which it is stored, where that is known. */
  readonly form?: ApiObject;
}

/** Writes an object, if its key is at that revision still; otherwise what was taken for it is given back. */
export async function store(
  context: RequestContext,
  resource: Resource,
  key: string,
  object: ApiObject,
  expect: number,
  storing: Storing,
): Promise<Written> {
  const { server } = context;
  const normalized = storing.created ? normalize(context, resource, object) : object;
  try {
    const form = storing.form ?? (await storedForm(resource, normalized));
    const result = await server.storage.commit([putOp(context, resource, key, form, expect)]);
    if (!result.ok) throw storing.taken(result.conflict);
    const entry = result.entries[0] as Entry;
    await server.views.ready([entry], resource);
    if (server.tracer.wants('request'))
      server.tracer.emit({
        topic: 'request',
        request: context.id,
        stage: 'stored',
        key,
        revision: result.revision,
        verb: context.info.verb,
      });
    return shownAs(server, entry, resource, storing.created);
  } catch (error) {
    storing.undo?.();
    throw error;
  }
}

/** An entry as the outcome of a write. */
export const shownAs = ({ views }: Server, entry: Entry, resource: Resource, created = false): Written => ({
  object: views.of(entry, resource.hub).object,
  view: (r) => views.of(entry, r),
  created,
});

/** The object as it is stored: a custom one in the version that its definition says, which may be for a webhook to make. */
export function storedForm({ custom }: Resource, object: ApiObject): ApiObject | Promise<ApiObject> {
  if (!custom) return object;
  return custom.remote ? custom.remote.toStored(withRevision(object, '')) : custom.toStored(object);
}

/** The storage operation that writes an object in its `storedForm`, with its time to live where its kind has one. */
export function putOp(context: RequestContext, resource: Resource, key: string, form: ApiObject, expect: number): Op {
  const ttl = resource.hub.declaration.ttlSeconds?.(context.server.flag);
  const expires = ttl ? { expires: context.server.clock.now() + ttl * 1000 } : {};
  return { type: 'put', key, value: storedText(form), expect, ...expires };
}

/** The result of a write that was not stored. */
export function unstored(context: RequestContext, object: ApiObject, created: boolean): Written {
  const { server } = context;
  const view = (r: Resource) =>
    server.views.fresh(r === r.hub ? object : server.scheme.convert(clone(object), r.hub, r));
  return { object, view, created };
}
