/** update: PUT on an object or its status. */
import { status, type ApiObject, type Resource } from '../../schema/index.ts';
import { yieldToTasks } from '../../std/index.ts';
import { acceptedBy } from '../codec/respond.ts';
import type { Answer } from '../codec/answer.ts';
import { formOfBody, readOfAnyKind, readSent, requireCustomKind, toHub } from '../codec/input.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { versionCheck } from '../registry/preconditions.ts';
import { writeOptions } from '../registry/query.ts';
import { updateObject, type WriteMode } from '../registry/write.ts';
import { mutate, operationOn, validate } from './admit.ts';
import { mayCreate } from './createByUpdate.ts';
import { ownFields } from './fieldOwnership.ts';
import { dedupeOwners } from './ownerReferences.ts';

export async function update(context: ResourceContext, resource: Resource, mode: WriteMode): Promise<Answer> {
  const { server, info } = context;
  acceptedBy(context, resource);
  const body = await readSent(context);
  const options = writeOptions(context.query, 'update', server.names.domain);
  const { dryRun, fieldManager } = options;
  const read = async (): Promise<ApiObject> => {
    const object = await readOfAnyKind(context, resource, body, formOfBody(context, resource));
    requireName(context, object);
    dedupeOwners(context, object);
    return object;
  };
  const sent = await read();
  const { uid } = sent.metadata;
  // The first attempt may modify the parsed body; a retry after a concurrent write parses the body again.
  let unused: ApiObject | undefined = sent;
  const request = { resource, name: info.name, dryRun };
  const written = await updateObject(
    context,
    resource,
    info.name,
    async (existing) => {
      const next = unused ?? (await read());
      unused = undefined;
      if (existing && resource.custom) versionCheck(resource, next, existing)();
      requireCustomKind(resource, next);
      if (context.isLarge) await yieldToTasks();
      const owned = await ownFields(
        context,
        resource,
        existing && server.scheme.convert(existing, resource.hub, resource),
        next,
        fieldManager,
      );
      const object = toHub(context, resource, owned);
      return mutate(context, { ...request, ...operationOn(context, existing, options), object, old: existing });
    },
    {
      mode,
      dryRun,
      onlyReads: true,
      uid,
      mayCreate: () => mayCreate(context),
      validate: (object, old) => validate(context, { ...request, ...operationOn(context, old, options), object, old }),
    },
  );
  return { type: 'object', code: written.created ? 201 : 200, resource, view: written.view };
}

/** The body must have the name from the URL; throws 400. */
export function requireName(context: ResourceContext, object: ApiObject): void {
  const { name, namespace } = context.info;
  const { metadata } = object;
  if (!metadata.name)
    throw status.badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (metadata.name !== name)
    throw status.badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  if (namespace !== '' && metadata.namespace && metadata.namespace !== namespace) {
    throw status.badRequest(
      `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${namespace})`,
    );
  }
}
