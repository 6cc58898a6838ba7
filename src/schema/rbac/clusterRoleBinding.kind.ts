import { atVersion, kind } from '../define/index.ts';
import { rbac } from '../groups.ts';
import { clusterRoleBindingRules } from './rbac.rules.ts';
import { toAlphaFromHub, toHubFromAlpha } from './subjects.convert.ts';
import { tables } from '../parts/index.ts';
import { ClusterRoleBinding, ClusterRoleBindingV1alpha1 } from './clusterRoleBinding.ts';

export const clusterrolebindings = kind(ClusterRoleBinding, {
  group: rbac,
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  namespaced: false,
  rules: clusterRoleBindingRules,
  exported: false,
  doc: 'Grants a cluster role to subjects in the whole cluster.',
  versions: [
    { version: 'v1', type: ClusterRoleBinding },
    {
      version: 'v1beta1',
      type: atVersion(ClusterRoleBinding, 'v1beta1'),
      deprecated: { since: 'v1.17', removed: 'v1.22', replacement: 'rbac.authorization.{domain}/v1' },
    },
    {
      version: 'v1alpha1',
      type: ClusterRoleBindingV1alpha1,
      toHub: toHubFromAlpha,
      fromHub: toAlphaFromHub,
      deprecated: { since: 'v1.17', removed: 'v1.22', replacement: 'rbac.authorization.{domain}/v1' },
    },
  ],
  columns: tables.of('bindingColumns'),
});
