import { always, intOrString, kind, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { networkPolicyColumns } from './columns.ts';
import { networking } from '../groups.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { networkPolicyRules } from './networkPolicy.rules.ts';

export const IPBlock = struct('api.networking.v1.IPBlock', {
  cidr: always(1, string),
  except: opt(2, list(string)),
});
export type IPBlock = Infer<typeof IPBlock>;

export const NetworkPolicyPeer = struct('api.networking.v1.NetworkPolicyPeer', {
  podSelector: ptr(1, LabelSelector),
  namespaceSelector: ptr(2, LabelSelector),
  ipBlock: ptr(3, IPBlock),
});
export type NetworkPolicyPeer = Infer<typeof NetworkPolicyPeer>;

export const NetworkPolicyPort = struct('api.networking.v1.NetworkPolicyPort', {
  protocol: ptr(1, string, { default: 'TCP' }),
  port: ptr(2, intOrString),
});
export type NetworkPolicyPort = Infer<typeof NetworkPolicyPort>;

export const NetworkPolicyIngressRule = struct('api.networking.v1.NetworkPolicyIngressRule', {
  ports: opt(1, list(NetworkPolicyPort)),
  from: opt(2, list(NetworkPolicyPeer)),
});
export type NetworkPolicyIngressRule = Infer<typeof NetworkPolicyIngressRule>;

export const NetworkPolicyEgressRule = struct('api.networking.v1.NetworkPolicyEgressRule', {
  ports: opt(1, list(NetworkPolicyPort)),
  to: opt(2, list(NetworkPolicyPeer)),
});
export type NetworkPolicyEgressRule = Infer<typeof NetworkPolicyEgressRule>;

export const NetworkPolicySpec = struct(
  'api.networking.v1.NetworkPolicySpec',
  {
    podSelector: always(1, LabelSelector),
    ingress: opt(2, list(NetworkPolicyIngressRule)),
    egress: opt(3, list(NetworkPolicyEgressRule)),
    policyTypes: opt(4, list(string)),
  },
  {
    defaults(spec) {
      if (!spec.policyTypes) spec.policyTypes = spec.egress ? ['Ingress', 'Egress'] : ['Ingress'];
    },
  },
);
export type NetworkPolicySpec = Infer<typeof NetworkPolicySpec>;

export const NetworkPolicy = object('api.networking.v1.NetworkPolicy', {
  spec: opt(2, NetworkPolicySpec),
});
export type NetworkPolicy = Infer<typeof NetworkPolicy>;

export const networkpolicies = kind(NetworkPolicy, {
  group: networking,
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  shortNames: ['netpol'],
  namespaced: true,
  doc: 'Which traffic is let through to and from a set of pods.',
  versions: [{ version: 'v1', type: NetworkPolicy }],
  rules: networkPolicyRules,
  columns: networkPolicyColumns,
});
