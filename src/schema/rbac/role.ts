import { always, atVersion, kind, list } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { rbac } from '../groups.ts';
import { object } from '../meta/object.ts';
import { roleRules } from './rbac.rules.ts';
import { PolicyRule, PolicyRuleV1alpha1 } from './shared.ts';

export const Role = object('api.rbac.v1.Role', {
  rules: always(2, list(PolicyRule), { required: false, doc: 'What may be done; rules add up, nothing takes away.' }),
});
export type Role = Infer<typeof Role>;

export const RoleV1alpha1 = object('api.rbac.v1alpha1.Role', {
  rules: always(2, list(PolicyRuleV1alpha1), { required: false }),
});
export type RoleV1alpha1 = Infer<typeof RoleV1alpha1>;

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
