import { always, atVersion, list, opt } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { RoleRef, Subject, SubjectV1alpha1 } from './shared.ts';

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
