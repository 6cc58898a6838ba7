/** The scale subresource: another kind's view of how many there are and should be. */
import { status, scaleOf, withScale, type ApiObject, type Resource } from '../../schema/index.ts';
import { clone } from '../../std/index.ts';
import { acceptedBy, type Answer } from '../codec/respond.ts';
import { readObject, toObject } from '../codec/input.ts';
import { bodyText, readBody } from '../codec/body.ts';
import { applyPatch } from '../../merge/index.ts';
import type { RequestContext } from '../context.ts';
import { writeOptions } from '../registry/query.ts';
import { getObject } from '../registry/read.ts';
import { updateObject } from '../registry/write.ts';
import { mutate, optionsObject, validate } from './admit.ts';
import { formOf } from './patch.ts';
import { requireName } from './update.ts';

export async function scale(context: RequestContext, resource: Resource): Promise<Answer> {
  switch (context.request.method) {
    case 'GET':
      return shown(context, resource, await current(context, resource));
    case 'PUT':
      return replace(context, resource);
    case 'PATCH':
      return patched(context, resource);
    default:
      throw status.failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
  }
}

/** The type of the view: autoscaling/v1 Scale, whatever is scaled. */
function scaleType(context: RequestContext): Resource {
  const type = context.server.scheme.byKind({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
  if (!type) throw status.unknownPath();
  return type;
}

async function current(context: RequestContext, resource: Resource): Promise<ApiObject> {
  const entry = await getObject(context, resource, context.info.name, context.query.get('resourceVersion') ?? '');
  return scaleOf(resource, context.server.views.of(entry, resource.hub).object);
}

function shown(context: RequestContext, _resource: Resource, object: ApiObject): Answer {
  const type = scaleType(context);
  const normalized = context.server.scheme.decode(type.node, object) as ApiObject;
  acceptedBy(context, type);
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
  const form = formOf(context, type);
  const body = bodyText(await readBody(context.request));
  const options = writeOptions(context.query, 'patch', context.server.names.domain, form === 'apply');
  if (form === 'apply') throw status.badRequest('apply is not supported on the scale subresource');
  return write(context, resource, options.dryRun, (live) => toObject(context, type, applyPatch(form, live, body, type.node)));
}

/** Writes the view's desired number back into the object; the view's revision is the precondition. */
async function write(context: RequestContext, resource: Resource, dryRun: boolean, next: (live: ApiObject) => ApiObject): Promise<Answer> {
  const options = optionsObject(context, 'UpdateOptions', dryRun ? { dryRun: ['All'] } : {});
  const type = scaleType(context);
  const request = { resource: type, name: context.info.name, dryRun, options, operation: 'UPDATE' as const };
  let views: { live: ApiObject; wanted: ApiObject } | undefined;
  const written = await updateObject(
    context,
    resource,
    context.info.name,
    async (existing) => {
      const live = scaleOf(resource, existing as ApiObject);
      const wanted = await mutate(context, { ...request, object: next(clone(live)), old: live });
      views = { live, wanted };
      return withScale(resource, existing as ApiObject, wanted);
    },
    { mode: 'object', dryRun, validate: () => validate(context, { ...request, object: views?.wanted, old: views?.live }) },
  );
  return shown(context, resource, scaleOf(resource, written.object));
}
