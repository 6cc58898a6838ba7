import { atVersion, kind } from '../define/index.ts';
import { rbac } from '../groups.ts';
import { roleRules } from './rbac.rules.ts';
import { Role, RoleV1alpha1 } from './role.ts';

export const roles = kind(Role, {
  group: rbac,
  kind: 'Role',
  resource: 'roles',
  namespaced: true,
  rules: roleRules,
  exported: false,
  doc: 'Permissions within one namespace.',
  versions: [
    { version: 'v1', type: Role },
    {
      version: 'v1beta1',
      type: atVersion(Role, 'v1beta1'),
      deprecated: { since: 'v1.17', removed: 'v1.22', replacement: 'rbac.authorization.{domain}/v1' },
    },
    {
      version: 'v1alpha1',
      type: RoleV1alpha1,
      deprecated: { since: 'v1.17', removed: 'v1.22', replacement: 'rbac.authorization.{domain}/v1' },
    },
  ],
});
