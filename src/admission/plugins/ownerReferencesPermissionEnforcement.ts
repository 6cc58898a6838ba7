/**
 * OwnerReferencesPermissionEnforcement: changing owners needs the permissions for what the garbage collector would do.
 */
import type { ApiObject } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { refusalOf } from './allowed.ts';
import { refuse } from './refuse.ts';

type Reference = NonNullable<ApiObject['metadata']['ownerReferences']>[number];

export const ownerReferencesPermissionEnforcement: PluginDeclaration = {
  name: 'OwnerReferencesPermissionEnforcement',
  on: false,
  create: (deps) => ({
    name: 'OwnerReferencesPermissionEnforcement',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate: async (attributes) => {
      const { resource, subresource } = attributes;
      // Old node agents send owners with a pod's status; they are ignored there.
      if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return;
      if (!changesOwners(attributes)) return;
      if (attributes.operation !== 'CREATE') await requireDeletion(attributes, deps);
      for (const reference of newlyBlocking(attributes)) await requireFinalizers(attributes, deps, reference);
    },
  }),
};

const ownersOf = (object: ApiObject | undefined): readonly Reference[] => object?.metadata?.ownerReferences ?? [];

const changesOwners = ({ object, oldObject }: AdmissionAttributes): boolean =>
  !deepEqual(ownersOf(object), ownersOf(oldObject));

/** References that newly block the deletion of their owner. */
function newlyBlocking({ object, oldObject }: AdmissionAttributes): readonly Reference[] {
  const before = new Map(ownersOf(oldObject).map((reference) => [reference.uid, reference]));
  return ownersOf(object).filter(
    (reference) => reference.blockOwnerDeletion === true && before.get(reference.uid)?.blockOwnerDeletion !== true,
  );
}

/**
 * Setting an owner makes the object deletable by garbage collection, so it needs the permission to delete the object.
 */
async function requireDeletion(attributes: AdmissionAttributes, deps: PluginDeps): Promise<void> {
  const { user, namespace, resource, subresource, name } = attributes;
  const why = await refusalOf({ user, verb: 'delete', namespace, ...resource, subresource, name }, deps);
  if (why !== undefined)
    throw refuse(attributes, `cannot set an ownerRef on a resource you can't delete: ${why}, <nil>`);
}

async function requireFinalizers(
  attributes: AdmissionAttributes,
  deps: PluginDeps,
  { apiVersion, kind, name }: Reference,
): Promise<void> {
  const owner = deps.scheme.all().find((r) => r.apiVersion === apiVersion && r.gvk.kind === kind);
  if (!owner)
    throw refuse(
      attributes,
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`,
    );
  const namespace = owner.namespaced ? attributes.namespace : '';
  const { user } = attributes;
  const why = await refusalOf({ user, verb: 'update', namespace, ...owner.gvr, subresource: 'finalizers', name }, deps);
  if (why !== undefined)
    throw refuse(
      attributes,
      `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${why}, <nil>`,
    );
}
