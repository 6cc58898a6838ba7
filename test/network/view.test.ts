import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NetworkView } from '../../src/network/index.ts';
import { keyOf } from '../../src/network/view.ts';
import { add, settings, type Pod } from './world.ts';

const addresses = ['10.244.0.1', '10.244.0.2', '10.244.0.3'];
const pod = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  ip: fc.option(fc.constantFrom(...addresses), { nil: undefined }),
  phase: fc.constantFrom('Pending', 'Running'),
  hostPort: fc.constantFrom(0, 80),
});

function podOf({ name, ip, phase, hostPort }: typeof pod extends fc.Arbitrary<infer T> ? T : never): Pod {
  const status = { phase, ...(ip === undefined ? {} : { podIP: ip }) };
  const ports = [{ containerPort: 8080, ...(hostPort > 0 && { hostPort }) }];
  return {
    metadata: { name, namespace: 'x', creationTimestamp: null },
    spec: { nodeName: 'n', containers: [{ name: 'c', resources: {}, ports }] },
    status,
  };
}

test('a view finds what one finds that was made of the last states alone', () => {
  const step = fc.record({ pod, removes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const view = new NetworkView(settings);
      for (const { pod, removes } of steps) {
        if (removes) view.remove('pods', podOf(pod));
        else view.set('pods', podOf(pod));
      }
      const plain = new NetworkView(settings);
      for (const object of view.all('pods')) plain.set('pods', object);
      for (const each of [view, view.fork()]) {
        expect(new Set(each.podsIn('x'))).toEqual(new Set(plain.podsIn('x')));
        expect(new Set(each.podsAtHostPort('n', 80, 'TCP'))).toEqual(new Set(plain.podsAtHostPort('n', 80, 'TCP')));
        for (const address of addresses)
          expect(each.podAt(address) === undefined).toBe(plain.podAt(address) === undefined);
      }
    }),
  );
});

const named = (objects: readonly Parameters<typeof keyOf>[0][]): string => objects.map(keyOf).join(' ');
const viewOf = (...documents: string[]): NetworkView => add(new NetworkView(settings), documents.join('\n---\n'));

const ENDED = '{kind: Pod, metadata: {name: ended}, status: {phase: Succeeded, podIP: 10.244.0.5}}';
const portOf = (name: string, port: string, status = '{phase: Running}'): string =>
  `{kind: Pod, metadata: {name: ${name}}, spec: {nodeName: n, containers: [{name: c, ports: [${port}]}]}, status: ${status}}`;
const onHost = (name: string, port: string): string =>
  portOf(name, port).replace('nodeName: n,', 'nodeName: n, hostNetwork: true,');
const serviceOf = (name: string, spec: string, more = ''): string =>
  `{kind: Service, metadata: {name: ${name}}, spec: ${spec}${more}}`;
const dns = (name: string, namespace: string, phase = 'Running', label = 'k8s-app: dns'): string =>
  `{kind: Pod, metadata: {name: ${name}, namespace: ${namespace}, labels: {${label}}}, status: {phase: ${phase}}}`;
const sliceOf = (name: string, labels: string, endpoints: string): string =>
  `{kind: EndpointSlice, metadata: {name: ${name}, labels: ${labels}}, endpoints: ${endpoints}}`;
const LABEL = '{cluster.io/service-name: web}';
const WEB = serviceOf('web', '{}');

