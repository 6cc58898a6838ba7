/** Server-side apply: merges the configuration of a field manager into an object, and records which fields it owns. */
import { noteEmpties } from '../codec/empties.ts';
import { parseYaml, SyntaxProblem } from '../codec/body.ts';
import { requireCustomKind } from '../codec/input.ts';
import { patchText, type PatchBody } from '../../merge/index.ts';
import { DecodeError, status, type ApiObject, type Resource } from '../../schema/index.ts';
import { clone, deepEqual, isObject, yieldToTasks } from '../../std/index.ts';
import type { WriteOptions } from '../registry/query.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { unexpected, type Updater } from '../registry/write.ts';
import { manageFields } from './fieldOwnership.ts';

/** How a configuration is applied to the existing object. Throws 400 if the kind can't be applied. */
export function applied(context: ResourceContext, resource: Resource, body: PatchBody, options: WriteOptions): Updater {
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
