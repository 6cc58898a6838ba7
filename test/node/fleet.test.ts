/** The nodes of a cluster as a whole: which have agents, which ranges they have, who asks the server for them. */
import { afterEach, describe, expect, test } from 'vitest';
import { nodes, pods } from '../../src/client/index.ts';
import { NodeLab, type Loose } from './lab.ts';

const NODES = '/api/v1/nodes';
const PODS = '/api/v1/namespaces/default/pods';
const AGENT = 'simulation.vitrine.dev/agent';

let lab: NodeLab;
afterEach(() => lab.stop());

const addressOf = (node: Loose): string | undefined =>
  node.status?.addresses?.find((each: Loose) => each.type === 'InternalIP')?.address;
const leaseOf = (name: string): string =>
  `${lab.names.fill('/apis/coordination.{domain}/v1/namespaces/')}${lab.names.nodeLeaseNamespace}/leases/${name}`;
const renewedAt = async (name: string): Promise<string | undefined> => (await lab.get(leaseOf(name))).spec?.renewTime;
const make = (name: string, annotations: Loose = { [AGENT]: 'true' }, spec: Loose = {}): Promise<Loose> =>
  lab.create(NODES, { metadata: { name, annotations }, spec });
const fault = (name: string, kind: string, value: string | null): Promise<Loose> =>
  lab.patch(`${NODES}/${name}`, { metadata: { annotations: { [`simulation.vitrine.dev/${kind}`]: value } } });
const run = (name: string, nodeName: string, container: Loose = {}): Promise<Loose> =>
  lab.create(PODS, {
    metadata: { name },
    spec: { nodeName, containers: [{ name: 'c', image: 'nginx', ...container }] },
  });