describe('a view finds', () => {
  test.each<[title: string, documents: string[], find: (view: NetworkView) => readonly object[], found: string]>([
    [
      'a running pod by its address, not one that ended',
      [ENDED, ENDED.replace('name: ended', 'name: failed').replace('Succeeded', 'Failed')],
      (view) => [view.podAt('10.244.0.5') ?? []].flat(),
      '',
    ],
    [
      'a pod that took over the address of one that ended',
      [ENDED, '{kind: Pod, metadata: {name: b}, status: {phase: Pending, podIP: 10.244.0.5}}'],
      (view) => [view.podAt('10.244.0.5') ?? []].flat(),
      'x/b',
    ],
    [
      'a pod by each of its addresses, in any form',
      [
        '{kind: Pod, metadata: {name: b}, status: {podIP: 10.244.0.5, podIPs: [{ip: 10.244.0.5}, {ip: "fd00::5"}, {}]}}',
      ],
      (view) => [view.podAt('FD00:0::5') ?? []].flat(),
      'x/b',
    ],
    [
      'nothing without an address',
      [
        '{kind: Pod, metadata: {name: b}, status: {podIP: ""}}',
        serviceOf('s', '{clusterIP: ""}'),
        serviceOf('h', '{clusterIP: None}'),
      ],
      (view) => [...[view.podAt('') ?? []].flat(), ...view.servicesAt(''), ...view.servicesAt('None')],
      '',
    ],
    [
      'no pod of a host network by its address',
      ['{kind: Pod, metadata: {name: b}, spec: {hostNetwork: true}, status: {podIP: 10.0.0.1}}'],
      (view) => [view.podAt('10.0.0.1') ?? []].flat(),
      '',
    ],
    [
      'a node by its internal and external addresses, not by its name',
      [
        '{kind: Node, metadata: {name: n}, status: {addresses: [{type: InternalIP, address: 10.0.0.1}, {type: ExternalIP, address: 1.2.3.4}, {type: Hostname, address: n}]}}',
      ],
      (view) => ['10.0.0.1', '1.2.3.4', 'n'].flatMap((address) => view.nodeAt(address) ?? []),
      'n n',
    ],
    [
      'pods that run by a host port and its protocol',
      [
        portOf('a', '{containerPort: 80, hostPort: 8080}'),
        portOf('b', '{containerPort: 80, hostPort: 8080, protocol: UDP}'),
        portOf('c', '{containerPort: 8080}'),
        portOf('d', '{containerPort: 80, hostPort: 8080}', '{phase: Failed}'),
        onHost('e', '{containerPort: 8080}'),
      ],
      (view) => view.podsAtHostPort('n', 8080, 'TCP'),
      'x/a x/e',
    ],
    ['no pod by the port 0', [portOf('c', '{containerPort: 8080}')], (view) => view.podsAtHostPort('n', 0, 'TCP'), ''],
    [
      'the running pods of a system component',
      [
        dns('a', 'cluster-system'),
        dns('b', 'x'),
        dns('c', 'cluster-system', 'Failed'),
        dns('d', 'cluster-system', 'Running', 'app: dns'),
      ],
      (view) => view.systemPods('dns'),
      'cluster-system/a',
    ],
    [
      'a service by its addresses: the list before the one, external and those of balancers',
      [
        serviceOf(
          's',
          '{clusterIP: 10.96.0.1, externalIPs: [1.1.1.1]}',
          ', status: {loadBalancer: {ingress: [{ip: 2.2.2.2}, {hostname: h}]}}',
        ),
        serviceOf('t', '{clusterIP: 10.96.0.2, clusterIPs: [10.96.0.2, "fd00::2"]}'),
      ],
      (view) => ['10.96.0.1', '1.1.1.1', '2.2.2.2', 'fd00::2', '10.96.0.3'].flatMap((ip) => view.servicesAt(ip)),
      'x/s x/s x/s x/t',
    ],
    [
      'a service by its node port and protocol',
      [
        serviceOf(
          's',
          '{ports: [{port: 80, nodePort: 30080}, {port: 53, protocol: UDP, nodePort: 30053}, {port: 81}, {port: 82, nodePort: 0}]}',
        ),
      ],
      (view) =>
        [[30_080, 'TCP'] as const, [30_053, 'UDP'] as const, [30_053, 'TCP'] as const, [0, 'TCP'] as const].flatMap(
          ([port, protocol]) => view.serviceAtNodePort(port, protocol) ?? [],
        ),
      'x/s x/s',
    ],
    [
      'a service by its health check port',
      [serviceOf('s', '{healthCheckNodePort: 32000}'), WEB],
      (view) => [view.serviceAtHealthPort(32_000) ?? []].flat(),
      'x/s',
    ],
    [
      'the slices of a service, and the service before an address',
      [
        WEB,
        sliceOf('web-1', LABEL, '[{addresses: [10.244.0.1]}, {}]'),
        sliceOf('web-2', '{}', '[{addresses: [10.244.0.2]}]'),
        '{kind: EndpointSlice, metadata: {name: bare}}',
        sliceOf('gone-1', '{cluster.io/service-name: gone}', '[{addresses: [10.244.0.1]}]'),
      ],
      (view) => [
        ...view.all('services').flatMap((service) => view.slicesOf(service)),
        ...view.servicesBefore('10.244.0.1'),
        ...view.servicesBefore('10.244.0.2'),
      ],
      'x/web-1 x/web',
    ],
    [
      'ingresses by host in lower case, by any host, and by a default backend',
      [
        '{kind: Ingress, metadata: {name: a}, spec: {rules: [{host: A.test}, {}]}}',
        '{kind: Ingress, metadata: {name: b}, spec: {defaultBackend: {}}}',
        '{kind: Ingress, metadata: {name: c}}',
      ],
      (view) => [
        ...view.ingressesFor('a.test'),
        ...view.ingressesFor('A.test'),
        ...view.ingressesFor(''),
        ...view.ingressesWithDefaultBackend(),
      ],
      'x/a x/a x/b',
    ],
  ])('%s', (_, documents, find, found) => {
    expect(named(find(viewOf(...documents)) as readonly Parameters<typeof keyOf>[0][])).toBe(found);
  });

  test('what an object said last, and nothing of one that is gone', () => {
    const view = viewOf(serviceOf('s', '{clusterIP: 10.96.0.1}'));
    add(view, serviceOf('s', '{clusterIP: 10.96.0.2}'));
    expect([named(view.servicesAt('10.96.0.1')), named(view.servicesAt('10.96.0.2'))]).toEqual(['', 'x/s']);
    for (const service of view.all('services')) view.remove('services', service);
    expect([named(view.servicesAt('10.96.0.2')), view.count('services')]).toEqual(['', 0]);
  });

  test('two services with one address, and the other when one is gone', () => {
    const view = viewOf(serviceOf('s', '{clusterIP: 10.96.0.1}'), serviceOf('t', '{externalIPs: [10.96.0.1]}'));
    expect(named(view.servicesAt('10.96.0.1'))).toBe('x/s x/t');
    for (const service of view.servicesAt('10.96.0.1').slice(0, 1)) view.remove('services', service);
    expect(named(view.servicesAt('10.96.0.1'))).toBe('x/t');
  });

  test.each([
    ['of a known namespace', '{kind: Namespace, metadata: {name: n, labels: {a: b}}}', { a: 'b' }],
    ['of a namespace without labels', '{kind: Namespace, metadata: {name: n}}', {}],
    ['of an unknown namespace', WEB, {}],
  ])('the labels %s', (_, document, labels) => {
    expect(viewOf(document).labelsOfNamespace('n')).toEqual(labels);
  });
});
