import { describe, expect, test } from 'vitest';
import { lookUp, recordsOf, resolvConfOf, resolvConfText, type DnsRecord } from '../../src/network/index.ts';
import { add, settings, smallCluster } from './world.ts';

const view = smallCluster(`
---
{kind: Service, metadata: {name: web}, spec: {clusterIP: 10.96.0.20, clusterIPs: [10.96.0.20], ports: [{name: http, port: 80, targetPort: 80}]}}
---
{kind: Service, metadata: {name: db}, spec: {clusterIP: None, ports: [{name: sql, port: 5432}]}}
---
{kind: Service, metadata: {name: alias}, spec: {type: ExternalName, externalName: example.com}}
---
{kind: Service, metadata: {name: nowhere}, spec: {type: ExternalName, externalName: no.example}}
---
{kind: Service, metadata: {name: loop}, spec: {type: ExternalName, externalName: loop.x.svc.cluster.local}}
---
kind: EndpointSlice
metadata: {name: db-1, labels: {cluster.io/service-name: db}}
ports: [{name: sql, port: 5432, protocol: TCP}]
endpoints:
  - {addresses: [10.244.0.2], hostname: db-0}
  - {addresses: [10.244.0.1]}
  - {addresses: [10.244.0.3], conditions: {ready: false}}
---
{kind: Pod, metadata: {name: silent}, spec: {dnsPolicy: None}}
---
kind: Pod
metadata: {name: extended}
spec: {dnsConfig: {searches: [example.com, svc.cluster.local], options: [{name: ndots, value: '2'}, {name: edns0}]}}
---
kind: Pod
metadata: {name: host, namespace: x}
spec: {hostNetwork: true, nodeName: node-1}
---
kind: Pod
metadata: {name: named, namespace: x}
spec:
  hostname: first
  hostAliases: [{ip: 1.2.3.4, hostnames: [elsewhere]}]
  dnsPolicy: None
  dnsConfig: {nameservers: [10.96.0.10], searches: [svc.cluster.local], options: [{name: ndots, value: '1'}]}
status: {podIP: 10.244.9.9}
`);

const short = (record: DnsRecord): string => {
  if (record.type === 'SRV') return `SRV ${record.target}:${record.port}`;
  return 'address' in record ? `${record.type} ${record.address}` : `${record.type} ${record.target}`;
};

describe('a full name stands for', () => {
  test.each<[name: string, ...records: string[]]>([
    ['web.x.svc.cluster.local', 'A 10.96.0.20'],
    ['WEB.x.svc.CLUSTER.local', 'A 10.96.0.20'],
    ['web.y.svc.cluster.local'],
    ['first.web.x.svc.cluster.local'],
    ['_http._tcp.web.x.svc.cluster.local', 'SRV web.x.svc.cluster.local:80'],
    ['_http._udp.web.x.svc.cluster.local'],
    ['_sql._tcp.web.x.svc.cluster.local'],
    ['db.x.svc.cluster.local', 'A 10.244.0.1', 'A 10.244.0.2'],
    ['db-0.db.x.svc.cluster.local', 'A 10.244.0.2'],
    ['10-244-0-1.db.x.svc.cluster.local', 'A 10.244.0.1'],
    ['db-9.db.x.svc.cluster.local'],
    [
      '_sql._tcp.db.x.svc.cluster.local',
      'SRV 10-244-0-1.db.x.svc.cluster.local:5432',
      'SRV db-0.db.x.svc.cluster.local:5432',
    ],
    ['alias.x.svc.cluster.local', 'CNAME example.com'],
    ['10-244-0-1.x.pod.cluster.local', 'A 10.244.0.1'],
    ['10-244-0-1.w.pod.cluster.local'],
    ['rubbish.x.pod.cluster.local'],
    ['x.svc.cluster.local'],
    ['example.com', 'A 198.51.100.7'],
    ['constructor'],
    ['20.0.96.10.in-addr.arpa', 'PTR web.x.svc.cluster.local'],
    ['2.0.244.10.in-addr.arpa', 'PTR db-0.db.x.svc.cluster.local'],
    ['9.9.9.9.in-addr.arpa'],
  ])('%s', (name, ...records) => {
    expect(recordsOf(name, view).map(short)).toEqual(records);
  });
});

