/** patch: JSON patch, merge patch, strategic merge patch. */
import { noteEmpties } from '../codec/empties.ts';
import { nodeOf, readPatch, toHub } from '../codec/input.ts';
import { checkNumbers, checkPatchNumbers, mayHaveSpecialNumbers } from '../codec/numbers.ts';
import { acceptedBy } from '../codec/respond.ts';
import type { Answer } from '../codec/answer.ts';
import { applyPatch, keepEmptyOwners, patchText, type PatchBody, type PatchForm } from '../../merge/index.ts';
import {
  ConversionError,
  DecodeError,
  field,
  groupOf,
  groupVersionOf,
  status,
  type ApiObject,
  type Resource,
} from '../../schema/index.ts';
import { isObject, getOwn, yieldToTasks, goText, Part } from '../../std/index.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { writeOptions, type WriteOptions } from '../registry/query.ts';
import { groupResource } from '../registry/preconditions.ts';
import { updateObject, unexpected, type Updater, type WriteMode } from '../registry/write.ts';
import { mutate, operationOn, validate } from './admit.ts';
import { mayCreate } from './createByUpdate.ts';
import { ownFields } from './fieldOwnership.ts';
import { requireName } from './update.ts';

/** Server-side apply, loaded with the first request of that type. */
export const applying = new Part(() => import('./apply.ts'));

const FORMS: Readonly<Record<string, PatchForm | 'apply'>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

export async function patch(context: ResourceContext, resource: Resource, mode: WriteMode): Promise<Answer> {
  const { server, info } = context;
  const form = formOf(context, resource);
  acceptedBy(context, resource);
  const body = await readPatch(context, resource);
  const options = writeOptions(context.query, 'patch', server.names.domain, form === 'apply');
  const change =
    form === 'apply'
      ? applying.get().applied(context, resource, body, options)
      : patched(context, resource, form, body, options);
  const { dryRun } = options;
  const request = { resource, name: info.name, dryRun };
  const written = await updateObject(
    context,
    resource,
    info.name,
    async (existing) => {
      const next = await change(existing);
      if (!existing && next.metadata.uid) throw unknownUid(resource, info.name, next.metadata.uid);
      requireName(context, next);
      const object = toHub(context, resource, next);
      return mutate(context, { ...request, ...operationOn(context, existing, options), object, old: existing });
    },
    {
      mode,
      dryRun,
      onlyReads: true,
      createIfAbsent: form === 'apply' && mode === 'object',
      mayCreate: () => mayCreate(context),
      validate: async (object, old) => {
        await validate(context, { ...request, ...operationOn(context, old, options), object, old });
        if (form === 'apply') resource.custom?.settle(object);
      },
    },
  );
  return { type: 'object', code: written.created ? 201 : 200, resource, view: written.view };
}

/** An apply with a uid requires an existing object. */
const unknownUid = (resource: Resource, name: string, uid: string): Error =>
  status.conflict(
    groupResource(resource),
    name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );

/**
 * The patch type from the Content-Type; throws 415. Custom resources have no strategic merge patch, and apply only with
 * its gate.
 */
