/** Connects writes with field ownership: which types, which versions, who writes. */
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
 * What a field manager makes of an object. It converts objects to the versions in which their owners know them; where a
 * webhook does that, `work` starts again with each conversion that it turns out to need. On large objects other tasks run
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

/** A conversion that is needed, and not known yet. */
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

/** The field manager for a resource: it may meet every served version of the kind. */
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
      // Owners are compared before anything is pruned; what the other version does not know can't be ascribed to anybody.
      if (resource.custom) return { ...object, apiVersion };
      const from = at(object.apiVersion ?? resource.apiVersion) ?? resource;
      // What an apply merged has its integers converted first; then it is as if it had been stored.
      const merged = scheme.decode(from.node, object, 'merged');
      return scheme.convert(scheme.decode(from.node, merged) as ApiObject, from, at(apiVersion) ?? from);
    },
  });
}

/** The same kind in another version; versions of definitions that are no longer served are still known. */
function versionOf({ server }: ResourceContext, resource: Resource, apiVersion: string): Resource | undefined {
  if (resource.custom) return resource.custom.versions().get(apiVersion);
  const { group, version } = groupVersionOf(apiVersion);
  // The core and the named groups are served apart, and neither knows the versions of the other (events have both).
  if ((group === '') !== (resource.gvk.group === '')) return undefined;
  const found = server.scheme.byKind({ group, version, kind: resource.gvk.kind });
  return found?.hub === resource.hub ? found : undefined;
}

/** `next` (in the request's version) with the ownership that this write leaves behind; with none where that can't be told. */
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
  // Of a custom object an empty list of owners says nothing; any other would forget them all.
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
    // A write does not fail because a webhook can't tell who owns what; the owners are lost.
    delete next.metadata.managedFields;
    return next;
  }
}

/** What an older version becomes on its way through the hub counts as the writer's, too: defaults that only the hub knows. */
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
