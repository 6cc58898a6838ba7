/** The parts of the network by themselves: settings, the view that follows objects, ports, near misses of policies. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { namesOf } from '../../src/names/index.ts';
import {
  judge,
  Matrix,
  nearMisses,
  networkSettings,
  NetworkView,
  tracePacket,
  viewHandler,
  type Direction,
  type End,
} from '../../src/network/index.ts';
import { Ports } from '../../src/network/dataplane/ports.ts';
import { add, addressOf, settings, smallCluster, smallPods } from './world.ts';

describe('the settings of a network', () => {
  const names = namesOf('cluster.io');
  test.each([
    [undefined, '10.0.0.10'],
    ['10.96.0.0/12', '10.96.0.10'],
    ['10.1.0.0/16,fd00::/108', '10.1.0.10'],
    ['fd00::/108', 'fd00::a'],
    ['rubbish', '10.0.0.10'],
    ['', '10.0.0.10'],
  ])('have for the service range %s the name server %s', (range, dnsAddress) => {
    expect(networkSettings(names, range)).toEqual({
      names,
      domain: 'cluster.local',
      dnsAddress,
      ingressController: 'vitrine.dev/ingress',
      ingressAddress: '203.0.113.80',
      outside: { 'example.com': '203.0.113.7', 'api.example.com': '203.0.113.8', 'www.example.org': '203.0.113.20' },
    });
  });

  test('have the address of an API server that is told', () => {
    expect(networkSettings(names, undefined, '10.0.0.1').apiServerAddress).toBe('10.0.0.1');
    expect('apiServerAddress' in networkSettings(names)).toBe(false);
  });
});

describe('a view', () => {
  const pod = (ip: string, phase = 'Running'): object =>
    parse(`{metadata: {name: p, namespace: n}, spec: {}, status: {podIP: ${ip}, phase: ${phase}}}`) as object;

  test('follows what an informer tells', () => {
    const view = new NetworkView(settings);
    let changes = 0;
    const handler = viewHandler(view, 'pods', () => (changes += 1));
    handler.deleted(pod('1.1.1.1'));
    handler.added(pod('1.1.1.1'));
    expect(view.podAt('1.1.1.1')?.metadata?.name).toBe('p');
    handler.changed(pod('2.2.2.2'));
    expect([view.podAt('1.1.1.1'), view.podAt('2.2.2.2')?.metadata?.name, view.count('pods')]).toEqual([
      undefined,
      'p',
      1,
    ]);
    handler.deleted(pod('2.2.2.2'));
    expect([view.podAt('2.2.2.2'), view.count('pods'), changes]).toEqual([undefined, 0, 4]);
  });

  test('needs nobody who hears of changes', () => {
    const view = new NetworkView(settings);
    viewHandler(view, 'pods').added(pod('1.1.1.1'));
    expect(view.get('pods', 'n/p')).toBeDefined();
  });

  test.each([
    ['Running', true],
    ['Pending', true],
    ['Succeeded', false],
    ['Failed', false],
  ])('finds a pod in phase %s by its address: %s', (phase, found) => {
    const view = new NetworkView(settings);
    viewHandler(view, 'pods').added(pod('1.1.1.1', phase));
    expect(view.podAt('1.1.1.1') !== undefined).toBe(found);
  });

  test('has forks of its own', () => {
    const view = smallCluster();
    const fork = view.fork();
    add(fork, '{kind: Pod, metadata: {name: new}, status: {podIP: 10.244.9.9}}');
    const first = fork.get('pods', 'x/a');
    if (first) fork.remove('pods', first);
    expect([fork.podAt('10.244.9.9')?.metadata?.name, fork.podAt(addressOf('x/a')), fork.settings]).toEqual([
      'new',
      undefined,
      view.settings,
    ]);
    expect([view.podAt('10.244.9.9'), view.podAt(addressOf('x/a'))?.metadata?.name, view.count('pods')]).toEqual([
      undefined,
      'a',
      9,
    ]);
    expect(fork.podAt(addressOf('x/b'))).toBe(view.podAt(addressOf('x/b')));
  });

  test.each([
    ['InternalIP', true],
    ['ExternalIP', true],
    ['Hostname', false],
    ['InternalDNS', false],
  ])('finds a node by its address of type %s: %s', (type, found) => {
    const view = add(
      new NetworkView(settings),
      `{kind: Node, metadata: {name: n}, status: {addresses: [{type: ${type}, address: 1.2.3.4}]}}`,
    );
    expect(view.nodeAt('1.2.3.4') !== undefined).toBe(found);
  });

  test.each([
    ['clusterIP: 10.0.0.1', ['10.0.0.1']],
    ['clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1, "fd00::1"]', ['10.0.0.1', 'fd00::1']],
    ['clusterIP: 10.0.0.1, clusterIPs: []', ['10.0.0.1']],
    ['clusterIP: None, clusterIPs: [None]', []],
    ['clusterIP: ""', []],
    ['clusterIP: 10.0.0.1, externalIPs: [198.18.0.1]', ['10.0.0.1', '198.18.0.1']],
  ])('finds a service with %s at %j', (spec, addresses) => {
    const view = add(new NetworkView(settings), `{kind: Service, metadata: {name: s}, spec: {${spec}}}`);
    const all = ['10.0.0.1', 'fd00::1', '198.18.0.1', 'None', ''];
    expect(all.filter((address) => view.servicesAt(address).length > 0)).toEqual(addresses);
  });
});

describe('the ports of a host', () => {
  const nothing = (): void => undefined;

  test('are taken once by each protocol, and free again when closed', () => {
    const ports = new Ports();
    const tcp = ports.listen(80, nothing);
    const sctp = ports.listen(80, nothing, { protocol: 'SCTP' });
    const udp = ports.bind(80, nothing);
    expect(['TCP', 'SCTP', 'UDP'].map((protocol) => ports.listens(protocol, 80))).toEqual([true, true, true]);
    expect(() => ports.listen(80, nothing)).toThrow('Address already in use');
    expect(() => ports.bind(80, nothing)).toThrow('Address already in use');
    tcp.close();
    expect([ports.acceptor('TCP', 80), ports.acceptor('SCTP', 80)?.accept, ports.receiver(80)]).toEqual([
      undefined,
      nothing,
      nothing,
    ]);
    sctp.close();
    udp.close();
    expect(['TCP', 'SCTP', 'UDP'].map((protocol) => ports.listens(protocol, 80))).toEqual([false, false, false]);
  });

  test('are taken from 32768 to 60999 where none is named, and then from the first again', () => {
    const ports = new Ports();
    expect([ports.nextFree(), ports.nextFree()]).toEqual([32_768, 32_769]);
    expect(ports.listen(0, nothing).port).toBe(32_770);
    let last = 0;
    for (let i = 32_771; i <= 60_999; i++) last = ports.nextFree();
    expect([last, ports.nextFree(), ports.nextFree()]).toEqual([60_999, 32_768, 32_769]);
    expect(ports.listen(0, nothing).port).toBe(32_771);
  });

  test('run out', () => {
    expect(() => new Ports().nextFree(() => true)).toThrow('Address already in use');
    expect(new Ports().nextFree((port) => port !== 60_999)).toBe(60_999);
  });
});

describe('a load balancer with local traffic sends to', () => {
  const slice = (...endpoints: string[]): string => `
{kind: Service, metadata: {name: s}, spec: {type: LoadBalancer, externalTrafficPolicy: Local, clusterIP: 10.96.0.9, ports: [{port: 80, nodePort: 30000}]}, status: {loadBalancer: {ingress: [{ip: 203.0.113.10}]}}}
---
{kind: EndpointSlice, metadata: {name: s-1, labels: {cluster.io/service-name: s}}, ports: [{port: 80}], endpoints: [${endpoints.join(', ')}]}`;
  test.each<[string, string[], string | undefined]>([
    ['the node of an endpoint', ['{addresses: [10.244.0.3], nodeName: node-3}'], '10.244.0.3'],
    [
      'the node that a label names',
      ['{addresses: [10.244.0.3], topology: {cluster.io/hostname: node-3}}'],
      '10.244.0.3',
    ],
    [
      'the first of several',
      ['{addresses: [10.244.0.3], nodeName: node-3}', '{addresses: [10.244.0.2], nodeName: node-2}'],
      '10.244.0.2',
    ],
    [
      'no node whose endpoint is not ready',
      [
        '{addresses: [10.244.0.2], nodeName: node-2, conditions: {ready: false}}',
        '{addresses: [10.244.0.3], nodeName: node-3, conditions: {ready: true}}',
      ],
      '10.244.0.3',
    ],
    [
      'no node that is gone',
      ['{addresses: [10.244.0.2], nodeName: gone}', '{addresses: [10.244.0.3], nodeName: node-3}'],
      '10.244.0.3',
    ],
    ['nobody where no node has one', [], undefined],
  ])('%s', (_what, endpoints, address) => {
    const view = smallCluster(slice(...endpoints));
    const trace = tracePacket(
      { from: { outside: '198.51.100.7' }, to: '203.0.113.10', port: 80, protocol: 'TCP' },
      view,
      { listens: () => true },
    );
    expect(trace.delivered?.to.address).toBe(address);
  });
});

describe('the nearest misses of policies', () => {
  const policy = (spec: string): string =>
    `{kind: NetworkPolicy, metadata: {name: p}, spec: {podSelector: {}, ${spec}}}`;
  const missesOf = (spec: string, direction: Direction, from: string, to: string, more = ''): string[] => {
    const view = smallCluster(`${policy(spec)}${more}`);
    const end = (key: string): End =>
      ({ address: addressOf(key), ...(view.get('pods', key) && { pod: view.get('pods', key) }) }) as End;
    const flow = { from: end(from), to: end(to), port: 80, protocol: 'TCP' } as const;
    expect(judge(flow, view).allowed).toBe(false);
    return nearMisses(direction, flow, view).map(({ mismatches }) =>
      mismatches.map(({ part, path }) => `${part} at ${path}`).join('; '),
    );
  };
  const A = '{podSelector: {matchLabels: {pod: a}}}';
  const C = '{podSelector: {matchLabels: {pod: c}}}';
  const Y = '{namespaceSelector: {matchLabels: {ns: y}}}';

  test.each<[string, string, Direction, string, string, string[]]>([
    ['no rule', 'policyTypes: [Ingress]', 'Ingress', 'x/a', 'x/b', []],
    [
      'another pod',
      `ingress: [{from: [${C}]}]`,
      'Ingress',
      'x/a',
      'x/b',
      ['podSelector at spec.ingress[0].from[0].podSelector'],
    ],
    ['another port', 'ingress: [{ports: [{port: 81}]}]', 'Ingress', 'x/a', 'x/b', ['ports at spec.ingress[0].ports']],
    [
      'both',
      `ingress: [{from: [${C}], ports: [{port: 81}]}]`,
      'Ingress',
      'x/a',
      'x/b',
      ['podSelector at spec.ingress[0].from[0].podSelector; ports at spec.ingress[0].ports'],
    ],
    [
      'the same pod of another namespace',
      `ingress: [{from: [${A}]}]`,
      'Ingress',
      'y/a',
      'x/b',
      ['namespace at spec.ingress[0].from[0]'],
    ],
    [
      'another namespace',
      `ingress: [{from: [${Y}]}]`,
      'Ingress',
      'z/a',
      'x/b',
      ['namespaceSelector at spec.ingress[0].from[0].namespaceSelector'],
    ],
    [
      'an address block',
      'ingress: [{from: [{ipBlock: {cidr: 9.0.0.0/8}}]}]',
      'Ingress',
      'x/a',
      'x/b',
      ['ipBlock at spec.ingress[0].from[0].ipBlock'],
    ],
    [
      'the peer that fits best',
      `ingress: [{from: [${C.replace('}}', '}}, namespaceSelector: {matchLabels: {ns: z}}')}, ${Y}]}]`,
      'Ingress',
      'x/a',
      'x/b',
      ['namespaceSelector at spec.ingress[0].from[1].namespaceSelector'],
    ],
    [
      'the rule that fits best comes first',
      `ingress: [{from: [${C}], ports: [{port: 81}]}, {ports: [{port: 81}]}]`,
      'Ingress',
      'x/a',
      'x/b',
      [
        'ports at spec.ingress[1].ports',
        'podSelector at spec.ingress[0].from[0].podSelector; ports at spec.ingress[0].ports',
      ],
    ],
    [
      'outgoing',
      `policyTypes: [Egress], egress: [{to: [${C}]}]`,
      'Egress',
      'x/a',
      'x/b',
      ['podSelector at spec.egress[0].to[0].podSelector'],
    ],
  ])('%s', (_what, spec, direction, from, to, misses) => {
    expect(missesOf(spec, direction, from, to)).toEqual(misses);
  });

  test('name the peers of a rule for somebody who is no pod, and nothing where the receiver is none', () => {
    const view = smallCluster(policy(`ingress: [{from: [${C}]}]`));
    const pod = view.get('pods', 'x/b');
    const [outside, inside]: End[] = [{ address: '198.51.100.7' }, { address: addressOf('x/b'), ...(pod && { pod }) }];
    if (!outside || !inside) throw new Error('two ends');
    const flow = { from: outside, to: inside, port: 80, protocol: 'TCP' } as const;
    expect(nearMisses('Ingress', flow, view)[0]?.mismatches).toEqual([
      { part: 'peers', path: 'spec.ingress[0].from[0]' },
    ]);
    expect(nearMisses('Egress', flow, view)).toEqual([]);
  });
});

describe('the matrix of pods', () => {
  const denied =
    '{kind: NetworkPolicy, metadata: {name: deny}, spec: {podSelector: {matchLabels: {pod: a}}, policyTypes: [Ingress]}}';
  const host = (node: string): string =>
    `{kind: Pod, metadata: {name: host-${node}}, spec: {hostNetwork: true, nodeName: ${node}}, status: {podIP: 192.168.0.9}}`;

  test('lets a pod on the host’s network reach the pods of its own node', () => {
    const view = smallCluster([denied, host('node-1'), host('node-2')].join('\n---\n'));
    const pods = [
      ...smallPods(view),
      ...['x/host-node-1', 'x/host-node-2'].flatMap((key) => view.get('pods', key) ?? []),
    ];
    const matrix = new Matrix(pods, { port: 80, protocol: 'TCP' }, view);
    const to = pods.findIndex(({ metadata }) => metadata?.name === 'a' && metadata.namespace === 'x');
    const allowed = pods
      .filter((_, from) => matrix.allows(from, to))
      .map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);
    expect(allowed).toEqual(['x/a', 'x/host-node-1']);
  });
});
