import { always, atVersion, list, opt, ptr, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { PolicyRule, PolicyRuleV1alpha1 } from './shared.ts';

export const AggregationRule = struct(
  'api.rbac.v1.AggregationRule',
  {
    clusterRoleSelectors: opt(1, list(LabelSelector), {
      doc: 'Selectors of cluster roles; the rules of all that one of them selects are taken in.',
    }),
  },
  { doc: 'Which other roles a role is made of.' },
);
export type AggregationRule = Infer<typeof AggregationRule>;

export const ClusterRole = object('api.rbac.v1.ClusterRole', {
  rules: always(2, list(PolicyRule), { required: false, doc: 'What may be done; rules add up, nothing takes away.' }),
  aggregationRule: ptr(3, AggregationRule, {
    doc: 'Collects the rules of other roles; then a controller fills in the rules, and changes by hand are lost.',
  }),
});
export type ClusterRole = Infer<typeof ClusterRole>;

export const ClusterRoleV1alpha1 = object('api.rbac.v1alpha1.ClusterRole', {
  rules: always(2, list(PolicyRuleV1alpha1), { required: false }),
  aggregationRule: ptr(3, atVersion(AggregationRule, 'v1alpha1')),
});
export type ClusterRoleV1alpha1 = Infer<typeof ClusterRoleV1alpha1>;
