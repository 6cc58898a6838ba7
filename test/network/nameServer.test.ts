/** The cluster's name server as pods: who answers, what stops a question, and what a server answers by its Corefile. */
import { describe, expect, test } from 'vitest';
import { isBuiltIn, lookUp, tracePacket } from '../../src/network/index.ts';
import { must } from '../../src/std/index.ts';
import { Box, turns } from '../programs/harness.ts';
import { DataplaneWorld } from './dataplaneWorld.ts';
import { add, smallCluster } from './world.ts';

const SERVERS = ['10.244.8.1', '10.244.8.2'];
const POD = (i: number): string => `
kind: Pod
metadata: {name: dns-${i + 1}, namespace: cluster-system, labels: {k8s-app: cluster-dns}}
spec: {nodeName: node-${i + 1}, containers: [{name: coredns, image: coredns, ports: [{containerPort: 53, protocol: UDP}]}]}
status: {phase: Running, podIP: ${SERVERS[i] ?? ''}}
---
`;
const SLICE = (...addresses: readonly string[]): string => `
kind: EndpointSlice
metadata: {name: dns-1, namespace: cluster-system, labels: {cluster.io/service-name: cluster-dns}}
ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53, protocol: TCP}]
endpoints: [${addresses.map((address) => `{addresses: [${address}]}`).join(', ')}]
`;
const SERVICE = `
kind: Service
metadata: {name: cluster-dns, namespace: cluster-system}
spec: {clusterIP: 10.96.0.10, ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53}]}
---
`;
const WEB =
  '{kind: Service, metadata: {name: web}, spec: {clusterIP: 10.96.0.20, clusterIPs: [10.96.0.20], ports: [{port: 80}]}}\n---\n';
const PODS = `${WEB}${SERVICE}${POD(0)}${POD(1)}${SLICE(...SERVERS)}`;
const COREFILE = `.:53 {
    errors
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       fallthrough in-addr.arpa ip6.arpa
    }
    forward . /etc/resolv.conf
    reload
}
`;

class World extends DataplaneWorld {
  constructor(objects = PODS) {
    super(objects);
    this.add('{kind: Namespace, metadata: {name: cluster-system, labels: {name: system}}}');
  }

  /** Starts a name server in a pod. */
  async serve(key: string, corefile = COREFILE, files: Readonly<Record<string, string>> = {}): Promise<Box> {
    const all = { '/etc/Corefile': corefile, '/etc/resolv.conf': 'nameserver 192.168.49.1\n', ...files };
    const box = new Box({ network: this.network(key), clock: this.clock, image: 'coredns', files: all });
    box.start(['/coredns', '-conf', '/etc/Corefile']);
    await turns();
    return box;
  }

  async serving(): Promise<this> {
    await this.serve('cluster-system/dns-1');
    await this.serve('cluster-system/dns-2');
    return this;
  }

  /** The addresses that a pod finds for a name, or the error's code, and the milliseconds that it took. */
  async lookUp(from: string, name: string, server?: string): Promise<readonly [string, number]> {
    const began = this.clock.now();
    const answer = this.network(from)
      .lookup(name, 'A', server)
      .then(
        (records) => records.map((record) => ('address' in record ? record.address : record.type)).join(' '),
        (problem: { code?: string }) => problem.code ?? String(problem),
      );
    const outcome = await this.box(from).until(answer);
    return [outcome, this.clock.now() - began];
  }
}

const egress = (rules: string): string => `
kind: NetworkPolicy
metadata: {name: out}
spec: {podSelector: {}, policyTypes: [Egress], egress: ${rules}}
`;
const PORT = '[{protocol: UDP, port: 53}]';

