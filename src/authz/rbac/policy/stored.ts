/** Stored default roles and bindings. */
import type { Client, ResourceClient } from '../../../client/index.ts';
import { found } from '../../../schema/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import type { PolicyObject } from './defaultPolicy.ts';

const RESOURCES = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
  RoleBinding: 'rolebindings',
  ClusterRoleBinding: 'clusterrolebindings',
} as const;

export function resourceOf(client: Client, kind: PolicyObject['kind']): ResourceClient<ApiObject> {
  return client.of({
    group: 'rbac.authorization.{domain}',
    version: 'v1',
    resource: RESOURCES[kind],
    kind,
    namespaced: !kind.startsWith('Cluster'),
  });
}

/** The object of that name; undefined if it does not exist. */
export const find = (
  resource: ResourceClient<ApiObject>,
  name: string,
  namespace?: string,
): Promise<ApiObject | undefined> => found(resource.get(name, namespace));
