/** Decisions of small parts of the network, one table for each. */
import { describe, expect, test } from 'vitest';
import { namesOf } from '../../src/names/index.ts';
import { NetworkView, subsetsOf, type NetworkObjects, type NetworkResource } from '../../src/network/index.ts';
import { echoReaches } from '../../src/network/dataplane/echo.ts';
import { fromPrograms, toPrograms } from '../../src/network/dataplane/nameServer.ts';
import { candidateNames, resolvConfText } from '../../src/network/dns/resolvConf.ts';
import { addressesToWrite, backendPort, isServed, routeIngress } from '../../src/network/ingress.ts';
import { podAtHostPort } from '../../src/network/packet/trace.ts';
import { adviseOn } from '../../src/network/policy/advice.ts';
import { matchesPeer } from '../../src/network/policy/judge.ts';
import { judgeSourceRanges } from '../../src/network/service/sourceRanges.ts';
import { hostPortsOf } from '../../src/network/view.ts';
import type { objects } from '../../src/schema/index.ts';
import { must } from '../../src/std/index.ts';
import { add, NAME_SERVER, settings, smallCluster } from './world.ts';

const one = (text: string): NetworkView => add(new NetworkView(settings), text);

/** The object `x/NAME` of a view with nothing else. */
function read<R extends NetworkResource>(
  resource: R,
  kind: string,
  fields: { metadata: { name: string } },
): NetworkObjects[R] {
  const view = one(JSON.stringify({ kind, ...fields }));
  return must(view.get(resource, `x/${fields.metadata.name}`), 'it is there');
}

describe('the subsets of a service', () => {
  const names = namesOf('cluster.io');
  const pod = (name: string, podIP: string, ready: boolean): objects.Pod =>
    read('pods', 'Pod', {
      metadata: { name, ...{ uid: name } },
      ...{ spec: { nodeName: 'n', containers: [{ name: 'c' }] } },
      ...{ status: { phase: 'Running', podIP, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] } },
    });
  const service = (spec: object, annotation?: string): objects.Service => {
    const annotations = annotation && { 'service.alpha.cluster.io/tolerate-unready-endpoints': annotation };
    return read('services', 'Service', { metadata: { name: 's', ...{ annotations } }, ...{ spec } });
  };

  test('have no empty lists', () => {
    expect(subsetsOf(service({ clusterIP: 'None' }), [pod('p', '10.0.0.1', true)], names)).toStrictEqual([
      {
        addresses: [{ ip: '10.0.0.1', nodeName: 'n', targetRef: { kind: 'Pod', namespace: 'x', name: 'p', uid: 'p' } }],
      },
    ]);
    const [unready] = subsetsOf(service({ ports: [{ port: 80 }] }), [pod('p', '10.0.0.1', false)], names);
    expect(Object.keys(must(unready, 'there is one'))).toEqual(['notReadyAddresses', 'ports']);
  });

  test('list addresses in order, in whatever order the pods come', () => {
    const pods = ['10.0.0.1', '10.0.0.5', '10.0.0.9'].map((ip, i) => pod(`p${i}`, ip, true));
    for (const order of [pods, [...pods].reverse()])
      expect(subsetsOf(service({ ports: [{ port: 80 }] }), order, names)[0]?.addresses?.map(({ ip }) => ip)).toEqual([
        '10.0.0.1',
        '10.0.0.5',
        '10.0.0.9',
      ]);
  });

  test.each([
    ['true', false, true],
    ['1', false, true],
    ['1!', false, false],
    ['!1', false, false],
    ['false', true, false],
    ['0', true, false],
    ['0!', true, true],
    ['!0', true, true],
  ])('with the older annotation %j, and the field %s, have unready pods as ready: %s', (text, field, published) => {
    const of = service({ ports: [{ port: 80 }], publishNotReadyAddresses: field }, text);
    const [subset] = subsetsOf(of, [pod('p', '10.0.0.1', false)], names);
    expect(subset?.addresses !== undefined).toBe(published);
  });
});

