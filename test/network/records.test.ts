/** DNS records, backends and ingress rules by tables of single objects. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { backendPort, matchesPath, rankHost } from '../../src/network/ingress.ts';
import { hostnameIn, isReady, mayBecomeReady, portsOf } from '../../src/network/endpoints.ts';
import {
  addressesToWrite,
  backendsOf,
  isServed,
  NetworkView,
  recordsOf,
  referenceTo,
  routeIngress,
  targetPort,
  type DnsRecord,
} from '../../src/network/index.ts';
import type { objects } from '../../src/schema/index.ts';
import { add, settings, smallCluster, type Pod } from './world.ts';

const short = (record: DnsRecord): string => {
  if (record.type === 'SRV') return `SRV ${record.target}:${record.port}`;
  return 'address' in record ? `${record.type} ${record.address}` : `${record.type} ${record.target}`;
};

const read = <T>(text: string): T => parse(text) as T;
const pod = (text: string): Pod => read(text);
const service = (text: string): objects.Service => read(text);
const ingress = (text: string): objects.Ingress => read(text);

describe('records of services', () => {
  const view = smallCluster(`
---
{kind: Service, metadata: {name: dual}, spec: {clusterIP: 10.96.0.1, clusterIPs: [10.96.0.1, 'fd00::1'], ports: [{port: 80}, {name: udp, port: 53, protocol: UDP}]}}
---
{kind: Service, metadata: {name: old}, spec: {clusterIP: 10.96.0.2}}
---
{kind: Service, metadata: {name: waiting}, spec: {clusterIP: '', clusterIPs: ['']}}
---
{kind: Service, metadata: {name: bare}}
---
{kind: Service, metadata: {name: dotted}, spec: {type: ExternalName, externalName: example.org.}}
---
{kind: Service, metadata: {name: pair}, spec: {clusterIP: None, ports: [{name: one, port: 1}]}}
---
kind: EndpointSlice
metadata: {name: pair-1, labels: {cluster.io/service-name: pair}}
ports: [{name: one, port: 1}]
endpoints: [{addresses: [10.244.0.9]}, {addresses: [10.244.0.10], hostname: ten}, {addresses: ['fd00::9'], conditions: {ready: true}}]
---
kind: EndpointSlice
metadata: {name: pair-2, labels: {cluster.io/service-name: pair}}
ports: [{name: two, port: 2, protocol: UDP}, {}]
endpoints: [{addresses: [10.244.0.9]}, {addresses: [10.244.0.8], conditions: {ready: false}}]
---
{kind: EndpointSlice, metadata: {name: pair-3, labels: {cluster.io/service-name: pair}}}
---
{kind: Service, metadata: {name: far, namespace: y}, spec: {clusterIP: None}}
---
kind: EndpointSlice
metadata: {name: far-1, namespace: y, labels: {cluster.io/service-name: far}}
endpoints: [{addresses: [10.244.0.7], hostname: seven}]
---
kind: EndpointSlice
metadata: {name: dual-1, labels: {cluster.io/service-name: dual}}
endpoints: [{addresses: [10.244.0.7]}, {addresses: [10.244.0.6], conditions: {ready: false}}]
---
{kind: Pod, metadata: {name: nine}, spec: {}, status: {podIP: 10.244.0.9}}
---
{kind: Pod, metadata: {name: six}, spec: {}, status: {podIP: 'fd00::9', podIPs: [{ip: 'fd00::9'}]}}
`);

  test.each<[name: string, ...records: string[]]>([
    ['dual.x.svc.cluster.local', 'A 10.96.0.1', 'AAAA fd00::1'],
    ['old.x.svc.cluster.local', 'A 10.96.0.2'],
    ['waiting.x.svc.cluster.local'],
    ['bare.x.svc.cluster.local'],
    ['dotted.x.svc.cluster.local', 'CNAME example.org'],
    ['more.dotted.x.svc.cluster.local'],
    ['_._tcp.dual.x.svc.cluster.local', 'SRV dual.x.svc.cluster.local:80'],
    ['_udp._udp.dual.x.svc.cluster.local', 'SRV dual.x.svc.cluster.local:53'],
    ['_udp._tcp.dual.x.svc.cluster.local'],
    ['udp._udp.dual.x.svc.cluster.local'],
    ['_udp.udp.dual.x.svc.cluster.local'],
    ['_a._udp._udp.dual.x.svc.cluster.local'],
    ['_one._tcp.bare.x.svc.cluster.local'],
    ['pair.x.svc.cluster.local', 'A 10.244.0.10', 'A 10.244.0.9', 'AAAA fd00::9'],
    ['ten.pair.x.svc.cluster.local', 'A 10.244.0.10'],
    ['10-244-0-9.pair.x.svc.cluster.local', 'A 10.244.0.9'],
    ['fd00--9.pair.x.svc.cluster.local', 'AAAA fd00::9'],
    ['10-244-0-8.pair.x.svc.cluster.local'],
    ['more.ten.pair.x.svc.cluster.local'],
    [
      '_one._tcp.pair.x.svc.cluster.local',
      'SRV ten.pair.x.svc.cluster.local:1',
      'SRV 10-244-0-9.pair.x.svc.cluster.local:1',
      'SRV fd00--9.pair.x.svc.cluster.local:1',
    ],
    ['_two._udp.pair.x.svc.cluster.local', 'SRV 10-244-0-9.pair.x.svc.cluster.local:2'],
    ['_._tcp.pair.x.svc.cluster.local', 'SRV 10-244-0-9.pair.x.svc.cluster.local:0'],
    ['fd00--9.x.pod.cluster.local', 'AAAA fd00::9'],
    ['10-244-0-9.more.x.pod.cluster.local'],
    ['x.pod.cluster.local'],
    ['1.0.96.10.in-addr.arpa', 'PTR dual.x.svc.cluster.local'],
    ['9.0.244.10.in-addr.arpa', 'PTR 10-244-0-9.pair.x.svc.cluster.local'],
    ['8.0.244.10.in-addr.arpa'],
    ['7.0.244.10.in-addr.arpa', 'PTR seven.far.y.svc.cluster.local', 'PTR 10-244-0-7.dual.x.svc.cluster.local'],
    ['6.0.244.10.in-addr.arpa'],
    [`1.${'0.'.repeat(28)}0.d.f.ip6.arpa`, 'PTR dual.x.svc.cluster.local'],
    [`9.${'0.'.repeat(28)}0.d.f.ip6.arpa`, 'PTR fd00--9.pair.x.svc.cluster.local'],
    ['0.d.f.ip6.arpa'],
    ['in-addr.arpa'],
    ['svc.cluster.local'],
    ['nowhere'],
  ])('%s', (name, ...records) => {
    const found = recordsOf(name, view);
    expect(found.map(short)).toEqual(records);
    expect(found.every((record) => record.name === name)).toBe(true);
  });
});

describe('the port that a service leads to on a pod', () => {
  const containers = pod(
    'spec: {containers: [{}, {ports: [{name: dns, containerPort: 53, protocol: UDP}, {name: http, containerPort: 8080}]}]}',
  );
  test.each<[object, number | undefined]>([
    [{ port: 80 }, 80],
    [{ port: 80, targetPort: '' }, 80],
    [{ port: 80, targetPort: 0 }, 80],
    [{ port: 80, targetPort: 81 }, 81],
    [{ port: 80, targetPort: 'http' }, 8080],
    [{ port: 80, targetPort: 'http', protocol: 'UDP' }, undefined],
    [{ port: 80, targetPort: 'dns', protocol: 'UDP' }, 53],
    [{ port: 80, targetPort: 'dns' }, undefined],
    [{ port: 80, targetPort: 'other' }, undefined],
  ])('%j is %s', (port, number) => {
    expect(targetPort(containers, port as objects.ServicePort)).toBe(number);
  });

  test.each<[string, object[]]>([
    ['{}', []],
    ['{spec: {}}', []],
    ['{spec: {ports: [{port: 80}]}}', [{ port: 80, protocol: 'TCP' }]],
    [
      '{spec: {ports: [{name: web, port: 80, targetPort: http, appProtocol: h2}, {name: gone, port: 1, targetPort: gone}]}}',
      [{ name: 'web', port: 8080, protocol: 'TCP', appProtocol: 'h2' }],
    ],
    [
      "{spec: {ports: [{name: '', port: 53, protocol: UDP, appProtocol: ''}]}}",
      [{ port: 53, protocol: 'UDP', appProtocol: '' }],
    ],
  ])('%s has the ports %j', (text, ports) => {
    expect(portsOf(service(text), containers)).toEqual(ports);
  });
});

describe('a pod behind a service', () => {
  test.each<[string, boolean]>([
    ['{}', false],
    ['{status: {conditions: []}}', false],
    ['{status: {conditions: [{type: Ready, status: "True"}]}}', true],
    ['{status: {conditions: [{type: Ready, status: "False"}]}}', false],
    ['{status: {conditions: [{type: Other, status: "True"}]}}', false],
    ['{status: {conditions: [{type: Other, status: "False"}, {type: Ready, status: "True"}]}}', true],
  ])('%s is ready: %s', (text, ready) => {
    expect(isReady(pod(text))).toBe(ready);
  });

  test.each<[string, string, boolean]>([
    ['Always', 'Running', true],
    ['Always', 'Failed', true],
    ['Always', 'Succeeded', true],
    ['OnFailure', 'Running', true],
    ['OnFailure', 'Failed', true],
    ['OnFailure', 'Succeeded', false],
    ['Never', 'Running', true],
    ['Never', 'Failed', false],
    ['Never', 'Succeeded', false],
  ])('with the restart policy %s in phase %s may become ready: %s', (restartPolicy, phase, may) => {
    expect(mayBecomeReady(pod(`{spec: {restartPolicy: ${restartPolicy}}, status: {phase: ${phase}}}`))).toBe(may);
  });

  const all = '{metadata: {name: s, namespace: n}, spec: {publishNotReadyAddresses: true}}';
  const some = '{metadata: {name: s, namespace: n}, spec: {}}';
  const ready = 'conditions: [{type: Ready, status: "True"}]';
  test.each<[string, string, string[]]>([
    [some, '{}', []],
    [some, '{status: {podIPs: []}}', []],
    [some, '{status: {podIPs: [{}]}}', []],
    [some, '{status: {podIP: 1.1.1.1}}', ['1.1.1.1 of 1 not ready']],
    [some, '{status: {podIP: 1.1.1.1, podIPs: [{ip: 2.2.2.2}, {ip: "fd00::2"}]}}', ['2.2.2.2 of 2 not ready']],
    [some, `{status: {podIP: 1.1.1.1, ${ready}}}`, ['1.1.1.1 of 1 ready']],
    [some, `{metadata: {deletionTimestamp: now}, status: {podIP: 1.1.1.1, ${ready}}}`, []],
    [all, `{metadata: {deletionTimestamp: now}, status: {podIP: 1.1.1.1}}`, ['1.1.1.1 of 1 ready']],
    [all, '{status: {podIP: 1.1.1.1}}', ['1.1.1.1 of 1 ready']],
    [all, '{spec: {restartPolicy: Never}, status: {podIP: 1.1.1.1, phase: Failed}}', []],
  ])('of %s: %s: %j', (text, behind, backends) => {
    const found = backendsOf(service(text), [pod(behind)]);
    expect(found.map(({ ip, ips, ready }) => `${ip} of ${ips.length} ${ready ? 'ready' : 'not ready'}`)).toEqual(
      backends,
    );
  });

  test.each<[string, string | undefined]>([
    ['{metadata: {namespace: n}, spec: {subdomain: s, hostname: h}}', 'h'],
    ['{metadata: {namespace: n}, spec: {subdomain: s}}', undefined],
    ['{metadata: {namespace: n}, spec: {subdomain: t, hostname: h}}', undefined],
    ['{metadata: {namespace: m}, spec: {subdomain: s, hostname: h}}', undefined],
    ['{metadata: {namespace: n}, spec: {hostname: h}}', undefined],
  ])('%s has the hostname %s', (text, hostname) => {
    expect(hostnameIn(service(some), pod(text))).toBe(hostname);
  });

  test.each<[string, object]>([
    ['{}', { kind: 'Pod' }],
    ['{metadata: {name: p, namespace: n}}', { kind: 'Pod', name: 'p', namespace: 'n' }],
    [
      '{metadata: {name: p, namespace: n, uid: u, resourceVersion: "7", labels: {a: b}}}',
      { kind: 'Pod', name: 'p', namespace: 'n', uid: 'u', resourceVersion: '7' },
    ],
  ])('%s is referred to as %j', (text, reference) => {
    expect(referenceTo(pod(text))).toEqual(reference);
  });
});

describe('an Ingress', () => {
  test.each<[string, string, number | undefined]>([
    ['', 'example.com', 0],
    ['example.com', 'example.com', 2],
    ['Example.COM', 'example.com', 2],
    ['example.com', 'EXAMPLE.com', 2],
    ['*.example.com', 'a.example.com', 1],
    ['*.example.com', 'a.b.example.com', undefined],
    ['*.example.com', 'example.com', undefined],
    ['*.example.com', '.example.com', undefined],
    ['*', 'example', undefined],
    ['x.example.com', 'a.example.com', undefined],
    ['example.com', '', undefined],
  ])('host %j fits %j by %s', (pattern, host, rank) => {
    expect(rankHost(pattern, host)).toBe(rank);
  });

  test.each<[string, string, string, boolean]>([
    ['/a', 'Exact', '/a', true],
    ['/a', 'Exact', '/a/', false],
    ['/a', 'Prefix', '/a', true],
    ['/a', 'Prefix', '/a/b', true],
    ['/a', 'Prefix', '/ab', false],
    ['/a//', 'Prefix', '/a', true],
    ['/a/', 'Prefix', '/a/b', true],
    ['/', 'Prefix', '/anything', true],
    ['/a//b', 'Prefix', '/a', false],
    ['/a', 'ImplementationSpecific', '/a/b', true],
  ])('path %s (%s) takes %s: %s', (wanted, type, path, expected) => {
    expect(matchesPath(wanted, type, path)).toBe(expected);
  });

  const ports = '{spec: {ports: [{name: web, port: 80}, {port: 81}]}}';
  test.each<[string, string, number | undefined]>([
    ['{name: s, port: {number: 80}}', ports, 80],
    ['{name: s, port: {name: web}}', ports, 80],
    ['{name: s, port: {number: 82}}', ports, undefined],
    ['{name: s, port: {name: other}}', ports, undefined],
    ['{name: s}', ports, undefined],
    ['{name: s, port: {number: 80}}', '{spec: {}}', undefined],
    ['{name: s, port: {number: 80}}', '{spec: {type: ExternalName}}', 80],
    ['{name: s, port: {name: web}}', '{spec: {type: ExternalName}}', undefined],
  ])('backend %s at %s leads to port %s', (backend, to, port) => {
    expect(backendPort(read<objects.IngressBackend['service']>(backend), service(to))).toBe(port);
  });

  const classes = `
{kind: IngressClass, metadata: {name: ours}, spec: {controller: vitrine.dev/ingress}}
---
{kind: IngressClass, metadata: {name: other}, spec: {controller: example.com/other}}`;
  const isDefault = `
{kind: IngressClass, metadata: {name: ours, annotations: {ingressclass.cluster.io/is-default-class: 'true'}}, spec: {controller: vitrine.dev/ingress}}`;
  test.each<[string, string, boolean]>([
    ['{spec: {ingressClassName: ours}}', classes, true],
    ['{spec: {ingressClassName: other}}', classes, false],
    ['{spec: {ingressClassName: none}}', classes, false],
    ['{metadata: {annotations: {cluster.io/ingress.class: ours}}}', classes, true],
    ['{metadata: {annotations: {cluster.io/ingress.class: other}}}', classes, false],
    ['{metadata: {annotations: {cluster.io/ingress.class: other}}, spec: {ingressClassName: ours}}', classes, true],
    ['{}', classes, false],
    ['{}', isDefault, true],
    ['{spec: {ingressClassName: none}}', isDefault, false],
    ['{}', isDefault.replace("'true'", "'false'"), false],
    ['{}', isDefault.replace('vitrine.dev/ingress', 'example.com/other'), false],
  ])('%s with %s is served: %s', (text, known, served) => {
    const view = add(new NetworkView(settings), known);
    expect(isServed(ingress(text), view)).toBe(served);
    const status = (...ips: string[]): object => ({ status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } } });
    const toWrite = (...ips: string[]): unknown =>
      addressesToWrite({ ...ingress(text), ...status(...ips) } as objects.Ingress, view);
    const ours = settings.ingressAddress;
    expect([toWrite(), toWrite(ours), toWrite('9.9.9.9'), toWrite(ours, '9.9.9.9')]).toEqual(
      served ? [[{ ip: ours }], undefined, [{ ip: ours }], [{ ip: ours }]] : [undefined, [], undefined, []],
    );
    expect(addressesToWrite(ingress(text), view)).toEqual(served ? [{ ip: ours }] : undefined);
  });

  const rule = (host: string, ...paths: string[]): string =>
    `{host: '${host}', http: {paths: [${paths
      .map((path) => path.split(' '))
      .map(([path = '', type = 'Prefix']) => `{path: ${path}, pathType: ${type}, backend: {service: {name: s}}}`)
      .join(', ')}]}}`;
  const made = (name: string, created: string, spec: string): string =>
    `{kind: Ingress, metadata: {name: ${name}, creationTimestamp: '${created}'}, spec: {ingressClassName: ours, ${spec}}}`;
  const world = add(
    new NetworkView(settings),
    [
      classes,
      made('old', '2020-01-01T00:00:00Z', `rules: [${rule('a.example.com', '/', '/long', '/long Exact')}]`),
      made(
        'young',
        '2021-01-01T00:00:00Z',
        `rules: [${rule('a.example.com', '/', '/young')}, ${rule('*.example.com', '/wild')}]`,
      ),
      made(
        'any',
        '2019-01-01T00:00:00Z',
        `rules: [${rule('', '/any', '/anything/longer')}], defaultBackend: {service: {name: d}}`,
      ),
      made(
        'spare',
        '2018-01-01T00:00:00Z',
        `rules: [${rule('b.example.com', '/b')}], defaultBackend: {service: {name: d}}`,
      ),
      '{kind: Ingress, metadata: {name: bare}, spec: {ingressClassName: ours, rules: [{host: bare.example.com}]}}',
      made('foreign', '2010-01-01T00:00:00Z', `rules: [${rule('a.example.com', '/long')}]`).replace('ours', 'other'),
      '{kind: Ingress, metadata: {name: unset}, spec: {ingressClassName: ours, rules: [{host: unset.example.com, http: {paths: [{backend: {service: {name: s}}}]}}]}}',
    ].join('\n---\n'),
  );
  test.each<[string, string, string | undefined]>([
    ['a.example.com', '/', 'old spec.rules[0].http.paths[0]'],
    ['a.example.com', '/long', 'old spec.rules[0].http.paths[2]'],
    ['a.example.com', '/long/er', 'old spec.rules[0].http.paths[1]'],
    ['a.example.com', '/young', 'young spec.rules[0].http.paths[1]'],
    ['c.example.com', '/wild', 'young spec.rules[1].http.paths[0]'],
    ['c.example.com', '/any', 'any spec.rules[0].http.paths[0]'],
    ['c.example.com', '/else', 'spare spec.defaultBackend'],
    ['b.example.com', '/else', 'spare spec.defaultBackend'],
    ['bare.example.com', '/x', 'spare spec.defaultBackend'],
    ['nodots', '/any', 'any spec.rules[0].http.paths[0]'],
    ['UNSET.example.com', '/x', 'unset spec.rules[0].http.paths[0]'],
  ])('%s%s goes by %s', (host, path, expected) => {
    const route = routeIngress({ host, path }, world);
    expect(route && `${route.ingress.metadata?.name} ${route.at}`).toBe(expected);
  });

  test('goes nowhere without a rule', () => {
    expect(routeIngress({ host: 'x', path: '/' }, add(new NetworkView(settings), classes))).toBeUndefined();
  });
});
