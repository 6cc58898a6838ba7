import { describe, expect, test } from 'vitest';
import type { Network } from '../../src/programs/index.ts';
import { Box, turns } from '../programs/harness.ts';
import { DataplaneWorld } from './dataplaneWorld.ts';
import { addressOf } from './world.ts';

const WEB = `
kind: Service
metadata: {name: web}
spec: {clusterIP: 10.96.0.50, ports: [{name: http, port: 80, targetPort: 80}]}
---
kind: EndpointSlice
metadata: {name: web-1, labels: {cluster.io/service-name: web}}
ports: [{name: http, port: 80}]
endpoints:
  - {addresses: [10.244.0.2], conditions: {ready: true}, topology: {cluster.io/hostname: node-2}, targetRef: {kind: Pod, namespace: x, name: b}}
`;
const DENY_ALL = '{kind: NetworkPolicy, metadata: {name: deny-all}, spec: {podSelector: {}, policyTypes: [Ingress]}}';
const ALLOW_A = `
kind: NetworkPolicy
metadata: {name: allow-a}
spec:
  podSelector: {matchLabels: {pod: b}}
  ingress: [{from: [{podSelector: {matchLabels: {pod: a}}}], ports: [{port: 80}]}]
`;
const DENY_EGRESS =
  '{kind: NetworkPolicy, metadata: {name: no-egress}, spec: {podSelector: {}, policyTypes: [Egress]}}';

class World extends DataplaneWorld {
  constructor(objects = WEB) {
    super(objects);
  }

  remove(key: string): void {
    const policy = this.view.get('networkpolicies', key);
    if (policy) this.view.remove('networkpolicies', policy);
  }

  /** Starts a web server in a pod. */
  async serve(key: string): Promise<void> {
    const files = { '/usr/local/apache2/htdocs/index.html': `served by ${key}\n` };
    new Box({ network: this.network(key), clock: this.clock, image: 'httpd', files }).start(['httpd-foreground']);
    await turns();
  }

  /** What a connection attempt ends with: the address that was reached, or the error's code. */
  async attempt(from: string, host: string, port = 80, timeout = 1000): Promise<string> {
    const attempt = this.network(from).connect({ host, port }, { timeout });
    const outcome = attempt.then(
      (connection) => connection.remote.address,
      (problem: { code?: string }) => problem.code ?? String(problem),
    );
    return this.box(from).until(outcome);
  }
}

