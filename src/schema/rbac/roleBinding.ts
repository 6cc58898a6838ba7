import { always, atVersion, kind, list, opt } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { rbac } from '../groups.ts';
import { object } from '../meta/object.ts';
import { roleBindingRules } from './rbac.rules.ts';
import { toAlphaFromHub, toHubFromAlpha } from './subjects.convert.ts';
import { RoleRef, Subject, SubjectV1alpha1 } from './shared.ts';
import { tables } from '../parts/index.ts';

export const RoleBinding = object('api.rbac.v1.RoleBinding', {
  subjects: opt(2, list(Subject), { doc: 'To whom the role is granted.' }),
  roleRef: always(3, RoleRef, { doc: 'Role that is granted.' }),
});
export type RoleBinding = Infer<typeof RoleBinding>;

export const RoleBindingV1alpha1 = object('api.rbac.v1alpha1.RoleBinding', {
  subjects: opt(2, list(SubjectV1alpha1)),
  roleRef: always(3, atVersion(RoleRef, 'v1alpha1')),
});
export type RoleBindingV1alpha1 = Infer<typeof RoleBindingV1alpha1>;

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
