/** The scale subresource: another kind's view of how many there are and should be. */
import {
  DecodeError,
  field,
  hasReplicas,
  isReason,
  scaleOf,
  status,
  withScale,
  type ApiObject,
  type Resource,
} from '../../schema/index.ts';
import { clone } from '../../std/index.ts';
import type { Entry } from '../../storage/index.ts';
import { acceptedBy, notAcceptable, type Answer } from '../codec/respond.ts';
import { readObject, readPatch } from '../codec/input.ts';
import { applyPatch } from '../../merge/index.ts';
import type { RequestContext } from '../context.ts';
import { writeOptions, type WriteOptions } from '../registry/query.ts';
import { getObject } from '../registry/read.ts';
import { groupResource, unexpected, updateObject } from '../registry/write.ts';
import { mutate, optionsObject, validate } from './admit.ts';
import { manageFields } from './fieldOwnership.ts';
import { decodePatched, formOf, parseApplied, requireNamed } from './patch.ts';
import { requireName } from './update.ts';

export async function scale(context: RequestContext, resource: Resource): Promise<Answer> {
  switch (context.request.method) {
    case 'GET':
      return shown(context, await current(context, resource));
    case 'PUT':
      return replace(context, resource);
    case 'PATCH':
      return patched(context, resource);
    default:
      throw status.methodNotSupported(groupResource(resource), context.info.verb);
  }
}

/** The type of the view: autoscaling/v1 Scale, whatever is scaled. */
function scaleType(context: RequestContext): Resource {
  const type = context.server.scheme.byKind({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
  if (!type) throw status.unknownPath();
  return type;
}

/** A custom resource may lack the field that says how many it wants; then it has no scale to show. */
async function current(context: RequestContext, resource: Resource): Promise<ApiObject> {
  const entry = await scaled(context, resource);
  const object = context.server.views.of(entry, resource.hub).object;
  if (resource.custom && !hasReplicas(resource, object)) {
    throw status.internalError(
      `the spec replicas field ${JSON.stringify(resource.scale?.specReplicas)} does not exist`,
    );
  }
  return scaleOf(resource, object);
}

/** That a built-in kind isn't there is told of its scale. */
async function scaled(context: RequestContext, resource: Resource): Promise<Entry> {
  try {
    return await getObject(context, resource, context.info.name, context.query.get('resourceVersion') ?? '');
  } catch (error) {
    if (resource.custom || !isReason(error, 'NotFound')) throw error;
    // The core group has no scales: what is missing is told of the group that has them.
    throw status.notFound(
      { group: resource.gvr.group || 'autoscaling', resource: `${resource.gvr.resource}/scale` },
      context.info.name,
    );
  }
}

function shown(context: RequestContext, object: ApiObject): Answer {
  const type = scaleType(context);
  const normalized = context.server.scheme.decode(type.node, object) as ApiObject;
  if (acceptedBy(context, type).transform?.kind === 'Table') throw notAcceptable('a Scale has no Table');
  return { type: 'object', code: 200, resource: type, view: () => context.server.views.fresh(normalized) };
}

async function replace(context: RequestContext, resource: Resource): Promise<Answer> {
  const options = writeOptions(context.query, 'update', context.server.names.domain);
  const sent = await readObject(context, scaleType(context));
  requireName(context, sent);
  return write(context, resource, options.dryRun, () => sent);
}

async function patched(context: RequestContext, resource: Resource): Promise<Answer> {
  const type = scaleType(context);
  const form = formOf(context, resource);
  const body = await readPatch(context);
  const options = writeOptions(context.query, 'patch', context.server.names.domain, form === 'apply');
  return write(context, resource, options.dryRun, async (live) => {
    const next =
      form === 'apply'
        ? await applied(context, type, live, body, options)
        : decodePatched(context, type, form, applyPatch(form, live, body, type.node), body);
    requireNamed(context, next);
    return next;
  });
}

/** A view has no owners of its own, so an apply meets one that owns all of it: whatever it changes is a conflict. */
async function applied(
  context: RequestContext,
  type: Resource,
  live: ApiObject,
  body: string,
  options: WriteOptions,
): Promise<ApiObject> {
  const { scheme, clock } = context.server;
  const { fieldManager: manager, force = false } = options;
  const request = { live, applied: parseApplied(body), manager, force, apiVersion: type.apiVersion, now: clock.now() };
  try {
    const next = await manageFields(context, type, (fields) => fields.apply(request));
    return scheme.decode(type.node, next) as ApiObject;
  } catch (error) {
    if (error instanceof DecodeError) throw unexpected(error.message);
    throw error;
  }
}

/** Writes the view's desired number back into the object; the view's revision is the precondition. */
async function write(
  context: RequestContext,
  resource: Resource,
  dryRun: boolean,
  next: (live: ApiObject) => ApiObject | Promise<ApiObject>,
): Promise<Answer> {
  const options = optionsObject(context, 'UpdateOptions', dryRun ? { dryRun: ['All'] } : {});
  const type = scaleType(context);
  const request = { resource: type, name: context.info.name, dryRun, options, operation: 'UPDATE' as const };
  let views: { live: ApiObject; wanted: ApiObject } | undefined;
  const written = await updateObject(
    context,
    resource,
    context.info.name,
    async (existing) => {
      if (!existing) throw status.notFound(groupResource(resource), context.info.name);
      const live = context.server.scheme.decode(type.node, scaleOf(resource, existing)) as ApiObject;
      const wanted = await mutate(context, { ...request, object: await next(clone(live)), old: live });
      views = { live, wanted };
      checkScale(resource, wanted);
      return withScale(resource, existing, wanted);
    },
    {
      mode: 'object',
      dryRun,
      validate: () => validate(context, { ...request, object: views?.wanted, old: views?.live }),
    },
  );
  return shown(context, scaleOf(resource, written.object));
}

/** Nothing can be wanted fewer than no times. Of a custom resource this is told as its own mistake, at its own path. */
function checkScale(resource: Resource, wanted: ApiObject): void {
  const { replicas = 0 } = wanted['spec'] as { readonly replicas?: number };
  if (replicas >= 0) return;
  const path = resource.custom ? (resource.scale?.specReplicas ?? '') : 'spec.replicas';
  const kind = resource.custom ? resource.gvk : { group: 'autoscaling', kind: 'Scale' };
  throw status.invalid(kind, wanted.metadata.name ?? '', [
    field.invalid(path, replicas, 'must be greater than or equal to 0'),
  ]);
}
