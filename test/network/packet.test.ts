import { describe, expect, test } from 'vitest';
import { tracePacket, type Listens, type NetworkView, type PacketTrace, type Source } from '../../src/network/index.ts';
import { add, smallCluster } from './world.ts';

const services = `
---
kind: Service
metadata: {name: web}
spec:
  type: LoadBalancer
  clusterIP: 10.96.0.20
  externalIPs: [198.18.0.1]
  ports: [{name: http, port: 8080, targetPort: 80, nodePort: 30080}]
status: {loadBalancer: {ingress: [{ip: 203.0.113.10}]}}
---
kind: Service
metadata: {name: local}
spec: {type: NodePort, externalTrafficPolicy: Local, clusterIP: 10.96.0.21, ports: [{name: http, port: 8080, nodePort: 30081}]}
---
{kind: Service, metadata: {name: empty}, spec: {clusterIP: 10.96.0.22, ports: [{port: 80}]}}
---
{kind: Service, metadata: {name: outside}, spec: {clusterIP: 10.96.0.23, ports: [{port: 80}]}}
---
{kind: Service, metadata: {name: near}, spec: {clusterIP: 10.96.0.24, topologyKeys: ['cluster.io/hostname', 'zone'], ports: [{name: http, port: 80}]}}
---
{kind: Service, metadata: {name: far}, spec: {clusterIP: 10.96.0.25, topologyKeys: ['cluster.io/hostname', '*'], ports: [{name: http, port: 80}]}}
---
{kind: Service, metadata: {name: both}, spec: {clusterIP: 10.96.0.26, ports: [{name: lines, port: 53, protocol: UDP}, {name: http, port: 53}]}}
---
${slice('web', '10.244.0.1', '10.244.0.2')}
---
${slice('far', '10.244.0.1', '10.244.0.2')}
---
${slice('both', '10.244.0.1')}
---
${slice('local', '10.244.0.2')}
---
${slice('near', '10.244.0.1', '10.244.0.2')}
---
kind: EndpointSlice
metadata: {name: outside-1, labels: {cluster.io/service-name: outside}}
ports: [{port: 5000}]
endpoints: [{addresses: [192.0.2.1]}]
`;

function slice(service: string, ...addresses: string[]): string {
  const endpoints = addresses.map(
    (address) =>
      `{addresses: [${address}], topology: {cluster.io/hostname: node-${address.split('.')[3]}}, targetRef: {kind: Pod, namespace: x, name: p}}`,
  );
  return `
kind: EndpointSlice
metadata: {name: ${service}-1, labels: {cluster.io/service-name: ${service}}}
ports: [{name: http, port: 80}]
endpoints: [${endpoints.join(', ')}]
`;
}

const world = (more = ''): NetworkView => smallCluster(`${services}\n${more}`);
const everythingListens: Listens = () => true;

function send(view: NetworkView, from: string, to: string, port: number, path?: string): PacketTrace {
  const options = { listens: everythingListens };
  return tracePacket({ from: sourceOf(view, from), to, port, protocol: 'TCP', ...(path && { path }) }, view, options);
}

function sourceOf(view: NetworkView, from: string): Source {
  const pod = view.get('pods', from);
  if (pod) return { pod };
  const node = view.get('nodes', from);
  return node ? { node } : { outside: from };
}

const arrival = ({ delivered, reason }: PacketTrace): string =>
  delivered ? `${delivered.to.address}:${delivered.port} from ${delivered.from.address}` : (reason ?? '');

