import { always, atVersion, kind, list, opt } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { rbac } from '../groups.ts';
import { object } from '../meta/object.ts';
import { clusterRoleBindingRules } from './rbac.rules.ts';
import { toAlphaFromHub, toHubFromAlpha } from './subjects.convert.ts';
import { RoleRef, Subject, SubjectV1alpha1 } from './shared.ts';
import { tables } from '../parts/index.ts';

export const ClusterRoleBinding = object('api.rbac.v1.ClusterRoleBinding', {
  subjects: opt(2, list(Subject), { doc: 'To whom the role is granted.' }),
  roleRef: always(3, RoleRef, { doc: 'Role that is granted.' }),
});
export type ClusterRoleBinding = Infer<typeof ClusterRoleBinding>;

export const ClusterRoleBindingV1alpha1 = object('api.rbac.v1alpha1.ClusterRoleBinding', {
  subjects: opt(2, list(SubjectV1alpha1)),
  roleRef: always(3, atVersion(RoleRef, 'v1alpha1')),
});
export type ClusterRoleBindingV1alpha1 = Infer<typeof ClusterRoleBindingV1alpha1>;

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
