/** patch: JSON patch, merge patch, strategic merge patch, server-side apply. */
import { parseYaml, SyntaxProblem } from '../codec/body.ts';
import { noteEmpties } from '../codec/empties.ts';
import { nodeOf, readPatch, toHub, requireCustomKind } from '../codec/input.ts';
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
import { clone, deepEqual, isObject, getOwn, yieldToTasks, goText } from '../../std/index.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { writeOptions, type WriteOptions } from '../registry/query.ts';
import { groupResource } from '../registry/preconditions.ts';
import { updateObject, unexpected, type WriteMode } from '../registry/write.ts';
import { mutate, operationOn, validate } from './admit.ts';
import { mayCreate } from './createByUpdate.ts';
import { manageFields, ownFields } from './fieldOwnership.ts';
import { requireName } from './update.ts';

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
    form === 'apply' ? applied(context, resource, body, options) : patched(context, resource, form, body, options);
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

/** Applies a patch to the existing object; the result is in the request's version and defaulted. */
type Change = (existing: ApiObject | undefined) => Promise<ApiObject>;

function patched(
  context: ResourceContext,
  resource: Resource,
  form: PatchForm,
  body: PatchBody,
  options: WriteOptions,
): Change {
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

function applied(context: ResourceContext, resource: Resource, body: PatchBody, options: WriteOptions): Change {
  const { scheme, clock } = context.server;
  if (resource.declaration.untracked) throw unexpected(`${resource.gvr.resource} can't be applied`);
  const configuration = parseApplied(body);
  return async (existing) => {
    if (context.isLarge) await yieldToTasks();
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
      requireAppliedKind(resource, configuration, context.info.name);
      const next = await manageFields(context, resource, (fields) => fields.apply(request));
      if (context.isLarge) await yieldToTasks();
      const object = completeApplied(context, resource, next);
      if (context.isLarge) await yieldToTasks();
      return keepTimes(object, live);
    } catch (error) {
      if (error instanceof DecodeError) throw unexpected(error.message);
      throw error;
    }
  };
}

/** Decodes and defaults the result of an apply. */
function completeApplied(context: ResourceContext, resource: Resource, merged: ApiObject): ApiObject {
  const { scheme } = context.server;
  noteEmpties(context, resource, merged);
  if (resource.custom) return resource.custom.completeApplied({ kind: resource.gvk.kind, ...merged });
  const object = scheme.decode(resource.node, merged, 'merged') as ApiObject;
  scheme.applyDefaults(resource, object);
  return object;
}

/**
 * Where no types of a custom resource are known, a configuration of another kind is an invalid object, and only a missing
 * kind is accepted. In all other cases the kind is checked with the types.
 */
function requireAppliedKind(resource: Resource, { apiVersion, kind }: Record<string, unknown>, name: string): void {
  if (resource.custom?.ownership.type !== 'open' || apiVersion !== resource.apiVersion) return;
  if (kind === undefined) return;
  if (typeof kind !== 'string' || kind === '') throw status.internalError("Object 'Kind' is missing");
  requireCustomKind(resource, { apiVersion, kind, metadata: { name, creationTimestamp: null } });
}

/**
 * An apply removes what defaulting made of its empty values, and defaulting adds it again. If only timestamps differ
 * from the live object in the end, nothing is written.
 */
function keepTimes(object: ApiObject, live: ApiObject | undefined): ApiObject {
  const owners = live?.metadata.managedFields;
  if (!live || !owners || !deepEqual(timeless(object), timeless(live))) return object;
  return { ...object, metadata: { ...object.metadata, managedFields: clone(owners) } };
}

/** The object with its owners in an order that does not depend on timestamps. */
function timeless({ metadata, ...rest }: ApiObject): unknown {
  const entries = (metadata.managedFields ?? []).map(({ time: _time, ...entry }) => entry);
  const identity = ({ manager = '', operation = '', apiVersion = '' }: (typeof entries)[number]): string =>
    [manager, operation, apiVersion].join('\n');
  const sorted = entries.sort((a, b) => (identity(a) < identity(b) ? -1 : 1));
  return { ...rest, metadata: { ...metadata, managedFields: sorted } };
}

/**
 * The configuration in an apply's body; an empty text is an empty configuration. Throws 400 if it is not YAML or not an
 * object.
 */
export function parseApplied(body: PatchBody): Record<string, unknown> {
  try {
    const configuration = parseYaml(patchText(body)) ?? {};
    if (isObject(configuration)) return configuration;
    throw new SyntaxProblem('the configuration is not an object');
  } catch (error) {
    if (error instanceof SyntaxProblem) throw status.badRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
}
