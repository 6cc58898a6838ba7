import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import {
  changesBetween,
  judge,
  Matrix,
  nearMisses,
  type Flow,
  type MatrixPort,
  type NetworkView,
} from '../../src/network/index.ts';
import { crossedTruthTables } from './crossedTruthTables.ts';
import { naivelyAllowed, type NaivePod, type NaivePolicy } from './naive.ts';
import { truthTables } from './truthTables.ts';
import { add, addressOf, pairsOf, podKeys, smallCluster, smallPods } from './world.ts';

const tcp80: MatrixPort = { port: 80, protocol: 'TCP' };

const policyText = (spec: string, i: number): string =>
  `---\nkind: NetworkPolicy\nmetadata: {name: p${i}}\nspec: ${spec}\n`;

const withPolicies = (specs: readonly string[]): NetworkView => smallCluster(specs.map(policyText).join(''));

const matrixOf = (view: NetworkView, port = tcp80): Matrix => new Matrix(smallPods(view), port, view);

function deniedPairs(matrix: Matrix): Set<string> {
  const pairs = podKeys.flatMap((from, f) =>
    podKeys.flatMap((to, t) => (matrix.allows(f, t) ? [] : [`${from} -> ${to}`])),
  );
  return new Set(pairs);
}

describe('network policies keep apart exactly these pairs', () => {
  test('covers at least 150 tables', () => {
    expect(truthTables.length + crossedTruthTables.length).toBeGreaterThanOrEqual(150);
  });

  test.each([...truthTables, ...crossedTruthTables])('$title', ({ policies, denied, port }) => {
    expect(deniedPairs(matrixOf(withPolicies(policies), port))).toEqual(pairsOf(denied));
  });
});

const flowBetween = (view: NetworkView, from: string, to: string): Flow => ({
  from: { address: addressOf(from), pod: view.get('pods', from) },
  to: { address: addressOf(to), pod: view.get('pods', to) },
  port: 80,
  protocol: 'TCP',
});

describe('a verdict', () => {
  test('names the policy and the rule that allowed', () => {
    const view = withPolicies(['{podSelector: {}, ingress: [{ports: [{port: 1}]}, {ports: [{port: 80}]}]}']);
    const { ingress, egress } = judge(flowBetween(view, 'y/a', 'x/a'), view);
    expect(ingress).toMatchObject({ why: 'rule matches', by: { policy: { metadata: { name: 'p0' } }, rule: 1 } });
    expect(egress).toMatchObject({ allowed: true, why: 'not isolated' });
  });

  test('allows what comes from the node on which the pod runs', () => {
    const view = withPolicies(['{podSelector: {}, ingress: []}']);
    const from = { address: '192.168.0.1', node: view.get('nodes', 'node-1') };
    expect(judge({ ...flowBetween(view, 'y/a', 'x/a'), from }, view).ingress.why).toBe('own node');
    expect(judge({ ...flowBetween(view, 'y/a', 'x/b'), from }, view).allowed).toBe(false);
  });

  test('does not apply selectors to pods on the host’s network', () => {
    const view = withPolicies(['{podSelector: {}, ingress: [{from: [{namespaceSelector: {}}]}]}']);
    const host = 'spec: {hostNetwork: true, nodeName: node-2}, status: {podIP: 192.168.0.2}';
    add(view, `{kind: Pod, metadata: {name: h, namespace: y}, ${host}}`);
    const from = { address: '192.168.0.2', pod: view.get('pods', 'y/h'), node: view.get('nodes', 'node-2') };
    expect(judge({ ...flowBetween(view, 'y/a', 'x/a'), from }, view).allowed).toBe(false);
    expect(judge({ ...flowBetween(view, 'y/a', 'x/b'), from }, view).ingress.why).toBe('own node');
  });
});

