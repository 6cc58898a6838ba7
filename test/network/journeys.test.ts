/** What a packet's trace says of every hop. Hops are written as lines, so that a whole path is one expectation. */
import { describe, expect, test } from 'vitest';
import { tracePacket, type Hop, type NetworkView, type PacketTrace, type Source } from '../../src/network/index.ts';
import type { TraceOptions } from '../../src/network/packet/types.ts';
import { must } from '../../src/std/index.ts';
import { NAME_SERVER, smallCluster } from './world.ts';

const SERVICES = `
---
kind: Service
metadata: {name: web}
spec:
  type: LoadBalancer
  clusterIP: 10.96.0.20
  externalIPs: [198.18.0.1]
  loadBalancerSourceRanges: [9.9.9.0/24]
  ports: [{name: http, port: 8080, nodePort: 30080}, {name: dns, port: 53, protocol: UDP, nodePort: 30053}]
status: {loadBalancer: {ingress: [{ip: 203.0.113.10}]}}
---
kind: EndpointSlice
metadata: {name: web-1, labels: {cluster.io/service-name: web}}
ports: [{name: http, port: 80}, {name: dns, port: 5353, protocol: UDP}]
endpoints:
  - {addresses: [10.244.0.2], nodeName: node-2}
  - {addresses: [10.244.0.1], topology: {cluster.io/hostname: node-1}}
---
kind: Service
metadata: {name: local}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, clusterIP: 10.96.0.21, ports: [{port: 8080, nodePort: 30081}]}
status: {loadBalancer: {ingress: [{ip: 203.0.113.11}]}}
---
kind: EndpointSlice
metadata: {name: local-1, labels: {cluster.io/service-name: local}}
ports: [{port: 80}]
endpoints:
  - {addresses: [10.244.9.9], nodeName: node-9}
  - {addresses: [10.244.0.1], nodeName: node-1, conditions: {ready: false}}
  - {addresses: [10.244.0.3], topology: {cluster.io/hostname: node-3}}
  - {addresses: [10.244.0.2], nodeName: node-2}
---
kind: Pod
metadata: {name: proxy, namespace: z}
spec: {nodeName: node-1, containers: [{name: c, ports: [{containerPort: 8088, hostPort: 88}, {containerPort: 9, hostPort: 89, protocol: UDP}]}]}
status: {phase: Running, podIP: 10.244.2.9}
---
kind: Pod
metadata: {name: agent, namespace: z}
spec: {nodeName: node-2, hostNetwork: true, containers: [{name: c, ports: [{containerPort: 9100}]}]}
status: {phase: Running, podIP: 192.168.0.2, hostIP: 192.168.0.2}
---
kind: Pod
metadata: {name: astray, namespace: z}
spec: {nodeName: node-7, hostNetwork: true, containers: [{name: c}]}
status: {phase: Running, podIP: 192.168.0.7, hostIP: 192.168.0.7}
---
{kind: Service, metadata: {name: alias}, spec: {type: ExternalName, externalName: example.com}}
---
{kind: IngressClass, metadata: {name: simulated}, spec: {controller: vitrine.dev/ingress}}
---
kind: Ingress
metadata: {name: shop}
spec:
  ingressClassName: simulated
  rules:
    - host: shop.test
      http:
        paths:
          - {path: /, pathType: Prefix, backend: {service: {name: web, port: {name: http}}}}
          - {path: /alias, pathType: Prefix, backend: {service: {name: alias, port: {number: 443}}}}
          - {path: /odd, pathType: Prefix, backend: {service: {name: web, port: {name: nothing}}}}
`;

const world = (more = ''): NetworkView => {
  const view = smallCluster(`${SERVICES}\n${more}`);
  Object.assign(view.settings.outside, { 'shop.test': view.settings.ingressAddress });
  return view;
};

function sourceOf(view: NetworkView, from: string): Source {
  const pod = view.get('pods', from);
  if (pod) return { pod };
  const node = view.get('nodes', from);
  return node ? { node } : { outside: from };
}

type End = NonNullable<PacketTrace['delivered']>['to'];
const inWords = ({ address, pod, node }: End): string =>
  [address, pod && `pod ${must(pod.metadata, 'metadata').name}`, node && `node ${must(node.metadata, 'metadata').name}`]
    .filter(Boolean)
    .join(' ');

