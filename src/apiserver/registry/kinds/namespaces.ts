/**
 * Namespaces are deleted in two steps: a delete marks one as terminating, and it stays until its content and finalizers
 * are gone.
 */
import type { ApiObject, Resource } from '../../../schema/index.ts';
import { clone, isObject, rfc3339 } from '../../../std/index.ts';
import type { Entry } from '../../../storage/index.ts';
import type { ResourceContext } from '../registry.ts';
import type { DeleteOptions, ValidateDelete } from '../deleteOptions.ts';
import { FOREGROUND, ORPHAN } from '../deletion.ts';
import { objectKey } from '../keys.ts';
import type { KindFile, Removal } from '../registry.ts';
import { normalize, putOp, unstored } from '../store.ts';

export const namespaces: KindFile = { resource: 'namespaces', behaviour: { remove } };

async function remove(
  object: ApiObject,
  options: DeleteOptions,
  context: ResourceContext,
  resource: Resource,
  validate: ValidateDelete,
): Promise<Removal | undefined> {
  if (object.metadata.deletionTimestamp === undefined) return terminate(object, options, context, resource, validate);
  const spec = object['spec'];
  const held = isObject(spec) && Array.isArray(spec['finalizers']) && spec['finalizers'].length > 0;
  if (!held) return undefined;
  return { ...unstored(context, object, false), deleted: false };
}

/** The finalizers, with the garbage collector's as requested by the options; unspecified ones stay. */
function finalizersFor(current: readonly string[], options: DeleteOptions): string[] {
  const { orphanDependents: orphan, propagationPolicy: policy } = options;
  if (orphan === undefined && policy === undefined) return [...current];
  const others = current.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (orphan ?? policy === 'Orphan') return [...others, ORPHAN];
  return orphan === false || policy === 'Foreground' ? [...others, FOREGROUND] : others;
}

async function terminate(
  object: ApiObject,
  options: DeleteOptions,
  context: ResourceContext,
  resource: Resource,
  validate: ValidateDelete,
): Promise<Removal | undefined> {
  const { server } = context;
  await validate(object);
  const next = clone(object);
  next.metadata.deletionTimestamp = rfc3339(server.clock.now());
  next.metadata.finalizers = finalizersFor(next.metadata.finalizers ?? [], options);
  next['status'] = { ...(isObject(next['status']) ? next['status'] : {}), phase: 'Terminating' };
  const marked = normalize(context, resource, next);
  if ((options.dryRun ?? []).length > 0) return { ...unstored(context, marked, false), deleted: false };
  const key = objectKey(resource.hub, '', object.metadata.name ?? '');
  const result = await server.storage.commit([
    putOp(context, resource, key, marked, Number(object.metadata.resourceVersion)),
  ]);
  if (!result.ok)
    return remove(server.views.of(result.conflict as Entry, resource.hub).object, options, context, resource, validate);
  const entry = result.entries[0] as Entry;
  return {
    object: server.views.of(entry, resource.hub).object,
    view: (r) => server.views.of(entry, r),
    deleted: false,
  };
}
