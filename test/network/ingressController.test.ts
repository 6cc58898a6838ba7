/** The simulated ingress controller, host ports and health checks, as clients in pods see them. */
import { describe, expect, test } from 'vitest';
import { addressesToWrite, Dataplane, type NetworkView } from '../../src/network/index.ts';
import type { Network } from '../../src/programs/index.ts';
import { manualClock, must, seededRandom } from '../../src/std/index.ts';
import { createTracer } from '../../src/trace/index.ts';
import { Box, turns } from '../programs/harness.ts';
import { add, addressOf, smallCluster } from './world.ts';

const service = (name: string, address: string, pod: string, node: string): string => `
---
kind: Service
metadata: {name: ${name}}
spec: {clusterIP: ${address}, ports: [{name: http, port: 8080, targetPort: 80}]}
---
kind: EndpointSlice
metadata: {name: ${name}-1, labels: {cluster.io/service-name: ${name}}}
ports: [{name: http, port: 80}]
endpoints: [{addresses: [${pod}], conditions: {ready: true}, topology: {cluster.io/hostname: ${node}}}]
`;
const CLASSES = `
---
kind: IngressClass
metadata: {name: simulated, annotations: {ingressclass.cluster.io/is-default-class: "true"}}
spec: {controller: vitrine.dev/ingress}
---
{kind: IngressClass, metadata: {name: other}, spec: {controller: example.com/other}}
`;
const backend = (name: string, port = '{number: 8080}'): string => `backend: {service: {name: ${name}, port: ${port}}}`;
const SHOP = `
---
kind: Ingress
metadata: {name: shop}
spec:
  tls: [{hosts: [safe.test], secretName: safe}]
  rules:
    - host: shop.test
      http:
        paths:
          - {path: /, pathType: Prefix, ${backend('web')}}
          - {path: /cart, pathType: Prefix, ${backend('cart', '{name: http}')}}
          - {path: /gone, pathType: Exact, ${backend('missing')}}
          - {path: /closed, pathType: Exact, ${backend('closed')}}
          - {path: /cart/elsewhere, pathType: Exact, ${backend('alias')}}
          - {path: /nowhere, pathType: Exact, ${backend('broken')}}
    - host: safe.test
      http: {paths: [{path: /, pathType: Prefix, ${backend('web')}}]}
`;
/** One Ingress for a wildcard and for a host of another domain. */
const WILDCARD = `
---
kind: Ingress
metadata: {name: wild}
spec:
  rules:
    - host: "*.wild.test"
      http: {paths: [{path: /, pathType: Prefix, ${backend('web')}}]}
    - host: narrow.test
      http: {paths: [{path: /only, pathType: Exact, ${backend('web')}}]}
`;
const OBJECTS = [
  service('web', '10.96.0.50', '10.244.0.2', 'node-2'),
  service('cart', '10.96.0.51', '10.244.0.3', 'node-3'),
  service('closed', '10.96.0.52', '10.244.1.1', 'node-1'),
  '---\n{kind: Service, metadata: {name: alias}, spec: {type: ExternalName, externalName: cart.x.svc.cluster.local}}\n',
  '---\n{kind: Service, metadata: {name: broken}, spec: {type: ExternalName, externalName: gone.test}}\n',
  CLASSES,
  SHOP,
  WILDCARD,
].join('');

class World {
  readonly clock = manualClock();
  readonly view: NetworkView;
  readonly dataplane: Dataplane;

  constructor(more = '') {
    this.view = smallCluster(`${OBJECTS}${more}`);
    const certificateIn = (secret: string) => (secret === 'x/safe' ? 'certificate of safe.test' : undefined);
    const random = seededRandom(1);
    const tracer = createTracer(this.clock);
    this.dataplane = new Dataplane({ view: this.view, clock: this.clock, random, tracer, certificateIn });
  }

  network(key: string): Network {
    return this.dataplane.networkOf(addressOf(key), { pod: must(this.view.get('pods', key), key) });
  }

  async serve(key: string, text = `served by ${key}\n`): Promise<void> {
    const files = { '/usr/local/apache2/htdocs/index.html': text, '/usr/local/apache2/htdocs/cart': 'the cart\n' };
    new Box({ network: this.network(key), clock: this.clock, image: 'httpd', files }).start(['httpd-foreground']);
    await turns();
  }

  async ask(args: string, from = this.network('y/a')): Promise<string> {
    const box = new Box({ network: from, clock: this.clock, image: 'agnhost' });
    return (await box.sh(`curl -s ${args}`)).stdout;
  }
}