export function formOf(context: ResourceContext, resource: Resource): PatchForm | 'apply' {
  const type = (context.request.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const form = getOwn(FORMS, type);
  const offered = Object.keys(FORMS).filter(
    (t) =>
      (getOwn(FORMS, t) !== 'strategic' || !resource.custom) &&
      (getOwn(FORMS, t) !== 'apply' || context.server.gate('ServerSideApply')),
  );
  if (!form || !offered.includes(type))
    throw resource.custom ? status.unsupportedMediaType(offered) : unknownForm(offered);
  return form;
}

/** Built-in kinds return empty details for this error. */
const unknownForm = (offered: readonly string[]): Error =>
  status.failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${offered.join(', ')}`,
    {},
  );

/** How a patch changes the existing object; the result is in the request's version and defaulted. */
function patched(
  context: ResourceContext,
  resource: Resource,
  form: PatchForm,
  body: PatchBody,
  options: WriteOptions,
): Updater {
  const { scheme } = context.server;
  return async (existing) => {
    if (!existing) throw status.notFound(groupResource(resource), context.info.name);
    const live = scheme.convert(existing, resource.hub, resource);
    if (context.isLarge) await yieldToTasks();
    const raw = applyPatch(form, live, body, resource.node);
    if (context.isLarge) await yieldToTasks();
    const next = decodePatched(context, resource, form, raw, body);
    if (context.isLarge) await yieldToTasks();
    return ownFields(context, resource, live, next, options.fieldManager);
  };
}

/** A patch whose result can't be decoded is itself invalid: 422 with the cause `patch`. */
export function decodePatched(
  context: ResourceContext,
  resource: Resource,
  form: PatchForm,
  raw: unknown,
  body: PatchBody,
): ApiObject {
  const { scheme } = context.server;
  try {
    if (!isObject(raw)) throw new DecodeError('the result is not an object');
    const { as, typed } = typeOfResult(context, resource, form, raw);
    checkPatched(context, as, form, body);
    const object = scheme.decode(as.node, typed, form === 'strategic' ? 'merged' : 'sent') as ApiObject;
    keepEmptyOwners(object, typed);
    noteEmpties(context, as, typed);
    scheme.applyDefaults(as, object);
    return as === resource ? object : scheme.convert(object, as, resource);
  } catch (error) {
    if (form === 'strategic' && error instanceof ConversionError) throw unexpected(error.message);
    if (error instanceof DecodeError) {
      const text = patchText(body);
      throw status.invalid({ group: '', kind: '' }, '', [
        field.invalid('patch', form === 'strategic' ? goText(JSON.parse(text)) : text, error.message),
      ]);
    }
    throw error;
  }
}

/** For the two patch types that work on text: checks numbers as in a body. A value has no special ones. */
function checkPatched({ warnings }: ResourceContext, resource: Resource, form: PatchForm, body: PatchBody): void {
  if (form === 'strategic' || typeof body !== 'string' || !mayHaveSpecialNumbers(body)) return;
  (form === 'json' ? checkPatchNumbers : checkNumbers)(nodeOf(resource), body, warnings);
}

interface TypedResult {
  readonly as: Resource;
  readonly typed: Record<string, unknown>;
}

/**
 * The type of a patch result. A strategic merge patch works on the typed object and can't change kind or version. The
 * other patch types may omit the kind, and may change the version of the object; if they remove the version, the fields
 * can't be decoded.
 */
function typeOfResult(
  context: ResourceContext,
  resource: Resource,
  form: PatchForm,
  raw: Record<string, unknown>,
): TypedResult {
  const { apiVersion: ownVersion, gvk } = resource;
  if (form === 'strategic') return { as: resource, typed: { ...raw, apiVersion: ownVersion, kind: gvk.kind } };
  if (resource.custom) return { as: resource, typed: requireCustomType(resource, raw) };
  const kind = raw['kind'] || gvk.kind;
  const apiVersion = raw['apiVersion'];
  if (!apiVersion) return { as: resource, typed: { apiVersion: ownVersion, kind } };
  const as =
    kind === gvk.kind && typeof apiVersion === 'string' ? versionNamed(context, resource, apiVersion) : undefined;
  if (!as) throw new DecodeError(`the result is a ${JSON.stringify(kind)} in ${JSON.stringify(apiVersion)}`);
  return { as, typed: { ...raw, kind } };
}

/** The same kind in the named version, in any group. */
function versionNamed({ server }: ResourceContext, resource: Resource, apiVersion: string): Resource | undefined {
  if (apiVersion === resource.apiVersion) return resource;
  const found = server.scheme.byKind({ ...groupVersionOf(apiVersion), kind: resource.gvk.kind });
  return found?.hub === resource.hub ? found : undefined;
}

/** A patch may change the type of a custom object; a type other than the request's is a validation error. */
function requireCustomType(resource: Resource, raw: Record<string, unknown>): Record<string, unknown> {
  const { kind, apiVersion = '', metadata } = raw;
  if (typeof kind !== 'string' || kind === '') throw new DecodeError("Object 'Kind' is missing");
  if (typeof apiVersion !== 'string') throw new DecodeError('apiVersion is not a string');
  const errors = [
    ...(kind === resource.gvk.kind ? [] : [field.invalid('kind', kind, `must be ${resource.gvk.kind}`)]),
    ...(apiVersion === resource.apiVersion
      ? []
      : [field.invalid('apiVersion', apiVersion, `must be ${resource.apiVersion}`)]),
  ];
  if (errors.length === 0) return raw;
  const name = isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  throw status.invalid({ group: groupOf(apiVersion), kind }, name, errors);
}