describe('who answers', () => {
  test.each([
    ['a cluster without such pods: the simulation', WEB, true],
    ['a service at the address: whatever stands behind it', WEB + SERVICE, false],
    ['pods without their service: nobody at the address', WEB + POD(0), false],
    [
      'a service at the address for something else: the simulation',
      '{kind: Service, metadata: {name: other}, spec: {clusterIP: 10.96.0.10, ports: [{port: 80}]}}',
      true,
    ],
  ])('%s', (_, objects, expected) => {
    expect(isBuiltIn('10.96.0.10', smallCluster(objects))).toBe(expected);
  });

  test('the node’s own name server is always a part of the simulation', () => {
    expect(isBuiltIn('192.168.49.1', smallCluster(PODS))).toBe(true);
  });

  test('a question goes to one of the pods, over the service', async () => {
    const world = await new World().serving();
    expect(await world.lookUp('x/a', 'web')).toEqual(['10.96.0.20', 0]);
    expect(world.flows[0]?.to?.pod).toMatch(/^cluster-system\/dns-[12]$/);
  });

  test('names outside are passed on, and names that nobody has are not found', async () => {
    const world = await new World().serving();
    expect(await world.lookUp('x/a', 'example.com')).toEqual(['198.51.100.7', 0]);
    expect(await world.lookUp('x/a', 'nowhere')).toEqual(['ENOTFOUND', 0]);
  });

  test('one question is one flow, whatever the search path is', async () => {
    const world = await new World().serving();
    await world.lookUp('x/a', 'web.x.svc');
    expect(world.flows.filter(({ from }) => from.pod === 'x/a')).toHaveLength(1);
  });
});

describe('without an answer a resolver asks twice, five seconds each, and the name is unknown', () => {
  test.each<[string, string, boolean]>([
    ['no endpoints', WEB + SERVICE, false],
    ['endpoints where no server runs', PODS, false],
    ['pods without their service', WEB + POD(0), false],
    ['egress that is closed', `${PODS}---\n${egress('[]')}`, true],
    [
      'ingress that is closed',
      `${PODS}---\n{kind: NetworkPolicy, metadata: {name: in, namespace: cluster-system}, spec: {podSelector: {}}}`,
      true,
    ],
  ])('%s', async (_, objects, serves) => {
    const world = new World(objects);
    if (serves) await world.serving();
    expect(await world.lookUp('x/a', 'web')).toEqual(['ETIMEDOUT', 10_000]);
    const { stderr, took } = await world.box('x/a').sh('wget -q -O - http://web');
    expect({ stderr, took }).toEqual({ stderr: "wget: bad address 'web'\n", took: 10_000 });
  });

  test('a server that comes meanwhile answers the second question', async () => {
    const world = new World(WEB + SERVICE + POD(0));
    await world.serve('cluster-system/dns-1');
    world.clock.setTimeout(() => add(world.view, SLICE(SERVERS[0] ?? '')), 1000);
    expect(await world.lookUp('x/a', 'web')).toEqual(['10.96.0.20', 5000]);
  });
});

describe('of several name servers the next is asked when one does not answer', () => {
  const config = (...servers: readonly string[]): string => `${PODS}
---
kind: Pod
metadata: {name: own}
spec: {nodeName: node-1, dnsPolicy: None, dnsConfig: {nameservers: [${servers.join(', ')}], searches: [x.svc.cluster.local]}, containers: [{name: c}]}
status: {phase: Running, podIP: 10.244.0.77}
`;
  test.each<[string, readonly string[], readonly [string, number]]>([
    ['the first answers', ['10.96.0.10', '203.0.113.9'], ['10.96.0.20', 0]],
    ['the second answers', ['203.0.113.9', '10.96.0.10'], ['10.96.0.20', 5000]],
    ['the third answers', ['203.0.113.9', '203.0.113.8', '10.96.0.10'], ['10.96.0.20', 10_000]],
    ['none answers: each is asked twice', ['203.0.113.9', '203.0.113.8'], ['ETIMEDOUT', 20_000]],
  ])('%s', async (_, servers, expected) => {
    const world = await new World(config(...servers)).serving();
    expect(await world.lookUp('x/own', 'web')).toEqual(expected);
    const { stderr, took } = await world.box('x/own').sh('wget -q -O - http://web');
    // Nothing listens at the service, which has no endpoints.
    const refused = "wget: can't connect to remote host (10.96.0.20): Connection refused\n";
    expect({ stderr, took }).toEqual({
      stderr: expected[0] === 'ETIMEDOUT' ? "wget: bad address 'web'\n" : refused,
      took: expected[1],
    });
  });

  test('a name that the first does not know is not asked of the second', async () => {
    const world = await new World(config('192.168.49.1', '10.96.0.10')).serving();
    expect(await world.lookUp('x/own', 'web')).toEqual(['ENOTFOUND', 0]);
  });

  test('a client that has less patience gives up before', async () => {
    const world = await new World(config('203.0.113.9', '10.96.0.10')).serving();
    const { took } = await world.box('x/own').sh('wget -q -T 2 -O - http://web');
    expect(took).toBe(2000);
  });
});

