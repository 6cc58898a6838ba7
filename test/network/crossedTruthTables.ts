/** Truth tables of one rule: every kind of peer, in both directions, with no port, the right one and a wrong one. */
import type { TruthTable } from './truthTables.ts';

/** A peer, and the pods for which it does not stand. */
const peers: readonly [title: string, peer: string, others: string][] = [
  ['own pods', '{podSelector: {}}', 'y/* | z/*'],
  ['own pods b', '{podSelector: {matchLabels: {pod: b}}}', 'x/a | x/c | y/* | z/*'],
  ['any namespace', '{namespaceSelector: {}}', ''],
  ['namespace y', '{namespaceSelector: {matchLabels: {ns: y}}}', 'x/* | z/*'],
  ['not y', '{namespaceSelector: {matchExpressions: [{key: ns, operator: NotIn, values: [y]}]}}', 'y/*'],
  ['pods c anywhere', '{namespaceSelector: {}, podSelector: {matchLabels: {pod: c}}}', '*/a | */b'],
  [
    'pods a and b of z',
    '{namespaceSelector: {matchLabels: {ns: z}}, podSelector: {matchExpressions: [{key: pod, operator: In, values: [a, b]}]}}',
    'x/* | y/* | z/c',
  ],
  ['one address', '{ipBlock: {cidr: 10.244.2.3/32}}', 'x/* | y/* | z/a | z/b'],
  ['all addresses', '{ipBlock: {cidr: 0.0.0.0/0}}', ''],
  ['all but z', '{ipBlock: {cidr: 0.0.0.0/0, except: [10.244.2.0/24]}}', 'z/*'],
  ['addresses of IPv6', '{ipBlock: {cidr: "::/0"}}', '*/*'],
];

const ports: readonly [title: string, ports: string, matches: boolean][] = [
  ['any port', '', true],
  ['its port by name', ', ports: [{port: http}]', true],
  ['another port', ', ports: [{port: 81}, {port: 80, protocol: SCTP}]', false],
];

export const crossedTruthTables: readonly TruthTable[] = peers.flatMap(([title, peer, others]) =>
  ports.flatMap(([portTitle, portText, matches]): TruthTable[] => {
    const denied = matches ? others : '*/*';
    const onA = 'podSelector: {matchLabels: {pod: a}}';
    return [
      {
        title: `from ${title} at ${portTitle}`,
        policies: [`{${onA}, ingress: [{from: [${peer}]${portText}}]}`],
        denied: denied === '' ? [] : [`${denied} -> x/a`],
      },
      {
        title: `to ${title} at ${portTitle}`,
        policies: [`{${onA}, policyTypes: [Egress], egress: [{to: [${peer}]${portText}}]}`],
        denied: denied === '' ? [] : [`x/a -> ${denied}`],
      },
    ];
  }),
);
