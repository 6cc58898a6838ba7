import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namesOf } from '../../src/names/index.ts';
import { demandOf, rejectionOf } from '../../src/node/pod/admission.ts';
import { victimsFor } from '../../src/node/pod/preempting.ts';
import { firstToEvict, evictionMessage, type Candidate } from '../../src/node/eviction.ts';
import { NodeLab, type Loose } from './lab.ts';

const names = namesOf('k8s.io');
const node = (more: Loose = {}, labels: Loose = {}): Loose => ({
  metadata: { name: 'n', labels },
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '3', 'example.com/gpu': '2' }, ...more },
});
const pod = (container: Loose = {}, spec: Loose = {}): Loose => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', ...container }], ...spec },
});
const asks = (requests: Loose, spec: Loose = {}): Loose => pod({ resources: { requests } }, spec);
const port = (hostPort: number, hostIP?: string, protocol = 'TCP'): Loose =>
  pod({ ports: [{ containerPort: 80, hostPort, hostIP, protocol }] });
const pressed = (...types: string[]): Loose => node({ conditions: types.map((type) => ({ type, status: 'True' })) });
const short = (name: string, requested: number, used: number, capacity: number): string =>
  `OutOf${name}: Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;

describe('17: whether a node takes a pod', () => {
  test.each<[string, Loose, Loose, Loose[], string | undefined]>([
    ['what fits', asks({ cpu: '4' }), node(), [], undefined],
    ['too much CPU', asks({ cpu: '2500m' }), node(), [asks({ cpu: '2' })], short('cpu', 2500, 2000, 4000)],
    ['too much memory', asks({ memory: '9Gi' }), node(), [], short('memory', 9 * 2 ** 30, 0, 8 * 2 ** 30)],
    ['too many pods', pod(), node(), [pod(), pod(), pod()], short('pods', 1, 3, 3)],
    [
      'too much of an extended resource',
      asks({ 'example.com/gpu': '3' }),
      node(),
      [],
      short('example.com/gpu', 3, 0, 2),
    ],
    ['an extended resource that the node does not know', asks({ 'example.com/other': '3' }), node(), [], undefined],
    [
      'the largest init container counts',
      pod({}, { initContainers: [{ name: 'i', resources: { requests: { cpu: '5' } } }] }),
      node(),
      [],
      short('cpu', 5000, 0, 4000),
    ],
    ['overhead counts', asks({ cpu: '4' }, { overhead: { cpu: '1m' } }), node(), [], short('cpu', 4001, 0, 4000)],
    [
      'another node is selected',
      pod({}, { nodeSelector: { a: 'b' } }),
      node(),
      [],
      'NodeAffinity: Predicate NodeAffinity failed',
    ],
    ['this node is selected', pod({}, { nodeSelector: { a: 'b' } }), node({}, { a: 'b' }), [], undefined],
    ['an affinity that asks nothing of nodes', pod({}, { affinity: {} }), node(), [], undefined],
    [
      'an affinity that only prefers',
      pod({}, { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } }),
      node(),
      [],
      undefined,
    ],
    ...(['a', 'b'] as const).map((value): [string, Loose, Loose, Loose[], string | undefined] => [
      `an affinity for nodes with ${value}`,
      pod(
        {},
        {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'In', values: [value] }] }],
              },
            },
          },
        },
      ),
      node({}, { k: 'a' }),
      [],
      value === 'a' ? undefined : 'NodeAffinity: Predicate NodeAffinity failed',
    ]),
    ['a port that is taken', port(80), node(), [port(80)], 'NodePorts: Predicate NodePorts failed'],
    ['a port of another address', port(80, '10.0.0.1'), node(), [port(80, '10.0.0.2')], undefined],
    ['a port of every address', port(80), node(), [port(80, '10.0.0.2')], 'NodePorts: Predicate NodePorts failed'],
    ['a port of another protocol', port(80, undefined, 'UDP'), node(), [port(80)], undefined],
    ['resources come before ports', asks({ cpu: '5' }), node(), [port(80)], short('cpu', 5000, 0, 4000)],
    [
      'memory pressure, asks for nothing',
      pod(),
      pressed('MemoryPressure'),
      [],
      'Evicted: The node had condition: [MemoryPressure]. ',
    ],
    ['memory pressure, asks for some', asks({ memory: '1Mi' }), pressed('MemoryPressure'), [], undefined],
    [
      'disk pressure',
      asks({ memory: '1Mi' }),
      pressed('DiskPressure'),
      [],
      'Evicted: The node had condition: [DiskPressure]. ',
    ],
    [
      'memory and disk pressure',
      asks({ memory: '1Mi' }),
      pressed('MemoryPressure', 'DiskPressure'),
      [],
      'Evicted: The node had condition: [MemoryPressure DiskPressure]. ',
    ],
    ['disk pressure, critical', asks({}, { priority: 2_000_000_000 }), pressed('DiskPressure'), [], undefined],
    [
      'memory pressure, tolerated',
      pod({}, { tolerations: [{ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists' }] }),
      pressed('MemoryPressure'),
      [],
      undefined,
    ],
    [
      'a kernel parameter of the whole node',
      pod({}, { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
      node(),
      [],
      'SysctlForbidden: forbidden sysctl: "kernel.msgmax" not whitelisted',
    ],
    [
      'a safe kernel parameter',
      pod({}, { securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] } }),
      node(),
      [],
      undefined,
    ],
  ])('%s', (_, wanted, on, others, expected) => {
    const rejection = rejectionOf(wanted, { node: on, others: others.map(demandOf), names });
    expect(rejection && `${rejection.reason}: ${rejection.message}`).toBe(expected);
  });
});

describe('24: whom a critical pod puts off the node', () => {
  const CRITICAL = 2_000_000_000;
  const named = (name: string, cpu: string, limit?: string, priority = 0): Loose => ({
    metadata: { name },
    spec: {
      ...{ priority },
      containers: [
        {
          name: 'c',
          resources: { requests: { cpu, memory: '1' }, ...(limit && { limits: { cpu: limit, memory: '1' } }) },
        },
      ],
    },
  });
  const [free, one, two] = [pod({}, {}), named('one', '1'), named('two', '2')];
  test.each<[string, number, Loose[], string[] | undefined]>([
    ['nobody can make up for it', 2000, [one], undefined],
    ['one that asks for enough', 1500, [one, two], ['two']],
    ['the one that asks for least among those', 500, [two, one], ['one']],
    ['as many as it takes', 3000, [one, two], ['two', 'one']],
    ['nobody who asks for nothing of it', 500, [free, one], ['one']],
    ['burstable before guaranteed pods', 1000, [named('guaranteed', '1', '1'), two], ['two']],
    ['guaranteed pods for what is left', 2500, [named('guaranteed', '1', '1'), two], ['guaranteed', 'two']],
    ['no critical one of the same priority', 500, [named('critical', '1', undefined, CRITICAL)], undefined],
  ])('%s', (_, lack, running, expected) => {
    const critical = pod({}, { priority: CRITICAL });
    const victims = victimsFor(critical, new Map([['cpu', lack]]), running);
    expect(victims?.map(({ metadata }) => metadata.name)).toEqual(expected);
  });
});

describe('20: who is evicted first', () => {
  const candidate = (name: string, memory: number, request: string, priority = 0): Candidate => ({
    pod: { metadata: { name }, spec: asks({ memory: request }, { priority }).spec } as Loose,
    memory: new Map([['c', memory]]),
    disk: new Map(),
  });
  test.each<[string, Candidate[], string | undefined]>([
    ['those that exceed their request', [candidate('a', 10, '20', -1), candidate('b', 30, '20')], 'b'],
    ['then lower priority', [candidate('a', 99, '20', 5), candidate('b', 30, '20', 1)], 'b'],
    ['then who exceeds it most', [candidate('a', 30, '20'), candidate('b', 40, '20')], 'b'],
    ['never a critical one', [candidate('a', 99, '0', 2_000_000_000)], undefined],
  ])('%s', (_, candidates, expected) => {
    expect(firstToEvict('memory', candidates)?.pod.metadata.name).toBe(expected);
  });

  test('the message names containers that use more than they asked for', () => {
    expect(evictionMessage('memory', candidate('a', 3 * 2 ** 20, '1Mi'))).toBe(
      'The node was low on resource: memory. Container c was using 3Mi, which exceeds its request of 1Mi. ',
    );
    expect(evictionMessage('pids', candidate('a', 3, '1'))).toBe('The node was low on resource: pids. ');
  });
});

describe('on a node', () => {
  const PODS = '/api/v1/namespaces/default/pods';
  const NODE = '/api/v1/nodes/node-1';
  let lab: NodeLab;
  beforeAll(async () => {
    lab = await NodeLab.start({ nodes: 1 });
  });
  afterAll(() => lab.stop());

  const create = (name: string, container: Loose = {}, spec: Loose = {}): Promise<Loose> =>
    lab.create(PODS, {
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'nginx', ...container }], ...spec },
    });
  const status = (p: Loose): Loose => p.status.containerStatuses?.[0] ?? {};
  const isRunning = (p: Loose): boolean => status(p).state?.running !== undefined;
  const annotate = (path: string, key: string, value: string | null): Promise<Loose> =>
    lab.patch(path, { metadata: { annotations: { [`simulation.vitrine.dev/${key}`]: value } } });

  test('17: a pod that the node does not take has failed, and nothing more is said of it', async () => {
    await create('greedy', { resources: { requests: { cpu: '5' } } }, { nodeName: 'node-1' });
    const { status: told } = await lab.until(`${PODS}/greedy`, (p) => p.status.phase === 'Failed');
    const message = "Node didn't have enough resource: cpu, requested: 5000, used: 0, capacity: 4000";
    expect(told).toEqual({ phase: 'Failed', reason: 'OutOfcpu', message: `Pod ${message}`, startTime: told.startTime });
    const events = await lab.items('/api/v1/namespaces/default/events');
    expect(events.find((e) => e.reason === 'OutOfcpu')).toMatchObject({ type: 'Warning', message });
    await lab.delete(`${PODS}/greedy`);
    await lab.gone(`${PODS}/greedy`);
  });

  test('24: a critical pod takes the place of another, but never that of one as critical', async () => {
    const most = { resources: { requests: { cpu: '3' } } };
    await create('usual', most, { nodeName: 'node-1' });
    await lab.until(`${PODS}/usual`, isRunning);
    const critical = { nodeName: 'node-1', priority: 2_000_001_000 };
    await create('vital', most, critical);
    const { status: told } = await lab.until(`${PODS}/usual`, (p) => p.status.phase === 'Failed');
    expect(told).toMatchObject({ reason: 'Preempting', message: 'Preempted in order to admit critical pod' });
    await lab.until(`${PODS}/vital`, isRunning);
    await create('as-vital', most, critical);
    await lab.until(`${PODS}/as-vital`, (p) => p.status.reason === 'OutOfcpu');
    for (const name of ['usual', 'vital', 'as-vital']) {
      await lab.delete(`${PODS}/${name}`);
      await lab.gone(`${PODS}/${name}`);
    }
  });

  test('17: a port is free again when its pod is gone', async () => {
    const ports = [{ containerPort: 80, hostPort: 8080 }];
    await create('first', { ports }, { nodeName: 'node-1' });
    await lab.until(`${PODS}/first`, isRunning);
    await create('second', { ports }, { nodeName: 'node-1' });
    await lab.until(`${PODS}/second`, (p) => p.status.reason === 'NodePorts');
    await lab.delete(`${PODS}/first`);
    await lab.gone(`${PODS}/first`);
    await create('third', { ports }, { nodeName: 'node-1' });
    await lab.until(`${PODS}/third`, isRunning);
  });

  test('18: another image restarts a container at once, whatever the policy', async () => {
    await create('change', {}, { restartPolicy: 'Never' });
    await lab.until(`${PODS}/change`, isRunning);
    await lab.send(
      'PATCH',
      `${PODS}/change`,
      { spec: { containers: [{ name: 'c', image: 'httpd' }] } },
      'application/strategic-merge-patch+json',
    );
    const changed = await lab.until(`${PODS}/change`, (p) => status(p).restartCount === 1 && isRunning(p));
    expect(status(changed)).toMatchObject({ image: 'httpd', lastState: { terminated: { exitCode: 0 } } });
    expect(await lab.get(`${PODS}/change/log`)).toContain('httpd');
    expect(await lab.reasons('default', 'Pod', 'change')).toContain('Killing');
  });

  test('18: an image that can not be had is replaced by one that can', async () => {
    await create('typo', { image: 'nginx:does-not-exist' });
    await lab.until(`${PODS}/typo`, (p) => status(p).state?.waiting?.reason === 'ImagePullBackOff');
    await lab.send(
      'PATCH',
      `${PODS}/typo`,
      { spec: { containers: [{ name: 'c', image: 'nginx' }] } },
      'application/strategic-merge-patch+json',
    );
    await lab.until(`${PODS}/typo`, isRunning, 5000);
  });

  test('19: a deadline that is set while the pod runs ends it', async () => {
    await create('deadline', {}, { terminationGracePeriodSeconds: 1 });
    await lab.until(`${PODS}/deadline`, isRunning);
    await lab.patch(`${PODS}/deadline`, { spec: { activeDeadlineSeconds: 5 } });
    const late = await lab.until(`${PODS}/deadline`, (p) => p.status.phase === 'Failed', 10_000);
    expect(late.status.reason).toBe('DeadlineExceeded');
  });

  test('6: a second deletion shortens the grace', async () => {
    await create('slow', { image: 'busybox', command: ['sh', '-c', 'trap "" TERM; while sleep 1; do :; done'] });
    await lab.until(`${PODS}/slow`, isRunning);
    await lab.delete(`${PODS}/slow`, { gracePeriodSeconds: 100 });
    await lab.advance(2000);
    await lab.delete(`${PODS}/slow`, { gracePeriodSeconds: 3 });
    await lab.advance(1500);
    expect((await lab.get(`${PODS}/slow`)).metadata.deletionTimestamp).toBeDefined();
    await lab.until(`${PODS}/slow`, (p) => p.code === 404, 5000);
    const said = (await lab.eventsOf('default', 'Pod', 'slow')).filter(({ reason }) => reason === 'Killing');
    expect(said.map(({ count }) => count)).toEqual([1]);
  });

  test('20: a node under pressure evicts one pod after the other, and takes up no more', async () => {
    for (const p of await lab.items(PODS)) await lab.delete(`${PODS}/${p.metadata.name}`, { gracePeriodSeconds: 0 });
    await create('modest', { resources: { requests: { memory: '1Gi' } } });
    await create('careless');
    for (const name of ['modest', 'careless']) await lab.until(`${PODS}/${name}`, isRunning);
    await annotate(NODE, 'pressure', 'memory');
    const { status: told } = await lab.until(`${PODS}/careless`, (p) => p.status.phase === 'Failed', 20_000);
    expect(told.reason).toBe('Evicted');
    expect(told.message).toMatch(
      /^The node was low on resource: memory\. Container c was using \d+\w*, which exceeds its request of 0\. $/,
    );
    expect(isRunning(await lab.get(`${PODS}/modest`))).toBe(true);
    const [said] = (await lab.eventsOf('default', 'Pod', 'careless')).filter(({ reason }) => reason === 'Evicted');
    expect([said.type, said.message]).toEqual(['Warning', told.message]);
    const about = await lab.eventsOf('default', 'Node', 'node-1');
    expect(about.map(({ type, reason, message }) => `${type} ${reason}: ${message}`)).toContain(
      'Warning EvictionThresholdMet: Attempting to reclaim memory',
    );
    await lab.until(`${PODS}/modest`, (p) => p.status.reason === 'Evicted', 20_000);
    await annotate(NODE, 'pressure', 'disk');
    await lab.until(NODE, (n) =>
      n.status.conditions.some((c: Loose) => c.type === 'DiskPressure' && c.status === 'True'),
    );
    await create('late', {}, { nodeName: 'node-1' });
    const { status: late } = await lab.until(`${PODS}/late`, (p) => p.status.phase === 'Failed');
    expect(late).toMatchObject({ reason: 'Evicted', message: 'Pod The node had condition: [DiskPressure]. ' });
    await annotate(NODE, 'pressure', null);
  });

  test('20: pods that leave the node too little memory bring pressure about, and it ends with them', async () => {
    const condition =
      (is: string) =>
      (n: Loose): boolean =>
        n.status.conditions.some((c: Loose) => c.type === 'MemoryPressure' && c.status === is);
    await lab.until(NODE, condition('False'), 20_000);
    const args = ['--vm', '1', '--vm-bytes', '8000M', '--vm-hang', '1'];
    await create('hog', { image: 'polinux/stress', command: ['stress'], args }, { nodeName: 'node-1' });
    await lab.until(`${PODS}/hog`, (p) => p.status.reason === 'Evicted', 30_000);
    await lab.until(NODE, condition('False'), 30_000);
  });

  test('20: an emptyDir that has outgrown its limit costs the pod its place', async () => {
    const command = ['sh', '-c', 'dd if=/dev/zero of=/v/f bs=1M count=3; sleep 3600'];
    const volumes = [{ name: 'v', emptyDir: { sizeLimit: '2Mi' } }];
    await create(
      'hoarder',
      { image: 'busybox', command, volumeMounts: [{ name: 'v', mountPath: '/v' }] },
      { volumes, nodeName: 'node-1' },
    );
    const { status: told } = await lab.until(`${PODS}/hoarder`, (p) => p.status.phase === 'Failed', 30_000);
    expect(told.message).toBe('Usage of EmptyDir volume "v" exceeds the limit "2Mi". ');
  });

  test('21: extended resources in the capacity are allocatable, and no longer when they are taken away', async () => {
    await lab.patch(`${NODE}/status`, { status: { capacity: { 'example.com/gpu': '5' } } });
    await lab.until(NODE, (n) => n.status.allocatable['example.com/gpu'] === '5', 2000);
    await lab.patch(`${NODE}/status`, { status: { capacity: { 'example.com/gpu': null } } });
    await lab.until(NODE, (n) => n.status.allocatable['example.com/gpu'] === undefined, 2000);
    await lab.advance(25_000, 500);
    expect((await lab.get(NODE)).status.capacity['example.com/gpu']).toBeUndefined();
  });
});