describe('a packet', () => {
  test.each<[title: string, from: string, to: string, port: number, arrives: string]>([
    ['to a pod’s address', 'x/a', '10.244.1.2', 80, '10.244.1.2:80 from 10.244.0.1'],
    ['to an address that nobody has', 'x/a', '10.244.7.7', 80, 'no such address'],
    ['to a service by name', 'y/a', 'web.x', 8080, '10.244.0.1:80 from 10.244.1.1'],
    ['to a service by address', 'y/a', '10.96.0.20', 8080, '10.244.0.1:80 from 10.244.1.1'],
    ['to a port that the service does not have', 'y/a', '10.96.0.20', 9, 'port not served'],
    ['to a name that nobody has', 'y/a', 'nobody', 80, 'no such name'],
    ['to a service without endpoints', 'y/a', '10.96.0.22', 80, 'no endpoints'],
    ['to a service whose endpoint is outside', 'y/a', '10.96.0.23', 80, '192.0.2.1:5000 from 10.244.1.1'],
    ['to itself through a service: the node’s address', 'x/a', 'web', 8080, '10.244.0.1:80 from 192.168.0.1'],
    ['to a node port', '9.9.9.9', '192.168.0.3', 30080, '10.244.0.1:80 from 192.168.0.3'],
    ['to a node port of a pod that asks', 'y/c', '192.168.0.2', 30080, '10.244.0.1:80 from 192.168.0.2'],
    ['to a local node port where no endpoint is', '9.9.9.9', '192.168.0.3', 30081, 'no endpoint on this node'],
    ['to a local node port keeps the client’s address', '9.9.9.9', '192.168.0.2', 30081, '10.244.0.2:80 from 9.9.9.9'],
    ['to a local node port from a pod: to any endpoint', 'y/c', '192.168.0.3', 30081, '10.244.0.2:80 from 10.244.1.3'],
    ['to a local node port from a node', 'node-3', '192.168.0.3', 30081, '10.244.0.2:80 from 192.168.0.3'],
    ['to a load balancer', '9.9.9.9', '203.0.113.10', 8080, '10.244.0.1:80 from 192.168.0.1'],
    ['to an external address of a service', '9.9.9.9', '198.18.0.1', 8080, '10.244.0.1:80 from 192.168.0.1'],
    ['to a host outside', 'x/a', 'example.com', 443, '198.51.100.7:443 from 10.244.0.1'],
    ['from a node', 'node-2', '10.244.0.1', 80, '10.244.0.1:80 from 192.168.0.2'],
    ['to a node', 'x/a', '192.168.0.2', 22, '192.168.0.2:22 from 10.244.0.1'],
    ['to the nearest endpoint: on its own node', 'y/b', '10.96.0.24', 80, '10.244.0.2:80 from 10.244.1.2'],
    ['to the nearest endpoint, else to any', 'y/c', '10.96.0.25', 80, '10.244.0.1:80 from 10.244.1.3'],
    ['to a port that is there for UDP, too', 'y/a', '10.96.0.26', 53, '10.244.0.1:80 from 10.244.1.1'],
    ['to the nearest endpoint: none is near', 'y/c', '10.96.0.24', 80, 'no endpoints'],
  ])('%s', (_, from, to, port, arrives) => {
    expect(arrival(send(world(), from, to, port))).toBe(arrives);
  });

  test.each<[title: string, spec: string, to: string, reason: string]>([
    [
      'egress to a service is judged at its endpoint',
      '{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 8080}]}]}',
      '10.96.0.20',
      'egress denied',
    ],
    [
      'egress without DNS can’t look up names',
      '{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 80}]}]}',
      'web.x',
      'name server not reached',
    ],
    [
      'egress to an address needs no DNS',
      '{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 80}]}]}',
      '10.96.0.20',
      '',
    ],
  ])('%s', (_, spec, to, reason) => {
    const view = world(`---\n{kind: NetworkPolicy, metadata: {name: p, namespace: y}, spec: ${spec}}`);
    expect(send(view, 'y/b', to, 8080).reason ?? '').toBe(reason);
  });

  test('is told hop by hop, up to the one that stopped it', () => {
    const view = world('---\n{kind: NetworkPolicy, metadata: {name: closed}, spec: {podSelector: {}, ingress: []}}');
    const trace = send(view, 'y/b', 'web.x', 8080);
    expect(trace.hops.map(({ kind }) => kind)).toEqual(['lookup', 'service', 'policy', 'policy']);
    expect(trace).toMatchObject({ outcome: 'timed out', reason: 'ingress denied' });
    expect(trace.hops.at(-1)).toMatchObject({ verdict: { isolating: [{ metadata: { name: 'closed' } }] } });
  });

  test('through a node port meets the policies as sent by the node', () => {
    const block = '{from: [{ipBlock: {cidr: 9.9.9.0/24}}]}';
    const view = world(`---\n{kind: NetworkPolicy, metadata: {name: p}, spec: {podSelector: {}, ingress: [${block}]}}`);
    expect(send(view, '9.9.9.9', '192.168.0.3', 30080).reason).toBe('ingress denied');
    expect(send(view, '9.9.9.9', '192.168.0.1', 30080).outcome).toBe('delivered');
    expect(send(view, '9.9.9.9', '192.168.0.2', 30081).outcome).toBe('delivered');
  });

  test('is refused where nothing listens', () => {
    const view = world();
    const question = { from: sourceOf(view, 'y/b'), to: '10.244.0.1', port: 81, protocol: 'TCP' } as const;
    expect(tracePacket(question, view, { listens: () => false })).toMatchObject({
      outcome: 'refused',
      reason: 'nothing listens',
    });
    expect(tracePacket(question, view).outcome).toBe('delivered');
  });

  test('does not reach a node that is cut off, except from that node itself', () => {
    const view = world();
    const isolatedNodes = new Set(['node-1']);
    const to = (from: string): string =>
      tracePacket({ from: sourceOf(view, from), to: '10.244.0.1', port: 80, protocol: 'TCP' }, view, { isolatedNodes })
        .outcome;
    expect([to('y/a'), to('y/b'), to('node-2'), to('node-1')]).toEqual([
      'delivered',
      'timed out',
      'timed out',
      'delivered',
    ]);
  });

  test('goes to the endpoint that is chosen, never to one that is not ready', () => {
    const view = world();
    const last = send(view, 'y/b', 'web.x', 8080);
    expect(arrival(last)).toContain('10.244.0.1:80');
    const trace = tracePacket({ from: sourceOf(view, 'y/b'), to: 'web.x', port: 8080, protocol: 'TCP' }, view, {
      choose: (_, eligible) => eligible.at(-1),
    });
    expect(arrival(trace)).toBe('10.244.0.2:80 from 10.244.1.2');
    const unready = view.slicesOf(must(view.get('services', 'x/web')))[0];
    view.set('endpointslices', {
      ...must(unready),
      endpoints: [{ addresses: ['10.244.0.1'], conditions: { ready: false } }],
    });
    expect(send(view, 'y/b', 'web.x', 8080).reason).toBe('no endpoints');
  });
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not there');
  return value;
}

const ingress = (name: string, spec: string): string =>
  `---\n{kind: Ingress, metadata: {name: ${name}, creationTimestamp: '2020-01-0${name.length}T00:00:00Z'}, spec: ${spec}}\n`;
const path = (text: string, type: string, service: string): string =>
  `{path: ${text}, pathType: ${type}, backend: {service: {name: ${service}, port: {number: 8080}}}}`;

describe('a service that a label leaves to another proxy', () => {
  test.each(['service-proxy-name: other', 'headless: ""'])('%s', (label) => {
    const spec = 'spec: {clusterIP: 10.96.0.40, ports: [{name: http, port: 8080}]}';
    const view = world(`---\n{kind: Service, metadata: {name: web, labels: {service.cluster.io/${label}}}, ${spec}}`);
    expect(send(view, 'y/b', 'web.x', 8080)).toMatchObject({ outcome: 'timed out', reason: 'not proxied' });
  });
});

describe('the source ranges of a load balancer', () => {
  const web = (ranges: string, annotations = '{}'): string => `---
kind: Service
metadata: {name: web, annotations: ${annotations}}
spec: {type: LoadBalancer, clusterIP: 10.96.0.20, externalIPs: [198.18.0.1], loadBalancerSourceRanges: ${ranges}, ports: [{name: http, port: 8080, nodePort: 30080}]}
status: {loadBalancer: {ingress: [{ip: 203.0.113.10}]}}
`;
  const old = '{service.beta.cluster.io/load-balancer-source-ranges: "198.51.100.0/24, 192.0.2.0/24"}';

  test.each<[what: string, service: string, from: string, to: string, reason: string | undefined]>([
    ['hold the client', web('[198.51.100.0/24]'), '198.51.100.7', '203.0.113.10', undefined],
    ['do not hold the client', web('[198.51.100.0/24]'), '192.0.2.7', '203.0.113.10', 'outside of the source ranges'],
    ['in an annotation', web('[]', old), '192.0.2.7', '203.0.113.10', undefined],
    ['in an annotation, of others', web('[]', old), '203.0.113.99', '203.0.113.10', 'outside of the source ranges'],
    [
      'of a field, whatever an annotation says',
      web('[203.0.113.0/24]', old),
      '192.0.2.7',
      '203.0.113.10',
      'outside of the source ranges',
    ],
    ['in an annotation, which pods do not pass', web('[]', old), 'y/b', '203.0.113.10', undefined],
    ['are none', web('[]'), '192.0.2.7', '203.0.113.10', undefined],
    ['concern pods, too', web('[198.51.100.0/24]'), 'y/b', '203.0.113.10', 'outside of the source ranges'],
    ['do not concern the cluster address', web('[198.51.100.0/24]'), 'y/b', '10.96.0.20', undefined],
    ['do not concern other external addresses', web('[198.51.100.0/24]'), '192.0.2.7', '198.18.0.1', undefined],
  ])('%s', (_, service, from, to, reason) => {
    const trace = send(world(service), from, to, 8080);
    expect(trace.reason).toBe(reason);
    expect(trace.outcome).toBe(reason ? 'timed out' : 'delivered');
  });

  test('a service without endpoints refuses everybody', () => {
    const lonely = web('[198.51.100.0/24]')
      .replace('{name: web,', '{name: lonely,')
      .replaceAll('10.96.0.20', '10.96.0.77')
      .replaceAll('203.0.113.10', '203.0.113.77');
    expect(send(world(lonely), '192.0.2.7', '203.0.113.77', 8080)).toMatchObject({
      outcome: 'refused',
      reason: 'no endpoints',
    });
  });
});

describe('the ingress controller', () => {
  const classes =
    '---\n{kind: IngressClass, metadata: {name: simulated, annotations: {ingressclass.cluster.io/is-default-class: "true"}}, spec: {controller: vitrine.dev/ingress}}\n---\n{kind: IngressClass, metadata: {name: other}, spec: {controller: example.com/other}}\n';
  const rule = (host: string, ...paths: string[]): string =>
    `{rules: [{host: "${host}", http: {paths: [${paths.join(', ')}]}}]}`;
  const view = world(
    classes +
      ingress(
        'a',
        rule(
          'shop.test',
          path('/', 'Prefix', 'web'),
          path('/cart', 'Prefix', 'local'),
          path('/cart/exact', 'Exact', 'web'),
        ),
      ) +
      ingress('bb', rule('*.shop.test', path('/', 'Prefix', 'local'))) +
      ingress(
        'ccc',
        `{ingressClassName: other, rules: [{host: hidden.test, http: {paths: [${path('/', 'Prefix', 'web')}]}}]}`,
      ) +
      ingress('dddd', rule('empty.test', path('/', 'Prefix', 'missing'))) +
      ingress('eeeee', rule('far.test', path('/', 'Prefix', 'alias'), path('/gone', 'Prefix', 'broken'))) +
      '---\n{kind: Service, metadata: {name: alias}, spec: {type: ExternalName, externalName: web.x.svc.cluster.local}}\n' +
      '---\n{kind: Service, metadata: {name: broken}, spec: {type: ExternalName, externalName: gone.test}}\n',
  );
  for (const host of ['shop.test', 'a.shop.test', 'a.b.shop.test', 'hidden.test', 'empty.test', 'far.test'])
    Object.assign(view.settings.outside, { [host]: view.settings.ingressAddress });

  test.each<[host: string, path: string, outcome: string]>([
    ['shop.test', '/', 'web'],
    ['shop.test', '/cart', 'local'],
    ['shop.test', '/cart/7', 'local'],
    ['shop.test', '/carton', 'web'],
    ['shop.test', '/cart/exact', 'web'],
    ['a.shop.test', '/', 'local'],
    ['a.b.shop.test', '/', 'no rule of an Ingress'],
    ['hidden.test', '/', 'no rule of an Ingress'],
    ['empty.test', '/', 'no endpoints'],
    ['far.test', '/', 'web'],
    ['far.test', '/gone', 'no such name'],
  ])('sends %s%s to %s', (host, url, outcome) => {
    const trace = send(view, '9.9.9.9', host, 80, url);
    const service = trace.hops.flatMap((hop) => (hop.kind === 'service' ? [hop.route.service.metadata?.name] : []))[0];
    expect(trace.reason ?? service).toBe(outcome);
  });

  test('falls back to a default backend', () => {
    const more = add(world(classes), ingress('a', '{defaultBackend: {service: {name: web, port: {name: http}}}}'));
    Object.assign(more.settings.outside, { 'x.test': more.settings.ingressAddress });
    expect(send(more, '9.9.9.9', 'x.test', 80).outcome).toBe('delivered');
  });
});
