import { kind } from '../define/index.ts';
import { networking } from '../groups.ts';
import { policies, tables } from '../parts/index.ts';
import { NetworkPolicy } from './networkPolicy.ts';

export const networkpolicies = kind(NetworkPolicy, {
  group: networking,
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  // These kinds came from the extensions group, which their errors still name.
  errorGroup: 'extensions',
  shortNames: ['netpol'],
  namespaced: true,
  doc: 'Which traffic is let through to and from a set of pods.',
  versions: [{ version: 'v1', type: NetworkPolicy }],
  rules: policies.of('networkPolicyRules'),
  columns: tables.of('networkPolicyColumns'),
});