describe('a node that the simulation registers', () => {
  test('has the labels, the capacity and the conditions of a machine', async () => {
    lab = await NodeLab.start({ nodes: 4, naming: 'k8s.io' });
    const { metadata, spec, status } = await lab.get(`${NODES}/node-1`);
    expect(metadata.labels).toEqual({
      'kubernetes.io/hostname': 'node-1',
      'kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
      'beta.kubernetes.io/os': 'linux',
      'topology.kubernetes.io/region': 'local',
      'topology.kubernetes.io/zone': 'local-a',
    });
    expect(metadata.annotations).toEqual({
      [AGENT]: 'true',
      'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
    });
    expect(spec).toEqual({ podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'] });
    const capacity = {
      cpu: '4',
      memory: '8145856Ki',
      pods: '110',
      'ephemeral-storage': '101430960Ki',
      'hugepages-1Gi': '0',
      'hugepages-2Mi': '0',
    };
    const now = '2026-01-01T12:00:00Z';
    const condition = (type: string, is: string, reason: string, message: string): Loose => ({
      ...{ type, status: is, reason, message, lastHeartbeatTime: now, lastTransitionTime: now },
    });
    expect(status).toEqual({
      daemonEndpoints: expect.anything(),
      capacity,
      allocatable: { ...capacity, memory: '8043456Ki', 'ephemeral-storage': '93478772582' },
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      ],
      addresses: [
        { type: 'InternalIP', address: '192.168.49.10' },
        { type: 'Hostname', address: 'node-1' },
      ],
      nodeInfo: {
        machineID: expect.stringMatching(/^[0-9a-f]{32}$/),
        systemUUID: expect.stringMatching(/^[0-9a-f-]{36}$/),
        bootID: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kernelVersion: '5.4.0-simulated',
        osImage: 'Vitrine (simulated)',
        containerRuntimeVersion: 'simulation://1.0.0',
        kubeletVersion: 'v1.20.2',
        kubeProxyVersion: 'v1.20.2',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    });
    const zone = 'topology.kubernetes.io/zone';
    const zones = (await lab.items(NODES)).map((node) => node.metadata.labels[zone]);
    expect(zones).toEqual(['local-a', 'local-b', 'local-c', 'local-a']);
  });

  test('is left as it is where it is there already', async () => {
    lab = await NodeLab.start({
      before: ({ server }) =>
        server.put(nodes, {
          metadata: { name: 'node-1', annotations: { [AGENT]: 'true' }, labels: { own: 'yes' } },
          spec: { podCIDR: '10.9.0.0/24' },
          status: {
            addresses: [{ type: 'InternalIP', address: '192.168.49.44' }],
            capacity: { cpu: '2', 'example.com/gpu': '1' },
            nodeInfo: { machineID: 'mine' },
            conditions: [{ type: 'OwnCheck', status: 'False' }],
          },
        }),
    });
    const { metadata, spec, status } = await lab.get(`${NODES}/node-1`);
    expect([metadata.labels, spec.podCIDR]).toEqual([{ own: 'yes' }, '10.9.0.0/24']);
    expect(status).toMatchObject({
      addresses: [{ type: 'InternalIP', address: '192.168.49.44' }],
      capacity: { cpu: '2', 'example.com/gpu': '1' },
      allocatable: { cpu: '2', 'example.com/gpu': '1' },
      nodeInfo: { machineID: 'mine' },
    });
    expect(status.conditions.map(({ type }: Loose) => type)).toEqual([
      'OwnCheck',
      'MemoryPressure',
      'DiskPressure',
      'PIDPressure',
      'Ready',
    ]);
    expect(lab.told).toEqual([]);
  });

  test('comes once the server takes it', async () => {
    lab = await NodeLab.start({
      before: ({ server }) => void server.refuse('POST', /^nodes$/, 500, 'InternalError', 2),
    });
    expect(lab.asked.filter(({ method, path }) => method === 'POST' && path === NODES)).toHaveLength(3);
    expect(lab.told).toContainEqual(
      expect.objectContaining({ topic: 'node', node: 'fleet', what: expect.stringContaining('InternalError') }),
    );
  });
});

describe('an agent', () => {
  test('asks the server as its node, and the network and the fleet as themselves', async () => {
    lab = await NodeLab.start({ nodes: 2, naming: 'k8s.io' });
    await run('p', 'node-1');
    await lab.until(`${PODS}/p`, (pod) => pod.status.phase === 'Running');
    const asking = new Set(lab.asked.map(({ as, agent }) => `${as} by ${agent}`));
    expect([...asking].sort()).toEqual([
      'system:apiserver by simulated-network',
      'system:node:fleet by kubelet',
      'system:node:node-1 by kubelet',
      'system:node:node-2 by kubelet',
    ]);
    const reported = lab.asked.find(({ path }) => path === `${PODS}/p/status`);
    expect(reported?.as).toBe('system:node:node-1');
  });

  test('starts for a node that somebody made for it, with an address and a range of its own, and for no other', async () => {
    lab = await NodeLab.start();
    await make('plain', {});
    await make('false', { [AGENT]: 'false' });
    for (const name of ['mine', 'yours']) await make(name);
    for (const name of ['mine', 'yours']) await lab.until(`${NODES}/${name}`, (node) => addressOf(node) !== undefined);
    await lab.advance(11_000, 500);
    const seen = (await lab.items(NODES)).map((node) => [node.metadata.name, addressOf(node), node.spec.podCIDR]);
    expect(seen).toEqual([
      ['node-1', '192.168.49.10', '10.244.0.0/24'],
      ['plain', undefined, undefined],
      ['false', undefined, undefined],
      ['mine', '192.168.49.11', '10.244.1.0/24'],
      ['yours', '192.168.49.12', '10.244.2.0/24'],
    ]);
    expect(await renewedAt('plain')).toBeUndefined();
    await run('there', 'mine');
    const pod = await lab.until(`${PODS}/there`, ({ status }) => status.podIP !== undefined);
    expect([pod.status.hostIP, pod.status.podIP]).toEqual(['192.168.49.11', '10.244.1.2']);
  });

  test('comes with the annotation and goes with it', async () => {
    lab = await NodeLab.start({ nodes: 0 });
    await make('mine', {});
    await lab.advance(1000);
    expect(addressOf(await lab.get(`${NODES}/mine`))).toBeUndefined();
    await lab.patch(`${NODES}/mine`, { metadata: { annotations: { [AGENT]: 'true' } } });
    await lab.until(`${NODES}/mine`, (node) => addressOf(node) === '192.168.49.10');
    await lab.advance(21_000, 500);
    const before = await renewedAt('mine');
    await lab.patch(`${NODES}/mine`, { metadata: { annotations: { [AGENT]: null } } });
    await lab.advance(30_000, 500);
    expect(await renewedAt('mine')).toBe(before);
    await lab.patch(`${NODES}/mine`, { metadata: { annotations: { [AGENT]: 'true' } } });
    await lab.advance(1000);
    expect(await renewedAt('mine')).not.toBe(before);
  });

  test('ends with its node; another node of the name is another', async () => {
    lab = await NodeLab.start({ nodes: 2 });
    await lab.delete(`${NODES}/node-2`);
    await lab.delete(leaseOf('node-2'));
    await lab.advance(21_000, 500);
    expect(await renewedAt('node-2')).toBeUndefined();
    await make('node-2');
    await lab.until(`${NODES}/node-2`, (node) => addressOf(node) === '192.168.49.12');
    expect((await lab.get(leaseOf('node-2'))).metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Node', name: 'node-2', uid: 'uid-node-2-2' },
    ]);
  });

  test('renews its lease every ten seconds, and goes on from what another wrote', async () => {
    lab = await NodeLab.start();
    await lab.advance(10_000);
    const { metadata, spec } = await lab.get(leaseOf('node-1'));
    expect(metadata.ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'uid-node-1' }]);
    expect(spec).toEqual({
      holderIdentity: 'node-1',
      leaseDurationSeconds: 40,
      renewTime: '2026-01-01T12:00:10.000000Z',
    });
    lab.asked.length = 0;
    await lab.advance(30_000, 500);
    const own = lab.asked.filter(({ path }) => path.startsWith(leaseOf('').slice(0, -1)));
    expect(own.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'PUT']);
    await lab.patch(leaseOf('node-1'), { metadata: { labels: { by: 'another' } } });
    await lab.advance(20_000, 500);
    expect(await lab.get(leaseOf('node-1'))).toMatchObject({
      metadata: { labels: { by: 'another' } },
      spec: { renewTime: '2026-01-01T12:01:00.000000Z' },
    });
    expect(lab.told).toContainEqual(
      expect.objectContaining({ topic: 'node', node: 'node-1', what: expect.stringContaining('Conflict') }),
    );
    expect(lab.told.every((event) => !('pod' in event))).toBe(true);
  });

  test('writes an unchanged status every five minutes', async () => {
    lab = await NodeLab.start();
    lab.server.writes.length = 0;
    await lab.advance(290_000, 5000);
    const reports = (): number => lab.server.writes.filter(({ path }) => path === 'nodes/node-1/status').length;
    expect(reports()).toBe(0);
    await lab.advance(20_000, 5000);
    expect(reports()).toBe(1);
    await lab.advance(300_000, 5000);
    expect(reports()).toBe(2);
    const { conditions } = (await lab.get(`${NODES}/node-1`)).status;
    const times = conditions.map((c: Loose) => [c.lastTransitionTime, c.lastHeartbeatTime]);
    expect(new Set(times.flat())).toEqual(new Set(['2026-01-01T12:00:00Z', '2026-01-01T12:10:00Z']));
  });

  test('is Ready again with its next report where somebody else said that it is not', async () => {
    lab = await NodeLab.start();
    const isReady = ({ status }: Loose): boolean =>
      status.conditions.some((c: Loose) => c.type === 'Ready' && c.status === 'True');
    const conditions = [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }];
    await lab.send(
      'PATCH',
      `${NODES}/node-1/status`,
      { status: { conditions } },
      'application/strategic-merge-patch+json',
    );
    expect(isReady(await lab.get(`${NODES}/node-1`))).toBe(false);
    await lab.until(`${NODES}/node-1`, isReady, 10_000);
  });
});

