import { kind } from '../define/index.ts';
import { policy } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { PodSecurityPolicy } from './podSecurityPolicy.ts';

export const podsecuritypolicies = kind(PodSecurityPolicy, {
  group: policy,
  kind: 'PodSecurityPolicy',
  resource: 'podsecuritypolicies',
  // These kinds came from the extensions group, which their errors still name.
  errorGroup: 'extensions',
  shortNames: ['psp'],
  namespaced: false,
  returnsDeleted: true,
  doc: 'What a pod may ask of its node before it is admitted.',
  versions: [{ version: 'v1beta1', type: PodSecurityPolicy }],
  rules: workloads.of('podSecurityPolicyRules'),
  blank: { spec: { allowPrivilegeEscalation: false } },
  columns: tables.of('podSecurityPolicyColumns'),
});
