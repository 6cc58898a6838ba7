import { always, intOrString, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';

export const IPBlock = struct(
  'api.networking.v1.IPBlock',
  {
    cidr: always(1, string, { doc: 'The range, such as `192.168.1.0/24`.' }),
    except: opt(2, list(string), { doc: 'Ranges inside it that are left out.' }),
  },
  { doc: 'A range of addresses, with holes.' },
);
export type IPBlock = Infer<typeof IPBlock>;

export const NetworkPolicyPeer = struct(
  'api.networking.v1.NetworkPolicyPeer',
  {
    podSelector: ptr(1, LabelSelector, {
      doc: 'Pods; in the namespaces that the other selector selects, or else in the namespace of the policy.',
    }),
    namespaceSelector: ptr(2, LabelSelector, { doc: 'Namespaces; an empty selector selects all.' }),
    ipBlock: ptr(3, IPBlock, { doc: 'Range of addresses; then neither selector may be set.' }),
  },
  { doc: 'Someone to talk to: pods, or a range of addresses.' },
);
export type NetworkPolicyPeer = Infer<typeof NetworkPolicyPeer>;

export const NetworkPolicyPort = struct(
  'api.networking.v1.NetworkPolicyPort',
  {
    protocol: ptr(1, string, { default: 'TCP', doc: '`TCP`, `UDP` or `SCTP`; TCP by default.' }),
    port: ptr(2, intOrString, { doc: 'Number or name of the port; none means all.' }),
  },
  { doc: 'A port to talk to.' },
);
export type NetworkPolicyPort = Infer<typeof NetworkPolicyPort>;

export const NetworkPolicyIngressRule = struct(
  'api.networking.v1.NetworkPolicyIngressRule',
  {
    ports: opt(1, list(NetworkPolicyPort), { doc: 'Ports to which it may come; none means all.' }),
    from: opt(2, list(NetworkPolicyPeer), { doc: 'Who may send it; none means everyone.' }),
  },
  { doc: 'Traffic that is let in: it has to match one of the ports and one of the peers.' },
);
export type NetworkPolicyIngressRule = Infer<typeof NetworkPolicyIngressRule>;

export const NetworkPolicyEgressRule = struct(
  'api.networking.v1.NetworkPolicyEgressRule',
  {
    ports: opt(1, list(NetworkPolicyPort), { doc: 'Ports to which it may go; none means all.' }),
    to: opt(2, list(NetworkPolicyPeer), { doc: 'To whom it may go; none means everyone.' }),
  },
  { doc: 'Traffic that is let out: it has to match one of the ports and one of the peers.' },
);
export type NetworkPolicyEgressRule = Infer<typeof NetworkPolicyEgressRule>;

export const NetworkPolicySpec = struct(
  'api.networking.v1.NetworkPolicySpec',
  {
    podSelector: always(1, LabelSelector, {
      doc: 'Pods to which the policy applies; empty selects all pods of the namespace.',
    }),
    ingress: opt(2, list(NetworkPolicyIngressRule), { doc: 'Traffic that is let in. Without a rule nothing is.' }),
    egress: opt(3, list(NetworkPolicyEgressRule), { doc: 'Traffic that is let out. Without a rule nothing is.' }),
    policyTypes: opt(4, list(string), {
      doc: '`Ingress`, `Egress` or both: directions that the policy restricts. Without it, Ingress, and Egress where there are egress rules.',
    }),
  },
  {
    defaults(spec) {
      if (!spec.policyTypes) spec.policyTypes = spec.egress ? ['Ingress', 'Egress'] : ['Ingress'];
    },
    doc: 'Which traffic is let through to and from pods. Policies add up: what one of them lets through passes.',
  },
);
export type NetworkPolicySpec = Infer<typeof NetworkPolicySpec>;

export const NetworkPolicy = object('api.networking.v1.NetworkPolicy', {
  spec: opt(2, NetworkPolicySpec, { doc: 'Which traffic is let through.' }),
});
export type NetworkPolicy = Infer<typeof NetworkPolicy>;
