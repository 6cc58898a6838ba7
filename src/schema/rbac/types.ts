/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type { AggregationRule, ClusterRole, ClusterRoleV1alpha1 } from './clusterRole.ts';
export type { ClusterRoleBinding, ClusterRoleBindingV1alpha1 } from './clusterRoleBinding.ts';
export type { Role, RoleV1alpha1 } from './role.ts';
export type { RoleBinding, RoleBindingV1alpha1 } from './roleBinding.ts';
export type { PolicyRule, Subject, RoleRef, PolicyRuleV1alpha1, SubjectV1alpha1 } from './shared.ts';
