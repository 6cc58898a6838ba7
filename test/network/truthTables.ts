/** Network policies, and the pairs of pods that they keep apart. Everything else stays reachable. */
import type { MatrixPort } from '../../src/network/index.ts';

export interface TruthTable {
  readonly title: string;
  /** Specs of NetworkPolicies in namespace x, in YAML. */
  readonly policies: readonly string[];
  /** Pairs such as `y/* -> x/a`; see `pairsOf`. */
  readonly denied: readonly string[];
  /** TCP 80 where nothing is said. */
  readonly port?: MatrixPort;
}

const tcp = (port: number | string): MatrixPort => ({ port, protocol: 'TCP' });
const udp = (port: number | string): MatrixPort => ({ port, protocol: 'UDP' });

const row = (title: string, policies: string | readonly string[], ...denied: string[]): TruthTable => ({
  title,
  policies: typeof policies === 'string' ? [policies] : policies,
  denied,
});

export const truthTables: readonly TruthTable[] = [
  row('no policy keeps nobody apart', []),
  ...ingressTables(),
  ...egressTables(),
  ...portTables(),
  ...selectorTables(),
  ...combinedTables(),
];

function ingressTables(): TruthTable[] {
  const onA = (ingress: string): string => `{podSelector: {matchLabels: {pod: a}}, ingress: ${ingress}}`;
  const from = (...peers: string[]): string => onA(`[{from: [${peers.join(', ')}]}]`);
  const podB = '{podSelector: {matchLabels: {pod: b}}}';
  const spaceY = '{namespaceSelector: {matchLabels: {ns: y}}}';
  const spaceZ = '{namespaceSelector: {matchLabels: {ns: z}}}';
  return [
    row('default deny of ingress', '{podSelector: {}, policyTypes: [Ingress]}', '*/* -> x/*'),
    row('an empty list of rules allows nothing', onA('[]'), '*/* -> x/a'),
    row('an empty rule allows everything', onA('[{}]')),
    row('an empty list of peers allows everyone', onA('[{from: []}]')),
    row('an empty pod selector means the own namespace', from('{podSelector: {}}'), 'y/* | z/* -> x/a'),
    row('an empty namespace selector means all namespaces', from('{namespaceSelector: {}}')),
    row('one pod of the own namespace', from(podB), 'x/c | y/* | z/* -> x/a'),
    row('one namespace', from(spaceY), 'x/* | z/* -> x/a'),
    row(
      'both selectors in one peer: pods of that label in those namespaces',
      from('{namespaceSelector: {matchLabels: {ns: y}}, podSelector: {matchLabels: {pod: b}}}'),
      'x/* | z/* | y/a | y/c -> x/a',
    ),
    row('two peers with one selector each: either is enough', from(spaceY, podB), 'z/* | x/c -> x/a'),
    row(
      'pods of that label in all namespaces',
      from('{namespaceSelector: {}, podSelector: {matchLabels: {pod: b}}}'),
      '*/a | */c -> x/a',
    ),
    row('a block of addresses', from('{ipBlock: {cidr: 10.244.1.0/24}}'), 'x/* | z/* -> x/a'),
    row('a block with an exception', from('{ipBlock: {cidr: 10.244.0.0/16, except: [10.244.1.0/24]}}'), 'y/* -> x/a'),
    row(
      'an exception for one address',
      from('{ipBlock: {cidr: 10.244.1.0/24, except: [10.244.1.2/32]}}'),
      'x/* | z/* | y/b -> x/a',
    ),
    row('a block or a namespace', from('{ipBlock: {cidr: 10.244.1.1/32}}', spaceZ), 'x/* | y/b | y/c -> x/a'),
    row('two rules add up', onA(`[{from: [${podB}]}, {from: [${spaceZ}]}]`), 'x/c | y/* -> x/a'),
    row('two policies for one pod add up', [from(podB), from(spaceZ)], 'x/c | y/* -> x/a'),
    row('allow everything beside deny everything', [
      '{podSelector: {}, ingress: []}',
      '{podSelector: {}, ingress: [{}]}',
    ]),
    row('a namespace that does not exist', from('{namespaceSelector: {matchLabels: {ns: w}}}'), '*/* -> x/a'),
    row('the policy type Egress alone leaves ingress open', '{podSelector: {}, policyTypes: [Egress], egress: [{}]}'),
  ];
}