function lineOf(hop: Hop): string {
  switch (hop.kind) {
    case 'lookup':
      return `lookup: ${hop.lookup.addresses.join(' ') || 'nothing'}${hop.query ? `, query ${hop.query.outcome}` : ''}`;
    case 'ingress':
      return `ingress: ${hop.host}${hop.path} ${hop.route?.ingress.metadata?.name ?? 'no rule'}`;
    case 'service': {
      const { service, entry, chosen, masqueraded } = hop.route;
      const where = `${service.metadata?.name} by ${entry}${hop.node === undefined ? '' : ` at ${hop.node}`}`;
      return `service: ${where} to ${chosen ? `${chosen.address}:${chosen.port}` : 'nothing'}${masqueraded ? ', masqueraded' : ''}`;
    }
    case 'source ranges':
      return `source ranges: ${hop.client} ${hop.admitted ? 'in' : 'not in'} ${hop.ranges.join(' ')} of ${hop.service.metadata?.name}`;
    case 'host port':
      return `host port: ${hop.hostPort} of ${hop.node.metadata?.name} to pod ${hop.pod.metadata?.name}`;
    case 'policy':
      return `policy: ${hop.verdict.direction} ${hop.flow.from.address} to ${hop.flow.to.address}:${hop.flow.port} ${hop.verdict.why}`;
    case 'destination':
      return `destination: ${inWords(hop.end)} port ${hop.port}${hop.listening === undefined ? '' : hop.listening ? ', listens' : ', nothing listens'}`;
  }
}

interface Packet extends TraceOptions {
  readonly from: string;
  readonly to: string;
  readonly port?: number;
  readonly protocol?: 'TCP' | 'UDP';
  readonly path?: string;
  readonly more?: string;
}

function pathOf({ from, to, port = 8080, protocol = 'TCP', path, more, ...options }: Packet): string[] {
  const view = world(more);
  const question = { from: sourceOf(view, from), to, port, protocol, ...(path !== undefined && { path }) };
  const { hops, reason, delivered } = tracePacket(question, view, options);
  const end = delivered ? `seen from ${inWords(delivered.from)}` : `stopped: ${reason}`;
  return [...hops.map(lineOf), end];
}

const unruled = (from: string, to: string): string[] => [`policy: Egress ${from} to ${to} not isolated`];
const ruled = (from: string, to: string): string[] => [`policy: Ingress ${from} to ${to} not isolated`];