describe('the ingress controller', () => {
  test.each<[title: string, args: string, answer: string]>([
    ['sends a host to its service', 'http://shop.test/', 'served by x/b\n'],
    ['sends a path to a service by its port’s name', 'http://shop.test/cart', 'the cart\n'],
    ['answers 404 without a rule', '-o /dev/null -w "%{http_code}" -H "Host: none.test" http://shop.test/', '404'],
    ['answers 503 without a service', '-o /dev/null -w "%{http_code}" http://shop.test/gone', '503'],
    ['answers 502 where nothing listens', '-o /dev/null -w "%{http_code}" http://shop.test/closed', '502'],
    ['sends HTTP to HTTPS where there is a certificate', '-o /dev/null -w "%{http_code}" http://safe.test/', '308'],
    [
      'asks an external name that is a service’s',
      '-o /dev/null -w "%{http_code}" http://shop.test/cart/elsewhere',
      '404',
    ],
    [
      'answers 503 for an external name that nobody knows',
      '-o /dev/null -w "%{http_code}" http://shop.test/nowhere',
      '503',
    ],
    ['knows hosts by a wildcard', 'http://a.wild.test/', 'served by x/b\n'],
    ['keeps a wildcard to its domain', '-o /dev/null -w "%{http_code}" http://narrow.test/', '404'],
    ['ends HTTPS', '-k https://safe.test/', 'served by x/b\n'],
  ])('%s', async (_, args, answer) => {
    const world = new World();
    await world.serve('x/b');
    await world.serve('x/c');
    expect(await world.ask(args)).toBe(answer);
  });

  test('shows the certificate of the host that is asked for', async () => {
    const world = new World();
    const certificate = async (host: string): Promise<string> => {
      const connection = await world.network('y/a').connect({ host, port: 443 }, { tls: { serverName: host } });
      return connection.tls?.certificate ?? '';
    };
    expect(await certificate('safe.test')).toBe('certificate of safe.test');
    expect(await certificate('shop.test')).toContain('no secret holds a certificate');
  });

  test('waits in vain for a pod that a policy closes, and answers 504', async () => {
    const world = new World('---\n{kind: NetworkPolicy, metadata: {name: deny}, spec: {podSelector: {}}}');
    await world.serve('x/b');
    expect(await world.ask('-o /dev/null -w "%{http_code}" http://shop.test/')).toBe('504');
  });

  test.each<[title: string, spec: string, status: string, written: unknown]>([
    ['of its class', '{ingressClassName: simulated}', '', [{ ip: '192.0.2.80' }]],
    ['without a class where it is the default', '{}', '', [{ ip: '192.0.2.80' }]],
    ['of another class', '{ingressClassName: other}', '', undefined],
    ['that has it', '{}', '192.0.2.80', undefined],
    ['that it serves no longer', '{ingressClassName: other}', '192.0.2.80', []],
    ['of another controller', '{ingressClassName: other}', '198.51.100.1', undefined],
  ])('writes its address into an Ingress %s', (_, spec, ip, written) => {
    const view = add(
      smallCluster(CLASSES),
      `
kind: Ingress
metadata: {name: i}
spec: ${spec}
status: {loadBalancer: {ingress: [${ip === '' ? '' : `{ip: ${ip}}`}]}}`,
    );
    const ingress = view.get('ingresses', 'x/i');
    expect(ingress && addressesToWrite(ingress, view)).toEqual(written);
  });
});

const HOST_PORT = (hostIP: string) => `
---
kind: Pod
metadata: {name: d, namespace: x}
spec: {nodeName: node-1, containers: [{name: c, ports: [{containerPort: 80, hostPort: 8088${hostIP}}]}]}
status: {phase: Running, podIP: 10.244.0.4, hostIP: 192.168.0.1}
`;

describe('a host port', () => {
  const worldWith = async (hostIP: string): Promise<World> => {
    const world = new World(HOST_PORT(hostIP));
    const network = world.dataplane.networkOf('10.244.0.4', { pod: must(world.view.get('pods', 'x/d'), 'x/d') });
    const files = { '/usr/local/apache2/htdocs/index.html': 'by host port\n' };
    new Box({ network, clock: world.clock, image: 'httpd', files }).start(['httpd-foreground']);
    await turns();
    return world;
  };

  test.each<[hostIP: string, url: string, answer: string]>([
    ['', '192.168.0.1:8088', 'by host port\n'],
    [', hostIP: 0.0.0.0', '192.168.0.1:8088', 'by host port\n'],
    [', hostIP: 192.168.0.1', '192.168.0.1:8088', 'by host port\n'],
    [', hostIP: 127.0.0.1', '192.168.0.1:8088', ''],
    ['', '192.168.0.2:8088', ''],
    ['', '192.168.0.1:80', ''],
  ])('with "%s" at %s', async (hostIP, url, answer) => {
    expect(await (await worldWith(hostIP)).ask(url)).toBe(answer);
  });

  test('of localhost is for the node alone', async () => {
    const world = await worldWith(', hostIP: 127.0.0.1');
    expect(await world.ask('127.0.0.1:8088', world.dataplane.networkOf('192.168.0.1'))).toBe('by host port\n');
    expect(await world.ask('127.0.0.1:8088', world.dataplane.networkOf('192.168.0.2'))).toBe('');
  });
});

test('a load balancer learns at the health check port which nodes have endpoints', async () => {
  const local = `
---
kind: Service
metadata: {name: local}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 32000, ports: [{name: http, port: 80}]}
---
kind: EndpointSlice
metadata: {name: local-1, labels: {cluster.io/service-name: local}}
ports: [{name: http, port: 80}]
endpoints: [{addresses: [10.244.0.2], topology: {cluster.io/hostname: node-2}}]
`;
  const world = new World(local);
  expect(JSON.parse(await world.ask('http://192.168.0.2:32000/healthz'))).toEqual({
    service: { namespace: 'x', name: 'local' },
    localEndpoints: 1,
  });
  expect(await world.ask('-o /dev/null -w "%{http_code}" http://192.168.0.1:32000/healthz')).toBe('503');
});