describe('a node that is made to be short of something', () => {
  const conditions = async (): Promise<Record<string, string>> => {
    const { status } = await lab.get(`${NODES}/node-1`);
    return Object.fromEntries(status.conditions.map((c: Loose) => [c.type, `${c.status} ${c.reason}: ${c.message}`]));
  };

  test('says so at once, each by its condition, and no longer when that ends', async () => {
    lab = await NodeLab.start({ naming: 'k8s.io' });
    await lab.advance(1500);
    await fault('node-1', 'pressure', ' memory, disk,pid');
    await lab.advance(100);
    const short = 'kubelet is short of resources';
    expect(await conditions()).toEqual({
      MemoryPressure: `True KubeletHasInsufficientMemory: ${short}`,
      DiskPressure: `True KubeletHasDiskPressure: ${short}`,
      PIDPressure: `True KubeletHasInsufficientPID: ${short}`,
      Ready: 'True KubeletReady: kubelet is posting ready status',
    });
    const { status } = await lab.get(`${NODES}/node-1`);
    const since = Object.fromEntries(status.conditions.map((c: Loose) => [c.type, c.lastTransitionTime]));
    expect(since).toEqual({
      ...{ MemoryPressure: '2026-01-01T12:00:01Z', DiskPressure: '2026-01-01T12:00:01Z' },
      ...{ PIDPressure: '2026-01-01T12:00:01Z', Ready: '2026-01-01T12:00:00Z' },
    });
    await fault('node-1', 'pressure', 'runtime');
    await lab.advance(100);
    expect(await conditions()).toMatchObject({
      MemoryPressure: expect.stringMatching(/^False/),
      Ready: 'False KubeletNotReady: container runtime is down',
    });
    await fault('node-1', 'pressure', null);
    await lab.advance(100);
    expect((await conditions())['Ready']).toMatch(/^True/);
  });

  test('writes its status for this, and not for what does not concern it', async () => {
    lab = await NodeLab.start();
    const reports = (): number => lab.server.writes.filter(({ path }) => path === 'nodes/node-1/status').length;
    const before = reports();
    await lab.patch(`${NODES}/node-1`, { metadata: { labels: { a: 'b' } } });
    await lab.patch(`${NODES}/node-1`, { spec: { unschedulable: true } });
    await lab.advance(15_000, 500);
    expect(reports()).toBe(before);
    await lab.patch(`${NODES}/node-1/status`, { status: { capacity: { 'example.com/gpu': '2' } } });
    await lab.advance(100);
    expect((await lab.get(`${NODES}/node-1`)).status.allocatable['example.com/gpu']).toBe('2');
    const written = lab.server.writes.filter(({ path }) => path === 'nodes/node-1/status').at(-1);
    expect(written?.body.metadata).toEqual({ uid: 'uid-node-1' });
    expect(Object.keys(written?.body.status ?? {}).sort()).toEqual([
      'addresses',
      'allocatable',
      'conditions',
      'nodeInfo',
    ]);
  });
});