test('a policy restricts no pod on the host’s network', () => {
  const view = withPolicies(['{podSelector: {}, policyTypes: [Ingress, Egress]}']);
  const host = 'spec: {hostNetwork: true, nodeName: node-2}, status: {podIP: 192.168.0.2, hostIP: 192.168.0.2}';
  add(view, `{kind: Pod, metadata: {name: h, namespace: x}, ${host}}`);
  const h = { address: '192.168.0.2', pod: view.get('pods', 'x/h'), node: view.get('nodes', 'node-2') };
  const flow = flowBetween(view, 'y/a', 'x/a');
  expect(judge({ ...flow, to: h }, view).ingress).toMatchObject({ allowed: true, why: 'host network' });
  expect(judge({ ...flow, from: h, to: flow.from }, view).egress).toMatchObject({ allowed: true, why: 'host network' });
});

describe('near misses', () => {
  const ingress = (rule: string): string => `{podSelector: {}, ingress: [${rule}]}`;
  const rows: readonly [title: string, spec: string, part: string, path: string][] = [
    ['name the ports', ingress('{ports: [{port: 1}]}'), 'ports', 'spec.ingress[0].ports'],
    [
      'name the pod selector',
      ingress('{from: [{namespaceSelector: {}, podSelector: {matchLabels: {pod: b}}}]}'),
      'podSelector',
      'spec.ingress[0].from[0].podSelector',
    ],
    [
      'name the namespace selector',
      ingress('{from: [{namespaceSelector: {matchLabels: {ns: z}}}]}'),
      'namespaceSelector',
      'spec.ingress[0].from[0].namespaceSelector',
    ],
    [
      'say that a peer without a namespace selector means the own namespace',
      ingress('{from: [{podSelector: {}}]}'),
      'namespace',
      'spec.ingress[0].from[0]',
    ],
    [
      'take the peer that fits best',
      ingress('{from: [{podSelector: {matchLabels: {pod: q}}}, {ipBlock: {cidr: 10.0.0.0/24}}]}'),
      'ipBlock',
      'spec.ingress[0].from[1].ipBlock',
    ],
  ];
  test.each(rows)('%s', (_, spec, part, path) => {
    const view = withPolicies([spec]);
    expect(nearMisses('Ingress', flowBetween(view, 'y/a', 'x/a'), view)[0]?.mismatches).toEqual([{ part, path }]);
  });

  test('come in the order of how little is missing', () => {
    const far = '{from: [{podSelector: {matchLabels: {pod: q}}}], ports: [{port: 1}]}';
    const view = withPolicies([ingress(`${far}, {ports: [{port: 2}]}`)]);
    expect(nearMisses('Ingress', flowBetween(view, 'y/a', 'x/a'), view).map(({ rule }) => rule)).toEqual([1, 0]);
  });

  test('are asked of the sender for egress', () => {
    const view = withPolicies(['{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 1}]}]}']);
    const [miss] = nearMisses('Egress', flowBetween(view, 'x/a', 'y/a'), view);
    expect(miss?.mismatches).toEqual([{ part: 'ports', path: 'spec.egress[0].ports' }]);
    expect(nearMisses('Egress', flowBetween(view, 'y/a', 'x/a'), view)).toEqual([]);
  });
});

const labelSelector = fc.oneof(
  fc.constant({}),
  fc.constantFrom('a', 'b', 'c').map((pod) => ({ matchLabels: { pod } })),
  fc.constantFrom('x', 'y', 'z').map((ns) => ({ matchLabels: { ns } })),
  fc
    .subarray(['a', 'b', 'c'], { minLength: 1 })
    .map((values) => ({ matchExpressions: [{ key: 'pod', operator: 'NotIn', values }] })),
);
const blocks = fc.constantFrom('10.244.0.0/24', '10.244.0.0/16', '10.244.1.2/32');
const peer = fc.oneof(
  fc.record({ podSelector: labelSelector }),
  fc.record({ namespaceSelector: labelSelector }),
  fc.record({ podSelector: labelSelector, namespaceSelector: labelSelector }),
  blocks.map((cidr) => ({ ipBlock: { cidr, except: ['10.244.0.2/32'] } })),
);
const ports = fc.array(
  fc.record({ port: fc.constantFrom<number | string>(80, 81, 'http', 'dns'), protocol: fc.constantFrom('TCP', 'UDP') }),
  { maxLength: 2 },
);
const rules = (key: 'from' | 'to'): fc.Arbitrary<object[]> =>
  fc.array(fc.record({ [key]: fc.array(peer, { maxLength: 2 }), ports }), { maxLength: 2 });