describe('connections', () => {
  test('two programs talk through a service, found by its name', async () => {
    const world = new World();
    await world.serve('x/b');
    const { stdout, code } = await world.box('x/a').sh('wget -q -O - http://web');
    expect({ stdout, code }).toEqual({ stdout: 'served by x/b\n', code: 0 });
  });

  test.each([
    ['a service whose endpoint listens', 'web', 80, '10.96.0.50'],
    ['a pod that listens', '10.244.0.2', 80, '10.244.0.2'],
    ['a port at which nothing listens', '10.244.0.2', 81, 'ECONNREFUSED'],
    ['a node at which nothing listens', '192.168.0.2', 80, 'ECONNREFUSED'],
    ['a port that the service does not have', 'web', 81, 'ETIMEDOUT'],
    ['an address that nobody has', '10.244.9.9', 80, 'ETIMEDOUT'],
    ['a server outside of the cluster', 'example.com', 80, '198.51.100.7'],
    ['a port at which that does not listen', 'example.com', 443, 'ECONNREFUSED'],
    ['a name that nobody knows', 'nowhere', 80, 'ENOTFOUND'],
    ['itself, where nothing listens', 'localhost', 80, 'ECONNREFUSED'],
  ])('from a pod to %s', async (_, host, port, outcome) => {
    const world = new World();
    await world.serve('x/b');
    expect(await world.attempt('x/a', host, port)).toBe(outcome);
  });

  test('to an endpoint that is forgotten find nobody there, unless a pod has its address', async () => {
    const world = new World(WEB.replace('addresses: [10.244.0.2]', 'addresses: [10.244.9.9]'));
    const listener = world.dataplane.networkOf('10.244.9.9').listen(80, () => undefined);
    expect(await world.attempt('x/a', 'web')).toBe('10.96.0.50');
    listener.close();
    expect(await world.attempt('x/a', 'web')).toBe('ECONNREFUSED');
    for (const address of ['10.244.9.9', '10.244.0.2']) world.dataplane.forget(address);
    expect([await world.attempt('x/a', 'web'), await world.attempt('x/a', '10.244.0.2')]).toEqual([
      ...['ETIMEDOUT', 'ECONNREFUSED'],
    ]);
  });

  test('a server outside of the cluster says that it is simulated', async () => {
    const { stdout } = await new World().box('x/a').sh('wget -q -O - http://example.com');
    expect(stdout).toBe('This is example.com, a simulated server outside of the cluster. You come from 10.244.0.1.\n');
  });

  test('a service without endpoints refuses at once', async () => {
    const world = new World(WEB.split('---')[0]);
    const before = world.clock.now();
    expect(await world.attempt('x/a', 'web')).toBe('ECONNREFUSED');
    expect(world.clock.now()).toBe(before);
  });

  test('a denied connection times out after the client’s own timeout, else after 127 s', async () => {
    const world = new World(`${WEB}---\n${DENY_ALL}`);
    await world.serve('x/b');
    const before = world.clock.now();
    expect(await world.attempt('x/a', 'web', 80, 3000)).toBe('ETIMEDOUT');
    expect(world.clock.now() - before).toBe(3000);
    expect(await world.attempt('x/a', 'web', 80, Infinity)).toBe('ETIMEDOUT');
    expect(world.clock.now() - before).toBe(3000 + 127_000);
  });

  test('the receiver sees the sender’s address, and that of the node where a pod reaches itself through a service', async () => {
    const world = new World();
    const seen: string[] = [];
    world.network('x/b').listen(80, ({ remote }) => void seen.push(remote.address));
    await world.attempt('x/a', 'web');
    await world.attempt('x/b', 'web');
    await world.attempt('x/b', 'localhost');
    expect(seen).toEqual([addressOf('x/a'), '192.168.0.2', addressOf('x/b')]);
  });

  test('containers of a pod share its ports', () => {
    const world = new World();
    world.network('x/b').listen(80, () => undefined);
    expect(() => world.network('x/b').listen(80, () => undefined)).toThrow('Address already in use');
  });

  test('a policy that is applied later leaves an open connection alone', async () => {
    const world = new World();
    world.network('x/b').listen(80, ({ stream }) => void stream.write(new Uint8Array([1])));
    const connection = await world.network('x/a').connect({ host: 'web', port: 80 });
    world.add(DENY_ALL);
    expect(await connection.stream.read()).toEqual(new Uint8Array([1]));
    expect(await world.attempt('x/a', 'web')).toBe('ETIMEDOUT');
  });

  test('a client keeps its endpoint with ClientIP affinity, until the timeout', async () => {
    const slice = ['10.244.0.2', '10.244.0.3', '10.244.1.1', '10.244.1.2', '10.244.1.3']
      .map((address) => `  - {addresses: [${address}], conditions: {ready: true}}`)
      .join('\n');
    const affinity = 'sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 60}}, clusterIP';
    const world = new World(WEB.replace('clusterIP', affinity).replace(/ {2}- \{addr.*/, slice));
    const seen: string[] = [];
    for (const key of ['x/b', 'x/c', 'y/a', 'y/b', 'y/c'])
      world.network(key).listen(80, ({ local }) => void seen.push(local.address));
    for (let i = 0; i < 20; i++) await world.attempt('x/a', 'web');
    expect(new Set(seen).size).toBe(1);
    const endpoints = new Set<string | undefined>();
    for (let i = 0; i < 20; i++) {
      await world.clock.step(60_000);
      await world.attempt('x/a', 'web');
      endpoints.add(seen.at(-1));
    }
    expect(endpoints.size).toBeGreaterThan(1);
  });
});

describe('a running loop', () => {
  const LOOP = 'while true; do wget -q -T 1 -O - http://web || echo failed; sleep 1; done';

  test('turns red when default-deny is applied, and green when a policy allows it', async () => {
    const world = new World();
    await world.serve('x/b');
    const client = world.box('x/a');
    const loop = client.start(['sh', '-c', LOOP]);
    const linesOf = async (ms: number): Promise<Set<string>> => {
      const from = loop.read().length;
      await client.advance(ms);
      return new Set(loop.read().slice(from).trim().split('\n'));
    };
    expect(await linesOf(5000)).toEqual(new Set(['served by x/b']));
    world.add(DENY_ALL);
    await client.advance(2000);
    expect(await linesOf(8000)).toEqual(new Set(['failed']));
    world.add(ALLOW_A);
    await client.advance(3000);
    expect(await linesOf(5000)).toEqual(new Set(['served by x/b']));
    loop.kill('KILL');
  });
});

describe('names', () => {
  test.each([
    ['web', 'A', ['10.96.0.50']],
    ['web.x', 'A', ['10.96.0.50']],
    ['web.x.svc.cluster.local.', 'A', ['10.96.0.50']],
    ['web', 'AAAA', []],
    ['_http._tcp.web', 'SRV', ['web.x.svc.cluster.local.']],
    ['50.0.96.10.in-addr.arpa', 'PTR', ['web.x.svc.cluster.local.']],
    ['a', 'A', [addressOf('x/a')]],
  ] as const)('%s %s', async (name, type, expected) => {
    const found = await new World().network('x/a').lookup(name, type);
    expect(found.map((record) => ('address' in record ? record.address : 'target' in record && record.target))).toEqual(
      expected,
    );
  });

  test('a name that nobody knows is not found', async () => {
    await expect(new World().network('x/a').lookup('nowhere', 'A')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('a policy that forbids egress stops questions to the name server', async () => {
    const world = new World(`${WEB}---\n${DENY_EGRESS}`);
    const answer = world.network('x/a').lookup('web', 'A');
    await expect(world.box('x/a').until(answer)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    const denied = { port: 53, protocol: 'UDP', denied: { policies: ['x/no-egress'] } };
    expect(world.flows).toMatchObject([denied, denied]);
  });
});

describe('datagrams', () => {
  const UDP = WEB.replaceAll('port: 80', 'protocol: UDP, port: 80');
  const bytes = new TextEncoder().encode('hello');

  test('an answer comes from the address that was asked, even where no policy allows it', async () => {
    const world = new World(`${UDP}---\n${DENY_ALL.replace('{}, pol', '{matchLabels: {pod: a}}, pol')}`);
    const heard: object[] = [];
    const server = world.network('x/b').bind(80, ({ data, from }) => {
      heard.push(from);
      void server.send(data, { host: from.address, port: from.port });
    });
    const client = world.network('x/a').bind(5000, ({ from }) => void heard.push(from));
    await client.send(bytes, { host: 'web', port: 80 });
    expect(heard).toEqual([
      { address: addressOf('x/a'), port: 5000 },
      { address: '10.96.0.50', port: 80 },
    ]);
  });

  test('one that a policy denies is dropped without an error', async () => {
    const world = new World(`${UDP}---\n${DENY_ALL}`);
    const heard: object[] = [];
    world.network('x/b').bind(80, ({ from }) => void heard.push(from));
    await world
      .network('x/a')
      .bind(0, () => undefined)
      .send(bytes, { host: 'web', port: 80 });
    expect(heard).toEqual([]);
  });

  test('a service gets another endpoint for an exchange whose receiver has ended', async () => {
    const world = new World(UDP);
    const heard: string[] = [];
    const first = world.network('x/b').bind(80, () => void heard.push('b'));
    const client = world.network('x/a').bind(5000, () => undefined);
    await client.send(bytes, { host: 'web', port: 80 });
    first.close();
    world.add(
      WEB.split('---')[1]?.replace('10.244.0.2', '10.244.0.3').replaceAll('port: 80', 'protocol: UDP, port: 80') ?? '',
    );
    world.network('x/c').bind(80, () => void heard.push('c'));
    await client.send(bytes, { host: 'web', port: 80 });
    expect(heard).toEqual(['b', 'c']);
  });
});

describe('ports of a node, from itself', () => {
  const NODE_PORTS = `${WEB}
---
kind: Service
metadata: {name: outer}
spec: {type: NodePort, clusterIP: 10.96.0.51, ports: [{name: http, port: 80, nodePort: 30080}, {name: dns, port: 53, protocol: UDP, nodePort: 30053}]}
---
kind: EndpointSlice
metadata: {name: outer-1, labels: {cluster.io/service-name: outer}}
ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}]
endpoints: [{addresses: [10.244.0.2], conditions: {ready: true}, topology: {cluster.io/hostname: node-2}}]
---
kind: Pod
metadata: {name: here}
spec: {nodeName: node-1, containers: [{name: c, ports: [{containerPort: 80, hostPort: 8080, hostIP: 192.168.0.1}, {containerPort: 53, hostPort: 5353, hostIP: 127.0.0.1, protocol: UDP}]}]}
status: {podIP: 10.244.9.9}
`;
  const onNode = (): { network: Network; world: World } => {
    const world = new World(NODE_PORTS);
    for (const address of ['10.244.0.2', '10.244.9.9']) {
      const server = world.dataplane.networkOf(address);
      server.listen(80, ({ stream }) => stream.release());
      const socket = server.bind(
        53,
        ({ data, from }) => void socket.send(data, { host: from.address, port: from.port }),
      );
    }
    return { world, network: world.dataplane.networkOf('192.168.0.1') };
  };

  test.each<[host: string, port: number, reached: boolean]>([
    ['192.168.0.1', 30080, true],
    ['127.0.0.1', 30080, true],
    ['localhost', 30080, true],
    ['localhost', 30081, false],
    ['192.168.0.1', 8080, true],
    ['127.0.0.1', 8080, false],
  ])('TCP %s:%i', async (host, port, reached) => {
    const connected = onNode().network.connect({ host, port });
    await (reached ? expect(connected).resolves.toBeDefined() : expect(connected).rejects.toThrow('refused'));
  });

  test.each<[host: string, port: number, reached: boolean]>([
    ['127.0.0.1', 30053, true],
    ['192.168.0.1', 30053, true],
    ['127.0.0.1', 5353, true],
    ['192.168.0.1', 5353, false],
  ])('UDP %s:%i', async (host, port, reached) => {
    const answers: string[] = [];
    const socket = onNode().network.bind(0, ({ from }) => void answers.push(`${from.address}:${from.port}`));
    const sent = socket.send(new Uint8Array([1]), { host, port });
    await (reached ? sent : expect(sent).rejects.toThrow('refused'));
    await turns();
    expect(answers).toEqual(reached ? [`192.168.0.1:${port}`] : []);
  });
});

describe('echo', () => {
  test.each([
    ['a pod', '10.244.0.2', '', true],
    ['a node', '192.168.0.3', '', true],
    ['the address of a service', 'web', '', false],
    ['a pod that a policy isolates', '10.244.0.2', DENY_ALL, false],
    ['a pod whose policy allows one port', '10.244.0.2', ALLOW_A, false],
  ])('to %s', async (_, host, policy, answers) => {
    const world = new World(`${WEB}---\n${policy}`);
    const answered = await world
      .network('x/a')
      .ping(host)
      .then(
        () => true,
        () => false,
      );
    expect(answered).toBe(answers);
  });
});

describe('flows', () => {
  test('say who asked whom for what, and what came of it', async () => {
    const world = new World();
    await world.serve('x/b');
    await world.attempt('x/a', '10.96.0.50');
    world.add(DENY_ALL);
    await world.attempt('x/a', '10.96.0.50');
    const shared = { asked: '10.96.0.50', port: 80, protocol: 'TCP', service: 'x/web', count: 1 };
    const ends = { from: { address: addressOf('x/a'), pod: 'x/a' }, to: { address: addressOf('x/b'), pod: 'x/b' } };
    expect(world.flows).toMatchObject([
      { ...shared, ...ends, outcome: 'delivered' },
      {
        ...{ ...shared, ...ends, outcome: 'timed out', reason: 'ingress denied' },
        denied: { direction: 'Ingress', policies: ['x/deny-all'] },
      },
    ]);
  });

  test('beyond 200 a second, those that are alike are counted together', async () => {
    const world = new World();
    world.network('x/b').listen(80, () => undefined);
    for (let i = 0; i < 500; i++) await world.network('x/a').connect({ host: '10.96.0.50', port: 80 });
    expect(world.flows).toHaveLength(200);
    await world.clock.step(1000);
    expect(world.flows).toHaveLength(201);
    expect(world.flows.reduce((sum, { count }) => sum + count, 0)).toBe(500);
  });
});