describe('a policy allows the name server', () => {
  test.each<[string, string, boolean]>([
    ['by port', `[{ports: ${PORT}}]`, true],
    [
      'by labels of namespace and pod',
      rule('namespaceSelector: {matchLabels: {name: system}}, podSelector: {matchLabels: {k8s-app: cluster-dns}}'),
      true,
    ],
    ['by the namespace', rule('namespaceSelector: {matchLabels: {name: system}}'), true],
    ['by the pods’ addresses', rule('ipBlock: {cidr: 10.244.8.0/24}'), true],
    ['not by the service’s address', rule('ipBlock: {cidr: 10.96.0.10/32}'), false],
    ['not by labels in its own namespace', rule('podSelector: {matchLabels: {k8s-app: cluster-dns}}'), false],
    ['not by another port', '[{ports: [{protocol: UDP, port: 5353}]}]', false],
    ['not by TCP alone', '[{ports: [{protocol: TCP, port: 53}]}]', false],
  ])('%s', async (_, rules, reaches) => {
    const world = await new World(`${PODS}---\n${egress(rules)}`).serving();
    expect((await world.lookUp('x/a', 'web'))[0]).toBe(reaches ? '10.96.0.20' : 'ETIMEDOUT');
    // What people are shown before anything is sent says the same.
    const pod = must(world.view.get('pods', 'x/a'), 'the pod');
    const trace = tracePacket({ from: { pod }, to: 'web', port: 80, protocol: 'TCP' }, world.view);
    expect(trace.reason === 'name server not reached').toBe(!reaches);
  });
});

function rule(peer: string): string {
  return `[{to: [{${peer}}], ports: ${PORT}}]`;
}

test('decisions and programs find the same addresses', async () => {
  const world = await new World().serving();
  const pod = must(world.view.get('pods', 'x/a'), 'the pod');
  for (const name of ['web', 'web.x', 'example.com', 'nowhere', 'web.x.svc.cluster.local.', 'WEB'])
    expect((await world.lookUp('x/a', name))[0]).toBe(lookUp(name, pod, world.view).addresses.join(' ') || 'ENOTFOUND');
});