const policySpec = fc.record({
  podSelector: labelSelector,
  policyTypes: fc.subarray(['Ingress', 'Egress']),
  ingress: rules('from'),
  egress: rules('to'),
});
const policies = fc.array(fc.record({ namespace: fc.constantFrom('x', 'y'), spec: policySpec }), { maxLength: 4 });
const policySet = policies.map((all) =>
  all.map(({ namespace, spec }, i) => documentOf(`p${i}`, namespace, spec)).join(''),
);

const documentOf = (name: string, namespace: string, spec: object): string =>
  `---\n${stringify({ kind: 'NetworkPolicy', metadata: { name, namespace }, spec })}`;

describe('the matrix', () => {
  const protocols = fc.constantFrom('TCP' as const, 'UDP' as const);

  test('says of every pair what its verdict says', () => {
    const property = fc.property(policySet, fc.constantFrom(80, 81, 53), protocols, (text, port, protocol) => {
      const view = smallCluster(text);
      const matrix = matrixOf(view, { port, protocol });
      podKeys.forEach((from, f) =>
        podKeys.forEach((to, t) => {
          const { egress, ingress } = judge({ ...flowBetween(view, from, to), port, protocol }, view);
          expect(matrix.cell(f, t), `${from} -> ${to}`).toEqual({ egress: egress.allowed, ingress: ingress.allowed });
        }),
      );
    });
    fc.assert(property, { numRuns: 150, seed: 1 });
  });

  test('says what the plainest reading of the policies says', () => {
    const named = { 'TCP http': 80, 'TCP alt': 81, 'UDP dns': 53, 'UDP http-udp': 80 };
    const naivePods = podKeys.map((key): NaivePod => {
      const [namespace = '', name = ''] = key.split('/');
      const labels = { pod: name };
      return { name, namespace, address: addressOf(key), labels, namespaceLabels: { ns: namespace }, ports: named };
    });
    const property = fc.property(policies, fc.constantFrom(80, 81, 53), protocols, (all, port, protocol) => {
      const text = all.map(({ namespace, spec }, i) => documentOf(`p${i}`, namespace, spec)).join('');
      const matrix = matrixOf(smallCluster(text), { port, protocol });
      naivePods.forEach((from, f) =>
        naivePods.forEach((to, t) => {
          const allowed = naivelyAllowed(all as readonly NaivePolicy[], from, to, port, protocol);
          expect(matrix.allows(f, t), `${podKeys[f]} -> ${podKeys[t]}`).toBe(allowed);
        }),
      );
    });
    fc.assert(property, { numRuns: 100, seed: 2 });
  });

  test('differs after an edit by exactly the changes that are reported', () => {
    const property = fc.property(policySet, policySet, (before, after) => {
      const [old, now] = [matrixOf(smallCluster(before)), matrixOf(smallCluster(after))];
      const reported = changesBetween(old, now).map(
        ({ from, to, opens }) => `${opens ? '+' : '-'} ${now.pods.indexOf(from)} ${now.pods.indexOf(to)}`,
      );
      const expected = podKeys.flatMap((_, f) =>
        podKeys.flatMap((__, t) =>
          old.allows(f, t) === now.allows(f, t) ? [] : [`${now.allows(f, t) ? '+' : '-'} ${f} ${t}`],
        ),
      );
      expect(reported).toEqual(expected);
    });
    fc.assert(property, { numRuns: 60, seed: 1 });
  });

  test('made from that before an edit is the same as made anew', () => {
    const property = fc.property(policySet, policySet, fc.boolean(), (before, after, keeps) => {
      const view = smallCluster(before);
      const edited = view.fork();
      const kept = edited.all('networkpolicies').slice(keeps ? 1 : 0);
      for (const policy of kept) edited.remove('networkpolicies', policy);
      add(edited, after);
      const [made, anew] = [matrixOf(view).under(edited), matrixOf(edited)];
      podKeys.forEach((from, f) =>
        podKeys.forEach((to, t) => expect(made.cell(f, t), `${from} -> ${to}`).toEqual(anew.cell(f, t))),
      );
    });
    fc.assert(property, { numRuns: 60, seed: 3 });
  });
});
