/** Definitions are deleted in two steps: a delete marks one, and it stays until its objects are deleted. */
import type { ApiObject, Resource } from '../../../schema/index.ts';
import { clone, isObject, rfc3339 } from '../../../std/index.ts';
import type { Entry } from '../../../storage/index.ts';
import type { ResourceContext } from '../registry.ts';
import type { DeleteOptions, ValidateDelete } from '../deleteOptions.ts';
import { objectKey } from '../keys.ts';
import type { KindFile, Removal } from '../registry.ts';
import { normalize, putOp, unstored } from '../store.ts';

export const definitions: KindFile = {
  resource: 'customresourcedefinitions.apiextensions.{domain}',
  behaviour: { remove },
};

async function remove(
  object: ApiObject,
  options: DeleteOptions,
  context: ResourceContext,
  resource: Resource,
  validate: ValidateDelete,
): Promise<Removal | undefined> {
  if (object.metadata.deletionTimestamp !== undefined) return undefined;
  await validate(object);
  const { server } = context;
  const marked = normalize(context, resource, mark(object, context));
  if ((options.dryRun ?? []).length > 0) return { ...unstored(context, marked, false), deleted: false };
  const key = objectKey(resource.hub, '', object.metadata.name ?? '');
  const result = await server.storage.commit([
    putOp(context, resource, key, marked, Number(object.metadata.resourceVersion)),
  ]);
  const entry = result.ok ? (result.entries[0] as Entry) : result.conflict;
  // A concurrent write came first: delete the new state, if the object still exists.
  if (!entry) return undefined;
  if (!result.ok) return remove(server.views.of(entry, resource.hub).object, options, context, resource, validate);
  return {
    object: server.views.of(entry, resource.hub).object,
    view: (r) => server.views.of(entry, r),
    deleted: false,
  };
}

function mark(object: ApiObject, { server }: ResourceContext): ApiObject {
  const next = clone(object);
  const now = rfc3339(server.clock.now());
  const finalizer = server.names.fill('customresourcecleanup.apiextensions.{domain}');
  const { finalizers = [] } = next.metadata;
  next.metadata.deletionTimestamp = now;
  next.metadata.finalizers = finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
  const status = isObject(next['status']) ? next['status'] : {};
  const others = (Array.isArray(status['conditions']) ? status['conditions'] : []).filter(
    (condition: unknown) => !isObject(condition) || condition['type'] !== 'Terminating',
  );
  const terminating = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'The definition is marked for deletion; deletion of its objects begins soon',
  };
  next['status'] = { ...status, conditions: [...others, terminating] };
  return next;
}
