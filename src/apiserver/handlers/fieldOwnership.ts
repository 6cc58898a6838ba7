/** Connects writes with field ownership: types, versions, and the manager. */
import { createFieldManager, type FieldManager } from '../../merge/index.ts';
import {
  groupVersionOf,
  StatusError,
  type ApiObject,
  type CustomResource,
  type Node,
  type Resource,
} from '../../schema/index.ts';
import { atOnce, inTurns, must, type Steps } from '../../std/index.ts';
import type { ResourceContext } from '../registry/registry.ts';

/**
 * Runs `work` with a field manager. The manager converts objects to the versions of their owners. If a webhook
 * converts, `work` is restarted with each additional conversion that it needs. For large objects other tasks run
 * between the steps.
 */
export function manageFields(
  context: ResourceContext,
  resource: Resource,
  work: (manager: FieldManager) => Steps<ApiObject>,
): ApiObject | Promise<ApiObject> {
  if (resource.custom?.remote)
    return withConversions(resource.custom, (convert) => atOnce(work(fieldManagerOf(context, resource, convert))));
  const steps = work(fieldManagerOf(context, resource));
  return context.isLarge ? inTurns(steps) : atOnce(steps);
}

type Convert = (object: ApiObject, apiVersion: string) => ApiObject;

/** Thrown for a conversion that is needed but not available yet. */
class Unconverted extends Error {
  readonly object: ApiObject;
  readonly apiVersion: string;

  constructor(object: ApiObject, apiVersion: string) {
    super(`conversion to ${apiVersion}`);
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

async function withConversions(custom: CustomResource, work: (convert: Convert) => ApiObject): Promise<ApiObject> {
  const known = new Map<string, ApiObject>();
  const keyOf = (object: ApiObject, apiVersion: string): string => `${apiVersion} ${JSON.stringify(object)}`;
  for (;;) {
    try {
      return work((object, apiVersion) => {
        const converted = known.get(keyOf(object, apiVersion));
        if (!converted) throw new Unconverted(object, apiVersion);
        return converted;
      });
    } catch (error) {
      if (!(error instanceof Unconverted)) throw error;
      const { object, apiVersion } = error;
      const remote = must(custom.versions().get(apiVersion)?.custom?.remote, 'only known versions are asked for');
      const [converted] = await remote.convertBare([object]);
      known.set(keyOf(object, apiVersion), must(converted, 'what is converted is returned'));
    }
  }
}

/** The field manager of a resource; it handles every served version of the kind. */
function fieldManagerOf(context: ResourceContext, resource: Resource, remotely?: Convert): FieldManager {
  const { scheme } = context.server;
  const at = (apiVersion: string): Resource | undefined => versionOf(context, resource, apiVersion);
  const node = (apiVersion: string): Node | undefined => {
    const found = at(apiVersion);
    return found?.custom?.ownership ?? found?.node;
  };
  return createFieldManager({
    names: context.server.names,
    kind: resource.gvk.kind,
    node,
    empty: (apiVersion) => scheme.decode((at(apiVersion) ?? resource).node, {}) as ApiObject,
    convert: (object, apiVersion) => {
      if (remotely) return remotely(object, apiVersion);
      // Ownership is compared before pruning; fields that the other version does not know can't be attributed.
      if (resource.custom) return { ...object, apiVersion };
      const from = at(object.apiVersion ?? resource.apiVersion) ?? resource;
      // Integers in the result of an apply are converted first, as if the result had been stored.
      const merged = scheme.decode(from.node, object, 'merged');
      return scheme.convert(scheme.decode(from.node, merged) as ApiObject, from, at(apiVersion) ?? from);
    },
  });
}

/** The same kind in another version; versions of definitions that are no longer served are still known. */
function versionOf({ server }: ResourceContext, resource: Resource, apiVersion: string): Resource | undefined {
  if (resource.custom) return resource.custom.versions().get(apiVersion);
  const { group, version } = groupVersionOf(apiVersion);
  // The core group and named groups are separate, and neither knows the versions of the other (events exist in both).
  if ((group === '') !== (resource.gvk.group === '')) return undefined;
  const found = server.scheme.byKind({ group, version, kind: resource.gvk.kind });
  return found?.hub === resource.hub ? found : undefined;
}

/** `next` (in the request's version) with the ownership after this write; without ownership if it can't be computed. */
export async function ownFields(
  context: ResourceContext,
  resource: Resource,
  live: ApiObject | undefined,
  next: ApiObject,
  fieldManager: string,
): Promise<ApiObject> {
  if (resource.declaration.untracked) return next;
  if (!context.server.gate('ServerSideApply')) {
    delete next.metadata.managedFields;
    return next;
  }
  // For a custom object an empty list of owners has no meaning; for other kinds it resets ownership.
  if (resource.custom && next.metadata.managedFields?.length === 0) delete next.metadata.managedFields;
  const manager = fieldManager === '' ? agentOf(context) : fieldManager;
  const subresource = context.info.subresource !== '';
  const request = {
    live,
    next: throughHub(context, resource, next),
    sent: context.sent,
    manager,
    apiVersion: resource.apiVersion,
    now: context.server.clock.now(),
    subresource,
  };
  try {
    return await manageFields(context, resource, (fields) => fields.update(request));
  } catch (error) {
    if (!resource.custom?.remote || !(error instanceof StatusError)) throw error;
    // A write does not fail because a webhook fails to convert for ownership; the ownership is lost instead.
    delete next.metadata.managedFields;
    return next;
  }
}

/** Changes from converting an older version to the hub also belong to the writer: defaults that only the hub has. */
function throughHub(context: ResourceContext, resource: Resource, next: ApiObject): ApiObject {
  if (resource === resource.hub) return next;
  const { scheme } = context.server;
  const { managedFields } = next.metadata;
  const back = scheme.convert(scheme.convert(next, resource, resource.hub), resource.hub, resource);
  return managedFields === undefined ? back : { ...back, metadata: { ...back.metadata, managedFields } };
}

/** The first word of the User-Agent. */
export function agentOf(context: ResourceContext): string {
  return (context.userAgent.split('/')[0] ?? '').slice(0, 128);
}