function egressTables(): TruthTable[] {
  const onA = (egress: string): string =>
    `{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: ${egress}}`;
  const to = (...peers: string[]): string => onA(`[{to: [${peers.join(', ')}]}]`);
  return [
    row('default deny of egress', '{podSelector: {}, policyTypes: [Egress]}', 'x/* -> */*'),
    row('no egress rule allows nothing', onA('[]'), 'x/a -> */*'),
    row('an empty egress rule allows everything', onA('[{}]')),
    row('to pods of the own namespace', to('{podSelector: {}}'), 'x/a -> y/* | z/*'),
    row('to one pod', to('{podSelector: {matchLabels: {pod: b}}}'), 'x/a -> x/c | y/* | z/*'),
    row('to one namespace', to('{namespaceSelector: {matchLabels: {ns: y}}}'), 'x/a -> x/* | z/*'),
    row(
      'to a pod of a namespace',
      to('{namespaceSelector: {matchLabels: {ns: y}}, podSelector: {matchLabels: {pod: c}}}'),
      'x/a -> x/* | z/* | y/a | y/b',
    ),
    row('to a block of addresses', to('{ipBlock: {cidr: 10.244.2.0/24}}'), 'x/a -> x/* | y/*'),
    row('to a block with an exception', to('{ipBlock: {cidr: 10.244.0.0/16, except: [10.244.2.1/32]}}'), 'x/a -> z/a'),
    row(
      'egress rules without policy types restrict both directions',
      '{podSelector: {matchLabels: {pod: a}}, egress: [{}]}',
      '*/* -> x/a',
    ),
    row(
      'both types without rules',
      '{podSelector: {matchLabels: {pod: a}}, policyTypes: [Ingress, Egress]}',
      '*/* -> x/a',
      'x/a -> */*',
    ),
    row(
      'egress rules count only with their policy type',
      '{podSelector: {matchLabels: {pod: a}}, policyTypes: [Ingress], ingress: [{}], egress: [{ports: [{port: 1}]}]}',
    ),
  ];
}

function portTables(): TruthTable[] {
  const rows: readonly [title: string, ports: string, port: MatrixPort, allowed: boolean][] = [
    ['the same number', '[{port: 80}]', tcp(80), true],
    ['another number', '[{port: 80}]', tcp(81), false],
    ['TCP where no protocol is given', '[{port: 80}]', udp(80), false],
    ['the given protocol', '[{protocol: UDP, port: 80}]', udp(80), true],
    ['another protocol', '[{protocol: UDP, port: 80}]', tcp(80), false],
    ['a protocol without a port', '[{protocol: UDP}]', udp(53), true],
    ['a protocol without a port, another one asked', '[{protocol: UDP}]', tcp(53), false],
    ['a named port', '[{port: http}]', tcp(80), true],
    ['a named port of another number', '[{port: http}]', tcp(81), false],
    ['a name that no container has', '[{port: metrics}]', tcp(80), false],
    ['a name of another protocol', '[{port: http-udp}]', tcp(80), false],
    ['a name with its protocol', '[{protocol: UDP, port: http-udp}]', udp(80), true],
    ['one of two ports', '[{port: 80}, {port: 81}]', tcp(81), true],
    ['neither of two ports', '[{port: 80}, {port: 81}]', tcp(82), false],
    ['no ports at all', '[]', tcp(4711), true],
    ['a port asked for by name', '[{port: 81}]', tcp('alt'), true],
    ['SCTP', '[{protocol: SCTP, port: 80}]', { port: 80, protocol: 'SCTP' }, true],
    ['SCTP beside TCP', '[{port: 80}]', { port: 80, protocol: 'SCTP' }, false],
  ];
  const onA = '{podSelector: {matchLabels: {pod: a}}';
  return rows.flatMap(([title, ports, port, allowed]): TruthTable[] => [
    {
      title: `ingress: ${title}`,
      policies: [`${onA}, ingress: [{ports: ${ports}}]}`],
      denied: allowed ? [] : ['*/* -> x/a'],
      port,
    },
    {
      title: `egress: ${title}`,
      policies: [`${onA}, policyTypes: [Egress], egress: [{ports: ${ports}}]}`],
      denied: allowed ? [] : ['x/a -> */*'],
      port,
    },
  ]);
}

