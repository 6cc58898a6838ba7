/** patch: JSON patch, merge patch, strategic merge patch, server-side apply. */
import { parseYaml, SyntaxProblem } from '../codec/body.ts';
import { noteEmpties } from '../codec/empties.ts';
import { readPatch, toHub } from '../codec/input.ts';
import { acceptedBy, type Answer } from '../codec/respond.ts';
import { applyPatch, keepEmptyOwners, type PatchForm } from '../../merge/index.ts';
import { DecodeError, field, status, type ApiObject, type Resource } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import type { RequestContext } from '../context.ts';
import { writeOptions, type WriteOptions } from '../registry/query.ts';
import { groupResource, updateObject, unexpected, type WriteMode } from '../registry/write.ts';
import { mutate, optionsObject, validate } from './admit.ts';
import { mayCreate } from './createByUpdate.ts';
import { fieldManagerOf, ownFields } from './fieldOwnership.ts';
import { requireName } from './update.ts';

const FORMS: Readonly<Record<string, PatchForm | 'apply'>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

export async function patch(context: RequestContext, resource: Resource, mode: WriteMode): Promise<Answer> {
  const { server, info } = context;
  acceptedBy(context, resource);
  const form = formOf(context, resource);
  const body = await readPatch(context);
  const options = writeOptions(context.query, 'patch', server.names.domain, form === 'apply');
  const change =
    form === 'apply' ? applied(context, resource, body, options) : patched(context, resource, form, body, options);
  const { dryRun, fieldManager, force } = options;
  const shown = optionsObject(context, 'PatchOptions', {
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(force === undefined ? {} : { force }),
    ...(fieldManager ? { fieldManager } : {}),
  });
  const request = { resource, name: info.name, dryRun, options: shown };
  const written = await updateObject(
    context,
    resource,
    info.name,
    async (existing) => {
      const next = change(existing);
      requireNamed(context, next);
      return mutate(context, {
        ...request,
        operation: existing ? 'UPDATE' : 'CREATE',
        object: toHub(context, resource, next),
        old: existing,
      });
    },
    {
      mode,
      dryRun,
      createIfAbsent: form === 'apply' && mode === 'object',
      mayCreate: () => mayCreate(context),
      validate: (object, old) => validate(context, { ...request, operation: old ? 'UPDATE' : 'CREATE', object, old }),
    },
  );
  return { type: 'object', code: written.created ? 201 : 200, resource, view: written.view };
}

/** A patch may not change the name, nor take it away. */
export function requireNamed(context: RequestContext, next: ApiObject): void {
  if (!next.metadata.name)
    throw status.badRequest('the name of the object (based on URL) was undeterminable: name must be provided');
  requireName(context, next);
}

/** The form by the Content-Type; throws 415. Custom resources have no strategic merge, and apply only while its gate is on. */
export function formOf(context: RequestContext, resource: Resource): PatchForm | 'apply' {
  const type = (context.request.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const form = FORMS[type];
  const offered = Object.keys(FORMS).filter(
    (t) =>
      (FORMS[t] !== 'strategic' || !resource.custom) &&
      (FORMS[t] !== 'apply' || context.server.gate('ServerSideApply')),
  );
  if (!form || !offered.includes(type))
    throw resource.custom ? status.unsupportedMediaType(offered) : unknownForm(offered);
  return form;
}

/** Built-in kinds say so with empty details. */
const unknownForm = (offered: readonly string[]): Error =>
  status.failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${offered.join(', ')}`,
    {},
  );

/** What a patch makes of the existing object, in the request's version and defaulted. */
type Change = (existing: ApiObject | undefined) => ApiObject;

function patched(
  context: RequestContext,
  resource: Resource,
  form: PatchForm,
  body: string,
  options: WriteOptions,
): Change {
  const { scheme } = context.server;
  return (existing) => {
    if (!existing) throw status.notFound(groupResource(resource), context.info.name);
    const live = scheme.convert(existing, resource.hub, resource);
    const next = decodePatched(context, resource, form, applyPatch(form, live, body, resource.node), body);
    return ownFields(context, resource, live, next, options.fieldManager);
  };
}

/**
 * A patch whose result is no object of its kind is itself invalid: 422, with the one cause `patch`. Strategic merge works
 * on the typed object, which knows its kind even where the patch replaced all of it.
 */
export function decodePatched(
  context: RequestContext,
  resource: Resource,
  form: PatchForm,
  raw: unknown,
  body: string,
): ApiObject {
  const { scheme } = context.server;
  try {
    if (!isObject(raw)) throw new DecodeError('the result is not an object');
    const typed = form === 'strategic' ? { apiVersion: resource.apiVersion, kind: resource.gvk.kind, ...raw } : raw;
    const object = scheme.decode(resource.node, typed, 'sent') as ApiObject;
    keepEmptyOwners(object, typed);
    noteEmpties(context, resource, typed);
    if (object.kind !== resource.gvk.kind || object.apiVersion !== resource.apiVersion)
      throw new DecodeError(`the result is a ${String(object.kind)} in ${String(object.apiVersion)}`);
    scheme.applyDefaults(resource, object);
    return object;
  } catch (error) {
    if (error instanceof DecodeError)
      throw status.invalid({ group: '', kind: '' }, '', [field.invalid('patch', body, error.message)]);
    throw error;
  }
}

function applied(context: RequestContext, resource: Resource, body: string, options: WriteOptions): Change {
  const { scheme, clock } = context.server;
  if (resource.declaration.untracked) throw unexpected(`${resource.gvr.resource} can't be applied`);
  const configuration = parseApplied(body);
  return (existing) => {
    const live = existing && scheme.convert(existing, resource.hub, resource);
    const request = {
      live,
      applied: configuration,
      manager: options.fieldManager,
      force: options.force ?? false,
      apiVersion: resource.apiVersion,
      now: clock.now(),
    };
    try {
      const next = fieldManagerOf(context, resource).apply(request);
      const object = scheme.decode(resource.node, next, 'sent') as ApiObject;
      noteEmpties(context, resource, next);
      scheme.applyDefaults(resource, object);
      return object;
    } catch (error) {
      if (error instanceof DecodeError) throw unexpected(error.message);
      throw error;
    }
  };
}

function parseApplied(body: string): unknown {
  try {
    return parseYaml(body);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw status.badRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
}
