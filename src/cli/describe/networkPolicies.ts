/** Network policies: whom the selected pods may hear and speak to. */
import { labelSelectorText, type objects } from '../../schema/index.ts';
import { describer, resource } from './describer.ts';
import { field, indent, meta, names, NONE, type Line } from './lines.ts';

type Peer = objects.NetworkPolicyPeer;

const networkPolicies = resource<objects.NetworkPolicy>('networking.{domain}/v1', 'networkpolicies', 'NetworkPolicy');

export const networkPolicyDescriber = describer(
  networkPolicies,
  (policy) => [
    ...names(policy),
    field('Created on', createdOn(policy.metadata?.creationTimestamp)),
    ...meta(policy),
    'Spec:',
    ...indent(1, specLines(policy.spec)),
  ],
  false,
);

/** `2020-01-01 00:00:00 +0000 UTC` */
const createdOn = (time: string | null | undefined): string =>
  `${new Date(time ?? 0).toISOString().replace('T', ' ').slice(0, 19)} +0000 UTC`;

const selectorText = (selector: objects.LabelSelector | undefined): string => labelSelectorText(selector) || NONE;

function specLines(spec: objects.NetworkPolicySpec | undefined): readonly Line[] {
  const types = spec?.policyTypes ?? [];
  const selector = labelSelectorText(spec?.podSelector);
  const ingress = (spec?.ingress ?? []).map(({ ports, from }) => ({ ports, peers: from }));
  const egress = (spec?.egress ?? []).map(({ ports, to }) => ({ ports, peers: to }));
  return [
    `PodSelector:     ${selector || '<none> (Allowing the specific traffic to all pods in this namespace)'}`,
    ...direction(types.includes('Ingress'), 'ingress', 'From', 'source', ingress),
    ...direction(types.includes('Egress'), 'egress', 'To', 'destination', egress),
    `Policy Types: ${types.join(', ') || NONE}`,
  ];
}

interface Rule {
  readonly ports: readonly objects.NetworkPolicyPort[] | undefined;
  readonly peers: readonly Peer[] | undefined;
}

function direction(
  affected: boolean,
  name: string,
  preposition: string,
  end: string,
  rules: readonly Rule[],
): readonly Line[] {
  if (!affected) return [`Not affecting ${name} traffic`];
  const lines = rules.map((rule) => ruleLines(rule, preposition, end));
  const all =
    lines.length === 0
      ? [`${NONE} (Selected pods are isolated for ${name} connectivity)`]
      : lines.flatMap((each, i) => (i === 0 ? each : ['----------', ...each]));
  return [`Allowing ${name} traffic:`, ...indent(1, all)];
}

const ruleLines = ({ ports, peers }: Rule, preposition: string, end: string): readonly Line[] => [
  ...(ports?.length
    ? ports.map(({ port, protocol }) => `To Port: ${port ?? '<nil>'}/${protocol ?? 'TCP'}`)
    : ['To Port: <any> (traffic allowed to all ports)']),
  ...(peers?.length
    ? peers.flatMap((peer) => [`${preposition}:`, ...indent(1, peerLines(peer))])
    : [`${preposition}: <any> (traffic not restricted by ${end})`]),
];

function peerLines({ podSelector, namespaceSelector, ipBlock }: Peer): readonly Line[] {
  if (!podSelector && !namespaceSelector)
    return ipBlock ? ['IPBlock:', `  CIDR: ${ipBlock.cidr}`, `  Except: ${ipBlock.except?.join(', ') ?? ''}`] : [];
  return [
    ...(namespaceSelector ? [`NamespaceSelector: ${selectorText(namespaceSelector)}`] : []),
    ...(podSelector ? [`PodSelector: ${selectorText(podSelector)}`] : []),
  ];
}