describe('a pod finds', () => {
  test.each<[pod: string, name: string, asked: string, ...addresses: string[]]>([
    ['x/a', 'web', 'web.x.svc.cluster.local', '10.96.0.20'],
    ['y/a', 'web', 'web'],
    ['y/a', 'web.x', 'web.x.svc.cluster.local', '10.96.0.20'],
    ['y/a', 'web.x.svc', 'web.x.svc.cluster.local', '10.96.0.20'],
    ['y/a', 'web.x.svc.cluster.local.', 'web.x.svc.cluster.local', '10.96.0.20'],
    ['x/a', 'alias', 'alias.x.svc.cluster.local', '198.51.100.7'],
    ['x/a', 'nowhere', 'nowhere.x.svc.cluster.local'],
    ['x/a', 'loop', 'loop.x.svc.cluster.local'],
    ['x/a', 'example.com', 'example.com', '198.51.100.7'],
    ['x/host', 'web', 'web'],
    ['x/host', 'example.com', 'example.com', '198.51.100.7'],
    ['x/host', 'web.x.svc.cluster.local', 'web.x.svc.cluster.local'],
    ['x/named', 'web.x', 'web.x.svc.cluster.local', '10.96.0.20'],
  ])('%s: %s', (pod, name, asked, ...addresses) => {
    const lookup = lookUp(name, view.get('pods', pod), view);
    expect(lookup.questions.at(-1)?.name).toBe(asked);
    expect(lookup.addresses).toEqual(addresses);
  });

  test.each<[pod: string, name: string, address: string]>([
    ['x/a', 'localhost', '127.0.0.1'],
    ['x/a', 'a', '10.244.0.1'],
    ['x/named', 'first', '10.244.9.9'],
    ['x/named', 'elsewhere', '1.2.3.4'],
  ])('%s: %s without asking anybody', (pod, name, address) => {
    expect(lookUp(name, view.get('pods', pod), view)).toMatchObject({ questions: [], addresses: [address] });
  });

  test('nothing without a name server', () => {
    const lookup = lookUp('web', view.get('pods', 'x/silent'), view);
    expect([lookup.server, lookup.questions, lookup.addresses]).toEqual([undefined, [], []]);
  });
});

describe('resolv.conf', () => {
  const textFor = (pod: string): string => resolvConfText(resolvConfOf(view.get('pods', pod), settings));

  test('of a pod names the cluster’s server and searches its namespace first', () => {
    expect(textFor('x/a')).toBe(
      'nameserver 10.96.0.10\nsearch x.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n',
    );
  });

  test('of a pod on the host’s network is the node’s', () => {
    expect(textFor('x/host')).toBe('nameserver 192.168.49.1\n');
  });

  test('takes a pod’s own configuration', () => {
    expect(textFor('x/named')).toBe('nameserver 10.96.0.10\nsearch svc.cluster.local\noptions ndots:1\n');
  });

  test('adds a pod’s configuration to that of its policy', () => {
    expect(textFor('x/extended')).toBe(
      'nameserver 10.96.0.10\nsearch x.svc.cluster.local svc.cluster.local cluster.local example.com\noptions ndots:2 edns0\n',
    );
  });

  const CLUSTER = ['10.96.0.10', 'x.svc.cluster.local svc.cluster.local cluster.local', 'ndots:5'];
  const NODE = ['192.168.49.1', '', ''];
  const own =
    'dnsConfig: {nameservers: [1.1.1.1], searches: [own.test], options: [{name: ndots, value: "2"}, {name: debug}]}';
  test.each<[spec: string, expected: readonly string[]]>([
    ['', CLUSTER],
    ['dnsPolicy: ClusterFirst', CLUSTER],
    ['dnsPolicy: ClusterFirst, hostNetwork: true', NODE],
    ['dnsPolicy: ClusterFirstWithHostNet', CLUSTER],
    ['dnsPolicy: ClusterFirstWithHostNet, hostNetwork: true', CLUSTER],
    ['dnsPolicy: Default', NODE],
    ['dnsPolicy: Default, hostNetwork: true', NODE],
    ['dnsPolicy: None', ['', '', '']],
    [`dnsPolicy: None, ${own}`, ['1.1.1.1', 'own.test', 'ndots:2 debug']],
    [`dnsPolicy: Default, ${own}`, ['192.168.49.1 1.1.1.1', 'own.test', 'ndots:2 debug']],
    [
      `dnsPolicy: ClusterFirst, ${own}`,
      ['10.96.0.10 1.1.1.1', 'x.svc.cluster.local svc.cluster.local cluster.local own.test', 'ndots:2 debug'],
    ],
    [
      'dnsPolicy: None, dnsConfig: {nameservers: [1.1.1.1, 1.1.1.1, 2.2.2.2, 3.3.3.3, 4.4.4.4]}',
      ['1.1.1.1 2.2.2.2 3.3.3.3', '', ''],
    ],
    ['dnsPolicy: None, dnsConfig: {searches: [a, b, c, d, e, f, g, a]}', ['', 'a b c d e f', '']],
  ])('of a pod with {%s}', (spec, expected) => {
    const world = add(smallCluster(), `{kind: Pod, metadata: {name: own}, spec: {${spec}}}`);
    const { nameservers, searches, options } = resolvConfOf(world.get('pods', 'x/own'), settings);
    const shown = options.map(({ name, value }) => (value === undefined ? name : `${name}:${value}`));
    expect([nameservers, searches, shown].map((list) => list.join(' '))).toEqual(expected);
  });
});