describe('the ranges of nodes', () => {
  const POOL = { cidr: '10.7.0.0/23', mask: 24 };
  const reasons = (name: string): Promise<string[]> => lab.reasons('default', 'Node', name);

  test('run out: a node without one gets an event, and the range of the next node that is deleted', async () => {
    lab = await NodeLab.start({ nodes: 2, podRanges: POOL });
    for (const name of ['mine', 'yours']) await make(name);
    await lab.advance(1000);
    for (const name of ['mine', 'yours']) {
      expect(await reasons(name)).toEqual(['CIDRNotAvailable']);
      const [event] = await lab.eventsOf('default', 'Node', name);
      expect([event.message, event.source, event.count]).toEqual([
        `Node ${name} status is now: CIDRNotAvailable`,
        { component: 'cidrAllocator' },
        1,
      ]);
    }
    // What else happens to a node does not make it wait twice.
    await lab.patch(`${NODES}/mine`, { metadata: { labels: { a: 'b' } } });
    await lab.advance(1000);
    expect((await lab.eventsOf('default', 'Node', 'mine'))[0].count).toBe(1);
    await lab.delete(`${NODES}/node-1`);
    await lab.until(`${NODES}/mine`, ({ spec }) => spec.podCIDR === '10.7.0.0/24');
    expect((await lab.get(`${NODES}/yours`)).spec.podCIDR).toBeUndefined();
    await lab.delete(`${NODES}/mine`);
    await lab.until(`${NODES}/yours`, ({ spec }) => spec.podCIDR === '10.7.0.0/24');
  });

  test('go to no node that has gone or needs none any more', async () => {
    lab = await NodeLab.start({ nodes: 2, podRanges: POOL });
    for (const name of ['gone', 'plain', 'given', 'waits']) await make(name);
    await lab.advance(1000);
    await lab.delete(`${NODES}/gone`);
    await lab.patch(`${NODES}/plain`, { metadata: { annotations: { [AGENT]: null } } });
    await lab.patch(`${NODES}/given`, { spec: { podCIDR: '10.8.0.0/24' } });
    await lab.until(`${NODES}/given`, (node) => addressOf(node) !== undefined);
    await lab.delete(`${NODES}/node-2`);
    await lab.until(`${NODES}/waits`, ({ spec }) => spec.podCIDR === '10.7.1.0/24');
    expect((await lab.get(`${NODES}/plain`)).spec.podCIDR).toBeUndefined();
    expect((await lab.get(`${NODES}/given`)).spec.podCIDR).toBe('10.8.0.0/24');
  });

  test('come from a controller where there is no pool: the agent waits for it, and nothing is said', async () => {
    lab = await NodeLab.start({ nodes: 0, podRanges: undefined });
    await make('mine');
    await lab.advance(20_000, 500);
    expect([addressOf(await lab.get(`${NODES}/mine`)), await reasons('mine')]).toEqual([undefined, []]);
    await lab.patch(`${NODES}/mine`, { spec: { podCIDR: '10.8.3.0/24' } });
    await lab.until(`${NODES}/mine`, (node) => addressOf(node) !== undefined);
    await run('p', 'mine');
    const pod = await lab.until(`${PODS}/p`, ({ status }) => status.podIP !== undefined);
    expect(pod.status.podIP).toBe('10.8.3.2');
  });

  test.each([
    ['Invalid', 422, 1],
    ['Conflict', 409, 1],
    ['NotFound', 404, 1],
    ['InternalError', 500, 2],
  ])('are given up where the server answers %s (%i): asked %i times', async (reason, code, times) => {
    lab = await NodeLab.start({
      nodes: 0,
      before: ({ server }) => void server.refuse('PATCH', /^nodes\/mine$/, code, reason, 1),
    });
    await make('mine');
    await lab.advance(5000, 500);
    const writes = lab.server.writes.filter(({ method, path }) => method === 'PATCH' && path === 'nodes/mine');
    expect(writes).toHaveLength(times);
    expect(lab.told.map((event) => (event as Loose).what)).toEqual(
      times === 1 ? [] : [expect.stringContaining(reason)],
    );
  });
});

