import { atVersion, kind } from '../define/index.ts';
import { rbac } from '../groups.ts';
import { roleBindingRules } from './rbac.rules.ts';
import { toAlphaFromHub, toHubFromAlpha } from './subjects.convert.ts';
import { tables } from '../parts/index.ts';
import { RoleBinding, RoleBindingV1alpha1 } from './roleBinding.ts';

export const rolebindings = kind(RoleBinding, {
  group: rbac,
  kind: 'RoleBinding',
  resource: 'rolebindings',
  namespaced: true,
  rules: roleBindingRules,
  exported: false,
  doc: 'Grants a role to subjects within one namespace.',
  versions: [
    { version: 'v1', type: RoleBinding },
    {
      version: 'v1beta1',
      type: atVersion(RoleBinding, 'v1beta1'),
      deprecated: { since: 'v1.17', removed: 'v1.22', replacement: 'rbac.authorization.{domain}/v1' },
    },
    {
      version: 'v1alpha1',
      type: RoleBindingV1alpha1,
      toHub: toHubFromAlpha,
      fromHub: toAlphaFromHub,
      deprecated: { since: 'v1.17', removed: 'v1.22', replacement: 'rbac.authorization.{domain}/v1' },
    },
  ],
  columns: tables.of('bindingColumns'),
});
