import { always, list } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { PolicyRule, PolicyRuleV1alpha1 } from './shared.ts';

export const Role = object('api.rbac.v1.Role', {
  rules: always(2, list(PolicyRule), { required: false, doc: 'What may be done; rules add up, nothing takes away.' }),
});
export type Role = Infer<typeof Role>;

export const RoleV1alpha1 = object('api.rbac.v1alpha1.Role', {
  rules: always(2, list(PolicyRuleV1alpha1), { required: false }),
});
export type RoleV1alpha1 = Infer<typeof RoleV1alpha1>;