function selectorTables(): TruthTable[] {
  const rows: readonly [title: string, selector: string, selected: string, others: string][] = [
    ['everything', '{}', 'x/*', 'none/none'],
    ['one label', '{matchLabels: {pod: a}}', 'x/a', 'x/b | x/c'],
    ['In', '{matchExpressions: [{key: pod, operator: In, values: [a, b]}]}', 'x/a | x/b', 'x/c'],
    ['NotIn', '{matchExpressions: [{key: pod, operator: NotIn, values: [a]}]}', 'x/b | x/c', 'none/none'],
    ['Exists', '{matchExpressions: [{key: pod, operator: Exists}]}', 'x/*', 'none/none'],
    ['DoesNotExist', '{matchExpressions: [{key: pod, operator: DoesNotExist}]}', 'none/none', 'x/b | x/c'],
    ['NotIn of an absent label', '{matchExpressions: [{key: q, operator: NotIn, values: [r]}]}', 'x/*', 'none/none'],
    [
      'all requirements have to hold',
      '{matchLabels: {pod: a}, matchExpressions: [{key: pod, operator: In, values: [b]}]}',
      'none/none',
      'x/b | x/c',
    ],
  ];
  return rows.flatMap(([title, selector, selected, others]): TruthTable[] => [
    row(`subjects of ingress: ${title}`, `{podSelector: ${selector}, policyTypes: [Ingress]}`, `*/* -> ${selected}`),
    row(`subjects of egress: ${title}`, `{podSelector: ${selector}, policyTypes: [Egress]}`, `${selected} -> */*`),
    row(
      `senders: ${title}`,
      `{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{podSelector: ${selector}}]}]}`,
      'y/* | z/* -> x/a',
      `${others} -> x/a`,
    ),
    row(
      `receivers: ${title}`,
      `{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: [{podSelector: ${selector}}]}]}`,
      'x/a -> y/* | z/*',
      `x/a -> ${others}`,
    ),
  ]);
}

function combinedTables(): TruthTable[] {
  return [
    row(
      'both ends have to allow a connection',
      [
        '{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: [{podSelector: {matchLabels: {pod: b}}}]}]}',
        '{podSelector: {matchLabels: {pod: b}}, ingress: [{from: [{podSelector: {matchLabels: {pod: c}}}]}]}',
      ],
      'x/a -> */*',
      'x/a | y/* | z/* -> x/b',
    ),
    row(
      'peers and ports of one rule have to match together',
      `{podSelector: {matchLabels: {pod: a}}, ingress: [
        {from: [{podSelector: {matchLabels: {pod: b}}}], ports: [{port: 81}]},
        {from: [{podSelector: {matchLabels: {pod: c}}}], ports: [{port: 80}]}]}`,
      'x/b | y/* | z/* -> x/a',
    ),
    row(
      'default deny of a namespace, opened inside of it',
      ['{podSelector: {}, policyTypes: [Ingress]}', '{podSelector: {}, ingress: [{from: [{podSelector: {}}]}]}'],
      'y/* | z/* -> x/*',
    ),
  ];
}