describe('the source ranges of a load balancer', () => {
  const view = new NetworkView(settings);
  const service = (ranges: string[], annotation?: string): objects.Service => {
    const annotations = annotation && { 'service.beta.cluster.io/load-balancer-source-ranges': annotation };
    return read('services', 'Service', {
      metadata: { name: 's', ...{ annotations } },
      ...{ spec: { loadBalancerSourceRanges: ranges } },
      ...{ status: { loadBalancer: { ingress: [{ hostname: 'h' }, { ip: '203.0.113.1' }] } } },
    });
  };

  test.each<[string[], string | undefined, string, boolean, boolean | undefined]>([
    [['10.0.0.0/8'], undefined, '10.1.2.3', true, true],
    [['10.0.0.0/8'], undefined, '11.1.2.3', true, false],
    [['11.0.0.0/8', ' 10.0.0.0/8 '], undefined, '10.1.2.3', false, true],
    [['10.0.0.0/8'], undefined, 'nowhere', true, false],
    [['rubbish'], undefined, '10.1.2.3', true, false],
    [[], undefined, '10.1.2.3', true, undefined],
    [[], ' ,', '10.1.2.3', true, undefined],
    [[], '11.0.0.0/8, 10.0.0.0/8', '10.1.2.3', true, true],
    [[], '11.0.0.0/8', '10.1.2.3', true, false],
    [[], '11.0.0.0/8', '10.1.2.3', false, undefined],
    [['10.0.0.0/8'], '11.0.0.0/8', '10.1.2.3', true, true],
  ])('%j and the annotation %j admit %s, from outside %s: %s', (ranges, annotation, address, fromOutside, admitted) => {
    const judged = judgeSourceRanges(service(ranges, annotation), '203.0.113.1', { address, fromOutside }, view);
    expect(judged?.admitted).toBe(admitted);
  });

  test('say nothing of the other addresses of the service', () => {
    const client = { address: '11.0.0.1', fromOutside: true };
    expect(judgeSourceRanges(service(['10.0.0.0/8']), '10.96.0.1', client, view)).toBeUndefined();
  });
});

test.each([
  ['10.0.0.0/8', [], '10.1.2.3', true],
  ['10.0.0.0/8', ['10.1.0.0/16'], '10.1.2.3', false],
  ['10.0.0.0/8', ['10.2.0.0/16', '10.1.0.0/16'], '10.1.2.3', false],
  ['10.0.0.0/8', ['rubbish'], '10.1.2.3', true],
  ['rubbish', [], '10.1.2.3', false],
  ['0.0.0.0/0', [], 'nowhere', false],
])('a peer with the block %s except %j matches %s: %s', (cidr, except, address, matches) => {
  const policy = read('networkpolicies', 'NetworkPolicy', { metadata: { name: 'p' } });
  expect(matchesPeer({ ipBlock: { cidr, except } }, policy, { address }, new NetworkView(settings))).toBe(matches);
});

describe('an ingress', () => {
  const CLASS = `{kind: IngressClass, metadata: {name: ours}, spec: {controller: vitrine.dev/ingress}}`;
  const DEFAULT = `{kind: IngressClass, metadata: {name: ours, annotations: {ingressclass.cluster.io/is-default-class: "true"}}, spec: {controller: vitrine.dev/ingress}}`;
  const OTHER = `{kind: IngressClass, metadata: {name: other}, spec: {controller: example.com/other}}`;
  const ingressIn = (view: NetworkView): objects.Ingress => must(view.get('ingresses', 'x/i'), 'it is there');

  test.each([
    ['spec: {ingressClassName: ours}', CLASS, true],
    ['spec: {ingressClassName: other}', OTHER, false],
    ['spec: {ingressClassName: none}', CLASS, false],
    ['spec: {}', CLASS, false],
    ['spec: {}', DEFAULT, true],
    ['status: {}', DEFAULT, true],
    [
      'spec: {}',
      `{kind: IngressClass, metadata: {name: bare}, spec: {controller: vitrine.dev/ingress}}\n---\n${OTHER}`,
      false,
    ],
    ['spec: {ingressClassName: other}', `${DEFAULT}\n---\n${OTHER}`, false],
  ])('with %s is served: %#, %s', (rest, classes, served) => {
    const view = one(`${classes}\n---\n{kind: Ingress, metadata: {name: i}, ${rest}}`);
    expect(isServed(ingressIn(view), view)).toBe(served);
  });

  test.each([
    ['', 'ours', [{ ip: '192.0.2.80' }]],
    ['{ip: 192.0.2.80}', 'ours', undefined],
    ['{ip: 192.0.2.81}', 'ours', [{ ip: '192.0.2.80' }]],
    ['{ip: 192.0.2.80}, {hostname: h}', 'ours', [{ ip: '192.0.2.80' }]],
    ['{ip: 192.0.2.80}', 'none', []],
    ['{hostname: h}', 'none', undefined],
    ['', 'none', undefined],
  ])('with the addresses [%s] and the class %s gets %j', (addresses, name, written) => {
    const status = `{loadBalancer: {ingress: [${addresses}]}}`;
    const view = one(
      `${CLASS}\n---\n{kind: Ingress, metadata: {name: i}, spec: {ingressClassName: ${name}}, status: ${status}}`,
    );
    expect(addressesToWrite(ingressIn(view), view)).toEqual(written);
  });

  const rule = (name: string, age: string, service: string): string =>
    `{kind: Ingress, metadata: {name: ${name}, creationTimestamp: "${age}"}, spec: {ingressClassName: ours, rules: [{host: h.io, http: {paths: [{path: /, backend: {service: {name: ${service}}}}]}}]}}`;
  test.each([
    [rule('b', '2021', 'old'), rule('a', '2022', 'young'), 'old'],
    [rule('a', '2022', 'young'), rule('b', '2021', 'old'), 'old'],
    [rule('a', '2021', 'first'), rule('b', '2021', 'second'), 'first'],
    [rule('b', '2021', 'second'), rule('a', '2021', 'first'), 'first'],
  ])('%#: the older one wins, and of the same age the first by name', (one_, two, wins) => {
    const view = one([CLASS, one_, two].join('\n---\n'));
    expect(routeIngress({ host: 'h.io', path: '/' }, view)?.backend.service?.name).toBe(wins);
  });

  test.each([
    [{ number: 80 }, 'ports: [{port: 80, name: web}]', 80],
    [{ name: 'web' }, 'ports: [{port: 81}, {port: 80, name: web}]', 80],
    [{ name: 'none' }, 'ports: [{port: 81}]', undefined],
    [{ number: 82 }, 'ports: [{port: 81}]', undefined],
    [{ number: 82 }, 'type: ExternalName', 82],
    [{ name: 'web' }, 'type: ExternalName', undefined],
  ])('port %j of a service with %s: %s', (port, spec, expected) => {
    const view = one(`{kind: Service, metadata: {name: s}, spec: {${spec}}}`);
    expect(backendPort({ name: 's', port }, must(view.get('services', 'x/s'), 'it is there'))).toBe(expected);
  });
});

