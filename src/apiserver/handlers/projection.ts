/** Subresources that represent a part of an object as an object of another kind, and write it back. */
import { DecodeError, status, type ApiObject, type Resource } from '../../schema/index.ts';
import { clone } from '../../std/index.ts';
import { acceptedBy } from '../codec/respond.ts';
import type { Answer } from '../codec/answer.ts';
import { readObject, readPatch } from '../codec/input.ts';
import { applyPatch, type PatchBody } from '../../merge/index.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { writeOptions, type WriteOptions } from '../registry/query.ts';
import { groupResource } from '../registry/preconditions.ts';
import { unexpected, updateObject, type WriteMode } from '../registry/write.ts';
import { mutate, optionsObject, validate } from './admit.ts';
import { manageFields } from './fieldOwnership.ts';
import { applying, decodePatched, formOf } from './patch.ts';
import { requireName } from './update.ts';

/** The representation of a resource's objects: its kind, and how it is written back. */
export interface Projection {
  /** The kind of the representation; undefined if it is not served. */
  readonly type: (context: ResourceContext) => Resource | undefined;
  /** The object to represent; throws 404 if it does not exist. */
  readonly current: (context: ResourceContext, resource: Resource) => Promise<ApiObject>;
  /** Throws if the object has no such representation. */
  readonly of: (resource: Resource, object: ApiObject) => ApiObject;
  /** The starting point of a change, if it differs from the representation. */
  readonly live?: (resource: Resource, object: ApiObject) => ApiObject;
  /** `object` with the changes of `wanted`. Throws 422 for an invalid change. */
  readonly into: (resource: Resource, object: ApiObject, wanted: ApiObject) => ApiObject;
  /** The write mode by which the changed object is validated. */
  readonly mode: WriteMode;
}

export async function project(context: ResourceContext, resource: Resource, projection: Projection): Promise<Answer> {
  const type = projection.type(context);
  if (!type) throw status.unknownPath();
  acceptedBy(context, type);
  const part = { ...projection, context, resource, type };
  switch (context.request.method) {
    case 'GET':
      return shown(part, projection.of(resource, await projection.current(context, resource)));
    case 'PUT':
      return replace(part);
    case 'PATCH':
      return patched(part);
    default:
      throw status.methodNotSupported(groupResource(resource), context.info.verb);
  }
}

interface Part extends Omit<Projection, 'type'> {
  readonly context: ResourceContext;
  readonly resource: Resource;
  readonly type: Resource;
}

function shown({ context, type }: Part, object: ApiObject): Answer {
  // The representation is computed and never stored: an empty list stays empty.
  const normalized = context.server.scheme.decode(type.node, object, 'sent') as ApiObject;
  return { type: 'object', code: 200, resource: type, view: () => context.server.views.fresh(normalized) };
}

async function replace(part: Part): Promise<Answer> {
  const { context, type } = part;
  const options = writeOptions(context.query, 'update', context.server.names.domain);
  const sent = await readObject(context, type);
  requireName(context, sent);
  return write(part, options.dryRun, () => sent);
}

async function patched(part: Part): Promise<Answer> {
  const { context, resource, type } = part;
  const form = formOf(context, resource);
  const body = await readPatch(context, resource);
  const options = writeOptions(context.query, 'patch', context.server.names.domain, form === 'apply');
  return write(part, options.dryRun, async (live) => {
    const next =
      form === 'apply'
        ? await applied(part, live, body, options)
        : decodePatched(context, type, form, applyPatch(form, live, body, type.node), body);
    requireName(context, next);
    return next;
  });
}

/**
 * The representation has no owners. An apply is compared with an owner of everything, so every change is a conflict.
 */
async function applied(
  { context, type }: Part,
  live: ApiObject,
  body: PatchBody,
  options: WriteOptions,
): Promise<ApiObject> {
  const { scheme, clock } = context.server;
  const { fieldManager: manager, force = false } = options;
  const request = {
    live,
    applied: applying.get().parseApplied(body),
    manager,
    force,
    apiVersion: type.apiVersion,
    now: clock.now(),
  };
  try {
    const next = await manageFields(context, type, (fields) => fields.apply(request));
    return scheme.decode(type.node, next, 'merged') as ApiObject;
  } catch (error) {
    if (error instanceof DecodeError) throw unexpected(error.message);
    throw error;
  }
}

/** Writes the change back into the object; the revision of the representation is the precondition. */
async function write(
  part: Part,
  dryRun: boolean,
  next: (live: ApiObject) => ApiObject | Promise<ApiObject>,
): Promise<Answer> {
  const { context, resource, type, mode } = part;
  const { name } = context.info;
  const options = optionsObject(context, 'UpdateOptions', dryRun ? { dryRun: ['All'] } : {});
  const request = { resource: type, name, dryRun, options, operation: 'UPDATE' as const };
  let views: { live: ApiObject; wanted: ApiObject } | undefined;
  const updater = async (existing: ApiObject | undefined): Promise<ApiObject> => {
    if (!existing) throw status.notFound(groupResource(resource), name);
    const live = context.server.scheme.decode(type.node, (part.live ?? part.of)(resource, existing)) as ApiObject;
    const wanted = await mutate(context, { ...request, object: await next(clone(live)), old: live });
    views = { live, wanted };
    return part.into(resource, existing, wanted);
  };
  const written = await updateObject(context, resource, name, updater, {
    mode,
    dryRun,
    validate: () => validate(context, { ...request, object: views?.wanted, old: views?.live }),
  });
  return shown(part, part.of(resource, written.object));
}