describe('a node that does not answer', () => {
  const TIMEOUT = 'dial tcp 192.168.49.11:10250: i/o timeout';
  test.each([['down'], ['split']])('because it is %s has no logs, no usage and no agent', async (kind) => {
    lab = await NodeLab.start({ nodes: 2 });
    const command = ['sh', '-c', 'echo said; sleep 1000'];
    await run('p', 'node-2', { image: 'busybox', command });
    await lab.until(`${PODS}/p`, (pod) => pod.status.phase === 'Running');
    expect(await lab.get(`${PODS}/p/log`)).toBe('said\n');
    expect(lab.nodes.usage().map(({ node }) => node)).toEqual(['node-1', 'node-2']);
    expect(await lab.get(`${NODES}/node-2/proxy/healthz`)).toBe('ok');
    await fault('node-2', kind, 'true');
    await lab.advance(1000);
    expect(await lab.get(`${PODS}/p/log`)).toMatchObject({
      code: 500,
      message: `Internal error occurred: Get "https://192.168.49.11:10250/containerLogs/default/p/c": ${TIMEOUT}`,
    });
    expect(lab.nodes.usage().map(({ node }) => node)).toEqual(['node-1']);
    await expect(lab.get(`${NODES}/node-2/proxy/healthz`)).rejects.toThrow(
      'dial tcp: no agent runs on node node-2: connect: connection refused',
    );
    const access = await lab.nodes.access();
    expect(access.isRunning(lab.server.get(pods, 'default/p'), 'c')).toBe(false);
    await fault('node-2', kind, null);
    await lab.until(`${PODS}/p`, (pod) => pod.status.phase === 'Running');
    await lab.advance(2000);
    expect(lab.nodes.usage().map(({ node }) => node)).toEqual(['node-1', 'node-2']);
  });

  test('runs no hook again when it is back, as its containers ran on', async () => {
    lab = await NodeLab.start();
    const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'echo begun >> /v/f'] } } };
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    await lab.create(PODS, {
      metadata: { name: 'p' },
      spec: {
        containers: [{ name: 'c', image: 'nginx', lifecycle, volumeMounts }],
        volumes: [{ name: 'v', hostPath: { path: '/srv/f' } }],
      },
    });
    await lab.until(`${PODS}/p`, ({ status }) => status.phase === 'Running');
    await lab.advance(500);
    await fault('node-1', 'down', 'true');
    await lab.advance(500);
    await fault('node-1', 'down', null);
    await lab.advance(2000);
    const access = await lab.nodes.access();
    expect(access.files(lab.server.get(pods, 'default/p'), 'c').text('/v/f')).toBe('begun\n');
    expect(await lab.reasons('default', 'Pod', 'p')).toEqual(['Pulling', 'Pulled', 'Created', 'Started']);
  });

  test('is named by its address where a pod has none yet', async () => {
    lab = await NodeLab.start();
    await fault('node-1', 'down', 'true');
    await lab.advance(500);
    await run('p', 'node-1');
    expect((await lab.get(`${PODS}/p/log`)).message).toContain('Get "https://node-1:10250/containerLogs/default/p/c"');
  });

  test('loses its agent with the annotation while it is cut off, too', async () => {
    lab = await NodeLab.start();
    await fault('node-1', 'split', 'true');
    await lab.advance(1000);
    await lab.patch(`${NODES}/node-1`, { metadata: { annotations: { [AGENT]: null } } });
    await lab.advance(1000);
    const before = await renewedAt('node-1');
    await fault('node-1', 'split', null);
    await lab.advance(21_000, 500);
    expect(await renewedAt('node-1')).toBe(before);
  });

  test('sees nothing of what is said of its node while it is cut off', async () => {
    lab = await NodeLab.start();
    await run('p', 'node-1');
    await lab.until(`${PODS}/p`, ({ status }) => status.phase === 'Running');
    await fault('node-1', 'split', 'true');
    await lab.advance(1000);
    await fault('node-1', 'pressure', 'memory');
    await lab.advance(30_000, 500);
    await fault('node-1', 'pressure', null);
    await fault('node-1', 'split', null);
    await lab.advance(30_000, 500);
    expect((await lab.get(`${PODS}/p`)).status.phase).toBe('Running');
    await fault('node-1', 'pressure', 'memory');
    await lab.until(`${PODS}/p`, ({ status }) => status.phase === 'Failed');
  });

  test('is another where its name comes again, and no longer cut off', async () => {
    lab = await NodeLab.start();
    await fault('node-1', 'split', 'true');
    await lab.advance(1000);
    await lab.delete(`${NODES}/node-1`);
    await lab.advance(1000);
    const before = await renewedAt('node-1');
    await make('node-1');
    await lab.until(leaseOf('node-1'), ({ spec }) => spec.renewTime !== before, 30_000);
  });
});