describe('records', () => {
  test('of a program lose their last dot, and texts are left out', () => {
    expect(
      fromPrograms([
        { type: 'A', name: 'a.b.', address: '1.1.1.1', ttl: 5 },
        { type: 'SRV', name: 's.b.', target: 'a.b.', port: 80, priority: 0, weight: 50, ttl: 5 },
        { type: 'CNAME', name: 'c.b', target: 'a.b.', ttl: 5 },
        { type: 'TXT', name: 't.b.', text: 'x', ttl: 5 } as never,
      ]),
    ).toEqual([
      { type: 'A', name: 'a.b', address: '1.1.1.1' },
      { type: 'SRV', name: 's.b', target: 'a.b', port: 80 },
      { type: 'CNAME', name: 'c.b', target: 'a.b' },
    ]);
  });

  test('for programs have a lifetime, full names, and share the weight', () => {
    const ttl = expect.any(Number) as number;
    expect(
      toPrograms([
        { type: 'A', name: 'a.b', address: '1.1.1.1' },
        { type: 'SRV', name: 's.b', target: 'a.b', port: 80 },
        { type: 'CNAME', name: 'c.b', target: 'a.b' },
      ]),
    ).toEqual([
      { type: 'A', name: 'a.b.', address: '1.1.1.1', ttl },
      { type: 'SRV', name: 's.b.', target: 'a.b.', port: 80, priority: 0, weight: 33, ttl },
      { type: 'CNAME', name: 'c.b.', target: 'a.b.', ttl },
    ]);
  });
});

describe('a resolver', () => {
  const conf = (options: { name: string; value?: string }[]) => ({
    nameservers: [],
    searches: ['x.svc', 'svc'],
    options,
  });
  test.each([
    ['a', [], ['a.x.svc', 'a.svc', 'a']],
    ['a.b', [], ['a.b', 'a.b.x.svc', 'a.b.svc']],
    [
      'a.b',
      [
        { name: 'timeout', value: '1' },
        { name: 'ndots', value: '2' },
      ],
      ['a.b.x.svc', 'a.b.svc', 'a.b'],
    ],
    [
      'a.b.c',
      [
        { name: 'timeout', value: '9' },
        { name: 'ndots', value: '2' },
      ],
      ['a.b.c', 'a.b.c.x.svc', 'a.b.c.svc'],
    ],
    ['a.b.', [{ name: 'ndots', value: '5' }], ['a.b']],
  ])('tries %s with %j as %j', (name, options, tried) => {
    expect(candidateNames(name, conf(options))).toEqual(tried);
  });

  test('has a file without empty lines', () => {
    expect(resolvConfText({ nameservers: [], searches: [], options: [] })).toBe('');
    expect(
      resolvConfText({ ...conf([{ name: 'rotate' }, { name: 'ndots', value: '2' }]), nameservers: ['1.1.1.1'] }),
    ).toBe('nameserver 1.1.1.1\nsearch x.svc svc\noptions rotate ndots:2\n');
  });
});

