/** Connects writes with field ownership: which types, which versions, who writes. */
import { createFieldManager, type FieldManager } from '../../merge/index.ts';
import type { ApiObject, Node, Resource } from '../../schema/index.ts';
import type { RequestContext } from '../context.ts';

/** The field manager for a resource: it may meet every served version of the kind. */
export function fieldManagerOf(context: RequestContext, resource: Resource): FieldManager {
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
      // Owners are compared before anything is pruned; what the other version does not know can't be ascribed to anybody.
      if (resource.custom) return { ...object, apiVersion };
      const from = at(object.apiVersion ?? resource.apiVersion) ?? resource;
      return scheme.convert(scheme.decode(from.node, object) as ApiObject, from, at(apiVersion) ?? from);
    },
  });
}

/** The same kind in another version; versions of definitions that are no longer served are still known. */
function versionOf({ server }: RequestContext, resource: Resource, apiVersion: string): Resource | undefined {
  if (resource.custom) return resource.custom.versions().get(apiVersion);
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  // The core and the named groups are served apart, and neither knows the versions of the other (events have both).
  if ((group === '') !== (resource.gvk.group === '')) return undefined;
  const found = server.scheme.byKind({ group: group ?? '', version: version ?? '', kind: resource.gvk.kind });
  return found?.hub === resource.hub ? found : undefined;
}

/** `next` (in the request's version) with the ownership that this write leaves behind. */
export function ownFields(
  context: RequestContext,
  resource: Resource,
  live: ApiObject | undefined,
  next: ApiObject,
  fieldManager: string,
): ApiObject {
  if (resource.declaration.untracked) return next;
  if (!context.server.gate('ServerSideApply')) {
    delete next.metadata.managedFields;
    return next;
  }
  const manager = fieldManager === '' ? agentOf(context) : fieldManager;
  const subresource = context.info.subresource !== '';
  return fieldManagerOf(context, resource).update({
    live,
    next: throughHub(context, resource, next),
    manager,
    apiVersion: resource.apiVersion,
    now: context.server.clock.now(),
    subresource,
  });
}

/** What an older version becomes on its way through the hub counts as the writer's, too: defaults that only the hub knows. */
function throughHub(context: RequestContext, resource: Resource, next: ApiObject): ApiObject {
  if (resource === resource.hub) return next;
  const { scheme } = context.server;
  const { managedFields } = next.metadata;
  const back = scheme.convert(scheme.convert(next, resource, resource.hub), resource.hub, resource);
  return managedFields === undefined ? back : { ...back, metadata: { ...back.metadata, managedFields } };
}

/** The first word of the User-Agent. */
export function agentOf(context: RequestContext): string {
  return (context.userAgent.split('/')[0] ?? '').slice(0, 128);
}