describe('a server answers by its Corefile', () => {
  const answers = async (corefile: string, name: string, files = {}): Promise<string> => {
    const world = new World();
    await world.serve('cluster-system/dns-1', corefile, files);
    return (await world.lookUp('x/a', `${name}.`, SERVERS[0]))[0];
  };

  test.each<[string, string, string, string]>([
    ['the cluster’s names', COREFILE, 'web.x.svc.cluster.local', '10.96.0.20'],
    ['no names outside without forward', '. {\n kubernetes cluster.local\n}\n', 'example.com', 'ENOTFOUND'],
    [
      'no names of the cluster without kubernetes',
      '.:53 {\n forward . 192.168.49.1\n}\n',
      'web.x.svc.cluster.local',
      'ENOTFOUND',
    ],
    ['hosts', '. {\n hosts {\n 1.2.3.4 notexistname other\n fallthrough\n }\n}\n', 'other', '1.2.3.4'],
    ['hosts of a file', '. {\n hosts /etc/more\n}\n', 'listed', '5.6.7.8'],
    [
      'a name that stands for another',
      `. {\n rewrite name shop.example web.x.svc.cluster.local\n kubernetes cluster.local\n}\n`,
      'shop.example',
      '10.96.0.20',
    ],
    [
      'a zone of its own',
      `${COREFILE}acme.local:53 {\n hosts {\n 9.9.9.9 a.acme.local\n }\n}\n`,
      'a.acme.local',
      '9.9.9.9',
    ],
    ['another server', '. {\n forward . 10.244.8.2\n}\n', 'example.com', 'ENOTFOUND'],
    ['nothing at another port', '.:5353 {\n forward . 192.168.49.1\n}\n', 'example.com', 'ETIMEDOUT'],
  ])('%s', async (_, corefile, name, expected) => {
    expect(await answers(corefile, name, { '/etc/more': '# hosts\n5.6.7.8 listed # here\n' })).toBe(expected);
  });

  test('a server that asks another one in a circle has no answer', async () => {
    const world = new World();
    await world.serve('cluster-system/dns-1', '. {\n forward . 10.244.8.2\n}\n');
    await world.serve('cluster-system/dns-2', '. {\n forward . 10.244.8.1\n}\n');
    expect((await world.lookUp('x/a', 'example.com.', SERVERS[0]))[0]).toBe('ENOTFOUND');
  });

  test.each([
    [
      'a directive that nobody knows',
      '. {\n kubernets cluster.local\n}\n',
      "/etc/Corefile:2 - Error during parsing: Unknown directive 'kubernets'",
    ],
    ['a block that does not end', '. {\n errors\n', '/etc/Corefile:3 - Error during parsing: Unexpected EOF'],
    [
      'an end without a block',
      '}\n',
      "/etc/Corefile:1 - Error during parsing: Unexpected '}', expecting a server block",
    ],
  ])('%s ends it', async (_, corefile, message) => {
    const box = new Box({ image: 'coredns', files: { '/etc/Corefile': corefile } });
    const { stdout, code } = await box.run(['/coredns', '-conf', '/etc/Corefile']);
    expect({ stdout, code }).toEqual({ stdout: `${message}\n`, code: 1 });
  });

  test('it takes a changed file after a while, and goes on with what it had where that can’t be read', async () => {
    const world = new World();
    const box = await world.serve('cluster-system/dns-1');
    const ask = async (): Promise<string> => (await world.lookUp('x/a', 'new.example.', SERVERS[0]))[0];
    box.tree.file('etc/Corefile', COREFILE.replace('errors', 'hosts {\n 1.1.1.1 new.example\n }\n'));
    expect(await ask()).toBe('ENOTFOUND');
    await world.clock.step(30_000);
    expect(await ask()).toBe('1.1.1.1');
    box.tree.file('etc/Corefile', 'nonsense {\n');
    await world.clock.step(30_000);
    expect(await ask()).toBe('1.1.1.1');
  });

  test('its health is told over HTTP, and what it was asked is counted', async () => {
    const world = new World();
    await world.serve('cluster-system/dns-1', `${COREFILE.replace('errors', 'health\n prometheus :9153\n log')}`);
    await world.lookUp('x/a', 'web.x.svc.cluster.local.', SERVERS[0]);
    const get = async (port: number, path: string): Promise<string> =>
      (await world.box('x/a').sh(`wget -q -O - http://${SERVERS[0]}:${port}${path}`)).stdout;
    expect(await get(8080, '/health')).toBe('OK');
    expect(await get(8181, '/ready')).toBe('OK');
    expect(await get(9153, '/metrics')).toContain('coredns_dns_requests_total 1\n');
  });
});

describe('tools name a server', () => {
  test.each([
    [`nslookup web.x.svc.cluster.local ${SERVERS[0]}`, 0, 'Address: 10.96.0.20'],
    [`dig @${SERVERS[0]} +short web.x.svc.cluster.local`, 0, '10.96.0.20'],
    ['nslookup web.x.svc.cluster.local 192.168.49.1', 1, 'NXDOMAIN'],
    ['nslookup web 10.244.7.7', 1, ';; connection timed out; no servers could be reached'],
    ['dig @10.244.7.7 web', 9, ';; connection timed out; no servers could be reached'],
  ])('%s', async (command, code, text) => {
    const world = await new World().serving();
    const box = new Box({ network: world.network('x/a'), clock: world.clock, image: 'dnsutils' });
    const ran = await box.sh(command);
    expect(ran.stdout).toContain(text);
    expect(ran.code).toBe(code);
  });
});