describe('a port of a node', () => {
  const pod = (ports: string, host = false): string =>
    `{kind: Pod, metadata: {name: p}, spec: {hostNetwork: ${host}, nodeName: node-1, containers: [{name: c, ports: [${ports}]}, {name: d}]}, status: {phase: Running, podIP: 10.244.9.9}}`;

  test.each([
    ['{containerPort: 80}', false, []],
    ['{containerPort: 80}', true, [[80, 80, 'TCP', undefined]]],
    ['{containerPort: 80, hostPort: 8080}', false, [[8080, 80, 'TCP', undefined]]],
    ['{containerPort: 53, hostPort: 53, protocol: UDP, hostIP: 0.0.0.0}', false, [[53, 53, 'UDP', undefined]]],
    ['{containerPort: 53, hostPort: 53, hostIP: "::"}', false, [[53, 53, 'TCP', undefined]]],
    ['{containerPort: 53, hostPort: 53, hostIP: ""}', false, [[53, 53, 'TCP', undefined]]],
    ['{containerPort: 80, hostPort: 80, hostIP: 127.0.0.1}', false, [[80, 80, 'TCP', '127.0.0.1']]],
  ])('for a container port %s, on the host’s network %s: %j', (ports, host, expected) => {
    const found = hostPortsOf(must(one(pod(ports, host)).get('pods', 'x/p'), 'it is there'));
    expect(found.map((each) => [each.hostPort, each.containerPort, each.protocol, each.hostIP])).toEqual(expected);
  });

  test.each([
    ['192.168.0.1', 8080, 'TCP', 80],
    ['192.168.0.1', 8080, 'UDP', undefined],
    ['192.168.0.1', 8081, 'TCP', undefined],
    ['192.168.0.1', 8082, 'TCP', 82],
    ['127.0.0.1', 8081, 'TCP', 81],
  ])('%s:%d over %s leads to the container port %s', (address, port, protocol, containerPort) => {
    const view = smallCluster(
      pod(
        '{containerPort: 80, hostPort: 8080}, {containerPort: 81, hostPort: 8081, hostIP: 127.0.0.1}, {containerPort: 82, hostPort: 8082, hostIP: 192.168.0.1}',
      ),
    );
    const node = must(view.get('nodes', 'node-1'), 'it is there');
    expect(podAtHostPort(node, address, port, protocol, view)?.containerPort).toBe(containerPort);
  });
});

test.each([
  ['10.244.0.1', true],
  ['192.168.0.1', true],
  ['198.51.100.7', true],
  ['10.96.0.10', true],
  ['198.51.100.8', false],
  ['10.96.0.50', false],
])('an echo request from a pod to %s is answered: %s', (address, answered) => {
  const view = smallCluster('{kind: Service, metadata: {name: s}, spec: {clusterIP: 10.96.0.50}}');
  expect(echoReaches({ pod: must(view.get('pods', 'x/b'), 'it is there') }, address, view)).toBe(answered);
});

describe('an advice', () => {
  const advised = (spec: string, more = ''): string[] => {
    const view = smallCluster(`${more}\n---\n{kind: NetworkPolicy, metadata: {name: p}, spec: ${spec}}`);
    return adviseOn(must(view.get('networkpolicies', 'x/p'), 'it is there'), view).map(
      ({ mistake, path }) => `${mistake}: ${path}`,
    );
  };

  test('finds a pod by one of its addresses in a block', () => {
    const pod =
      '{kind: Pod, metadata: {name: two}, status: {phase: Running, podIP: 10.9.0.1, podIPs: [{ip: 10.9.0.1}, {ip: "fd00::1"}]}}';
    const spec = '{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.9.0.1/32}}]}]}';
    expect(advised(spec, pod)).toContain('peer by pod address: spec.ingress[0].from[0].ipBlock.cidr');
    expect(advised(spec)).not.toContain('peer by pod address: spec.ingress[0].from[0].ipBlock.cidr');
  });

  test('finds split selectors in rules for outgoing connections, too', () => {
    const spec =
      '{podSelector: {}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}}, {podSelector: {}}]}]}';
    expect(advised(spec)).toContain('or instead of and: spec.egress[0].to[1]');
  });

  test('is satisfied where one of two name servers is reached', () => {
    const second =
      '{kind: Pod, metadata: {name: dns-2, namespace: cluster-system, labels: {k8s-app: cluster-dns, old: "1"}}, status: {phase: Running, podIP: 10.244.8.2}}';
    const spec = (selector: string): string =>
      `{podSelector: {}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}, podSelector: {matchLabels: ${selector}}}], ports: [{port: 53, protocol: UDP}]}]}`;
    const more = `${NAME_SERVER}\n---\n${second}`;
    expect(advised(spec('{old: "1"}'), more)).not.toContain('egress without DNS: spec.egress');
    expect(advised(spec('{old: "2"}'), more)).toContain('egress without DNS: spec.egress');
  });
});