describe('the path of a packet', () => {
  test.each<[title: string, packet: Packet, path: readonly string[]]>([
    [
      'from a pod by a name',
      { from: 'y/a', to: 'web.x', listens: () => true },
      [
        'lookup: 10.96.0.20, query delivered',
        'service: web by cluster address at node-1 to 10.244.0.1:80',
        ...unruled('10.244.1.1', '10.244.0.1:80'),
        ...ruled('10.244.1.1', '10.244.0.1:80'),
        'destination: 10.244.0.1 pod a port 80, listens',
        'seen from 10.244.1.1 pod a',
      ],
    ],
    [
      'from a node by a name: no query of a pod',
      { from: 'node-2', to: 'example.com', port: 443 },
      ['lookup: 198.51.100.7', 'destination: 198.51.100.7 port 443', 'seen from 192.168.0.2 node node-2'],
    ],
    [
      'from outside through a load balancer with source ranges',
      { from: '9.9.9.9', to: '203.0.113.10' },
      [
        'source ranges: 9.9.9.9 in 9.9.9.0/24 of web',
        'service: web by external address at node-1 to 10.244.0.1:80, masqueraded',
        'policy: Ingress 192.168.0.1 to 10.244.0.1:80 own node',
        'destination: 10.244.0.1 pod a port 80',
        'seen from 192.168.0.1 node node-1',
      ],
    ],
    [
      'from outside of the source ranges',
      { from: '8.8.8.8', to: '203.0.113.10' },
      ['source ranges: 8.8.8.8 not in 9.9.9.0/24 of web', 'stopped: outside of the source ranges'],
    ],
    [
      'through a load balancer with a local policy: a known node with a ready endpoint',
      { from: '9.9.9.9', to: '203.0.113.11' },
      [
        'service: local by external address at node-2 to 10.244.0.2:80',
        ...ruled('9.9.9.9', '10.244.0.2:80'),
        'destination: 10.244.0.2 pod b port 80',
        'seen from 9.9.9.9',
      ],
    ],
    [
      'to the UDP port of a service',
      { from: 'y/a', to: '10.96.0.20', port: 53, protocol: 'UDP' },
      [
        'service: web by cluster address at node-1 to 10.244.0.1:5353',
        ...unruled('10.244.1.1', '10.244.0.1:5353'),
        ...ruled('10.244.1.1', '10.244.0.1:5353'),
        'destination: 10.244.0.1 pod a port 5353',
        'seen from 10.244.1.1 pod a',
      ],
    ],
    [
      'to a node port of the other protocol: the node itself',
      { from: '9.9.9.9', to: '192.168.0.3', port: 30_053 },
      ['destination: 192.168.0.3 node node-3 port 30053', 'seen from 9.9.9.9'],
    ],
    [
      'to a host port',
      { from: '9.9.9.9', to: '192.168.0.1', port: 88 },
      [
        'host port: 88 of node-1 to pod proxy',
        ...ruled('9.9.9.9', '10.244.2.9:8088'),
        'destination: 10.244.2.9 pod proxy port 8088',
        'seen from 9.9.9.9',
      ],
    ],
    [
      'to a host port over the other protocol',
      { from: '9.9.9.9', to: '192.168.0.1', port: 89, listens: () => false },
      ['destination: 192.168.0.1 node node-1 port 89, nothing listens', 'stopped: nothing listens'],
    ],
    [
      'to a pod on the network of its node',
      { from: '9.9.9.9', to: '192.168.0.2', port: 9100 },
      [
        'policy: Ingress 9.9.9.9 to 192.168.0.2:9100 host network',
        'destination: 192.168.0.2 pod agent node node-2 port 9100',
        'seen from 9.9.9.9',
      ],
    ],
    [
      'to another port of that node',
      { from: '9.9.9.9', to: '192.168.0.2', port: 9101 },
      ['destination: 192.168.0.2 node node-2 port 9101', 'seen from 9.9.9.9'],
    ],
    [
      'from a pod on the network of its node',
      { from: 'z/agent', to: '10.244.0.1', port: 80 },
      [
        'policy: Egress 192.168.0.2 to 10.244.0.1:80 host network',
        ...ruled('192.168.0.2', '10.244.0.1:80'),
        'destination: 10.244.0.1 pod a port 80',
        'seen from 192.168.0.2 pod agent node node-2',
      ],
    ],
    [
      'from a pod on the network of a node that is gone',
      { from: 'z/astray', to: '10.244.0.1', port: 80 },
      [
        'policy: Egress 192.168.0.7 to 10.244.0.1:80 host network',
        ...ruled('192.168.0.7', '10.244.0.1:80'),
        'destination: 10.244.0.1 pod a port 80',
        'seen from 192.168.0.7 pod astray',
      ],
    ],
    [
      'from a client outside to its own address',
      { from: '9.9.9.9', to: '9.9.9.9', port: 80 },
      ['destination: 9.9.9.9 port 80', 'seen from 9.9.9.9'],
    ],
    ['from a client outside to another address', { from: '9.9.9.9', to: '9.9.9.8' }, ['stopped: no such address']],
    [
      'to the loopback address',
      { from: 'node-1', to: '127.0.0.1', port: 80 },
      ['destination: 127.0.0.1 port 80', 'seen from 192.168.0.1 node node-1'],
    ],
    [
      'to the built-in name server',
      { from: 'y/a', to: '10.96.0.10', port: 53, protocol: 'UDP' },
      [...unruled('10.244.1.1', '10.96.0.10:53'), 'destination: 10.96.0.10 port 53', 'seen from 10.244.1.1 pod a'],
    ],
    [
      'to the built-in name server, where a service has its address',
      {
        from: 'y/a',
        to: '10.96.0.10',
        port: 53,
        more: '---\n{kind: Service, metadata: {name: dns}, spec: {clusterIP: 10.96.0.10, ports: [{port: 53}]}}',
      },
      [...unruled('10.244.1.1', '10.96.0.10:53'), 'destination: 10.96.0.10 port 53', 'seen from 10.244.1.1 pod a'],
    ],
    [
      'by a name that the pods of the name server answer otherwise',
      {
        from: 'y/a',
        to: 'web.x',
        more: `---\n${NAME_SERVER}\n---\n{kind: Service, metadata: {name: dns, namespace: cluster-system}, spec: {clusterIP: 10.96.0.10, ports: [{port: 53, protocol: UDP}]}}
---\n{kind: EndpointSlice, metadata: {name: dns-1, namespace: cluster-system, labels: {cluster.io/service-name: dns}}, ports: [{port: 53, protocol: UDP}], endpoints: [{addresses: [10.244.8.1]}]}`,
        answersAt: ({ address }, name) =>
          address === '10.244.8.1' && name === 'web.x.svc.cluster.local'
            ? [{ type: 'A', name, address: '10.244.0.3' }]
            : [],
      },
      [
        'lookup: 10.244.0.3, query delivered',
        ...unruled('10.244.1.1', '10.244.0.3:8080'),
        ...ruled('10.244.1.1', '10.244.0.3:8080'),
        'destination: 10.244.0.3 pod c port 8080',
        'seen from 10.244.1.1 pod a',
      ],
    ],
    [
      'by the ingress controller',
      { from: '9.9.9.9', to: 'shop.test', port: 80, path: '/cart' },
      [
        'lookup: 192.0.2.80',
        'ingress: shop.test/cart shop',
        'service: web by cluster address to 10.244.0.1:80',
        ...ruled('192.0.2.80', '10.244.0.1:80'),
        'destination: 10.244.0.1 pod a port 80',
        'seen from 192.0.2.80',
      ],
    ],
    [
      'by the ingress controller without a path: the root',
      { from: '9.9.9.9', to: 'shop.test', port: 443 },
      [
        'lookup: 192.0.2.80',
        'ingress: shop.test/ shop',
        'service: web by cluster address to 10.244.0.1:80',
        ...ruled('192.0.2.80', '10.244.0.1:80'),
        'destination: 10.244.0.1 pod a port 80',
        'seen from 192.0.2.80',
      ],
    ],
    [
      'by the ingress controller to a name outside',
      { from: '9.9.9.9', to: 'shop.test', port: 80, path: '/alias' },
      [
        'lookup: 192.0.2.80',
        'ingress: shop.test/alias shop',
        'lookup: 198.51.100.7',
        'destination: 198.51.100.7 port 443',
        'seen from 192.0.2.80',
      ],
    ],
    [
      'to a port that the ingress controller does not have',
      { from: '9.9.9.9', to: 'shop.test', port: 8080 },
      ['lookup: 192.0.2.80', 'stopped: nothing listens'],
    ],
    [
      'by the ingress controller to a port that its service does not have',
      { from: '9.9.9.9', to: 'shop.test', port: 80, path: '/odd' },
      ['lookup: 192.0.2.80', 'ingress: shop.test/odd shop', 'stopped: no endpoints'],
    ],
    [
      'to a host without a rule of an Ingress',
      { from: '9.9.9.9', to: '192.0.2.80', port: 80 },
      ['ingress: 192.0.2.80/ no rule', 'stopped: no rule of an Ingress'],
    ],
    [
      'to the ingress controller, which reads the request itself',
      { from: '9.9.9.9', to: 'shop.test', port: 80, endsAtController: true },
      ['lookup: 192.0.2.80', 'destination: 192.0.2.80 port 80', 'seen from 9.9.9.9'],
    ],
    [
      'to the ingress controller from a pod whose egress is closed',
      {
        from: 'y/a',
        to: '192.0.2.80',
        port: 80,
        more: '---\n{kind: NetworkPolicy, metadata: {name: p, namespace: y}, spec: {podSelector: {}, policyTypes: [Egress]}}',
      },
      ['policy: Egress 10.244.1.1 to 192.0.2.80:80 no rule matches', 'stopped: egress denied'],
    ],
    [
      'from a node that is cut off',
      { from: 'x/a', to: '10.244.0.2', port: 80, isolatedNodes: new Set(['node-1']) },
      [...unruled('10.244.0.1', '10.244.0.2:80'), 'stopped: node not reached'],
    ],
    [
      'to a node that is cut off',
      { from: 'x/a', to: '10.244.0.2', port: 80, isolatedNodes: new Set(['node-2']) },
      [...unruled('10.244.0.1', '10.244.0.2:80'), 'stopped: node not reached'],
    ],
    [
      'from outside to a node that is not cut off',
      { from: '9.9.9.9', to: '10.244.0.2', port: 80, isolatedNodes: new Set(['node-1']) },
      [...ruled('9.9.9.9', '10.244.0.2:80'), 'destination: 10.244.0.2 pod b port 80', 'seen from 9.9.9.9'],
    ],
  ])('%s', (_, packet, path) => {
    expect(pathOf(packet)).toEqual(path);
  });
});