test('nothing is known of a pod that has no node, or whose node has no agent', async () => {
  lab = await NodeLab.start();
  await run('p', 'node-1');
  await lab.until(`${PODS}/p`, (pod) => pod.status.phase === 'Running');
  const pod = lab.server.get(pods, 'default/p');
  const access = await lab.nodes.access();
  const elsewhere = { ...pod, spec: { ...pod.spec, nodeName: 'none' } };
  const nowhere = { ...pod, spec: { ...pod.spec, nodeName: undefined } };
  for (const other of [elsewhere, nowhere]) {
    expect(access.isRunning(other, 'c')).toBe(false);
    const log = await lab.nodes.containerLogs(other, 'c', {}, new AbortController().signal);
    expect(await log.text()).toBe('');
    await expect(access.connect(other, 80)).rejects.toThrow('pod p has no address');
  }
  expect(access.isRunning(pod, 'c')).toBe(true);
});

test('when all nodes stop nothing more is written', async () => {
  lab = await NodeLab.start({ nodes: 2 });
  await run('p', 'node-1');
  await lab.until(`${PODS}/p`, (pod) => pod.status.phase === 'Running');
  await lab.stop();
  lab.asked.length = 0;
  await make('late');
  await lab.patch(`${NODES}/node-1`, { metadata: { annotations: { 'simulation.vitrine.dev/pressure': 'disk' } } });
  await lab.advance(30_000, 500);
  expect(lab.asked).toEqual([]);
});
