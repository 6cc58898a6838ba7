import { atVersion, kind } from '../define/index.ts';
import { rbac } from '../groups.ts';
import { clusterRoleRules } from './rbac.rules.ts';
import { ClusterRole, ClusterRoleV1alpha1 } from './clusterRole.ts';

export const clusterroles = kind(ClusterRole, {
  group: rbac,
  kind: 'ClusterRole',
  resource: 'clusterroles',
  namespaced: false,
  rules: clusterRoleRules,
  exported: false,
  doc: 'Permissions in the whole cluster, or a set of permissions for bindings to grant in namespaces.',
  versions: [
    { version: 'v1', type: ClusterRole },
    {
      version: 'v1beta1',
      type: atVersion(ClusterRole, 'v1beta1'),
      deprecated: { since: 'v1.17', removed: 'v1.22', replacement: 'rbac.authorization.{domain}/v1' },
    },
    {
      version: 'v1alpha1',
      type: ClusterRoleV1alpha1,
      deprecated: { since: 'v1.17', removed: 'v1.22', replacement: 'rbac.authorization.{domain}/v1' },
    },
  ],
});
