/** What the running scheduler writes, and what wakes pods that wait. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  csiNodes,
  nodes,
  persistentVolumeClaims as claims,
  persistentVolumes as volumes,
  podDisruptionBudgets,
  pods,
  replicaSets,
  replicationControllers,
  services,
  statefulSets,
  storageClasses,
} from '../../src/client/index.ts';
import type { Loose } from '../client/smallServer.ts';
import { SchedulerLab, waiting } from './lab.ts';
import { pod } from './objects.ts';

let lab: SchedulerLab;
beforeEach(() => {
  lab = new SchedulerLab();
});
afterEach(() => lab.stop());

const put = (...all: Loose[]): void => all.forEach((each) => void lab.server.put(pods, waiting(each)));
const asking = (name: string, cpu: string, more: Loose = {}): Loose => pod(name, { requests: { cpu }, ...more });
const big = (name = 'p', more: Loose = {}): Loose => asking(name, '99', more);
const placed = (name: string, nodeName: string, more: Loose = {}): Loose =>
  pod(name, { ...more, spec: { nodeName, ...more.spec }, status: { phase: 'Running', ...more.status } });
const live = (name: string): Loose => lab.server.get(pods, `ns/${name}`);
const queueOf = (): Loose =>
  lab.trace
    .filter((event: Loose) => event.what === 'moved' || event.what === 'backoff')
    .map((event: Loose) => event.why);
const valueOf = (name: string, labels: Record<string, string> = {}): number | undefined => {
  const lines = lab.metrics
    .text()
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const found = lines.find((line) =>
    Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`)),
  );
  return found === undefined ? undefined : Number(found.split(' ').at(-1));
};

describe('a pod that fits', () => {
  test('is bound, and that is told', async () => {
    lab.addNode('n');
    put(asking('p', '1'));
    await lab.start();
    expect(await lab.writes()).toEqual([
      {
        ...{ method: 'POST', path: 'namespaces/ns/pods/p/binding' },
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'p', namespace: 'ns', uid: 'uid-p' },
          target: { apiVersion: 'v1', kind: 'Node', name: 'n' },
        },
      },
    ]);
    expect(await lab.events()).toEqual(['p: Normal Scheduled Successfully assigned ns/p to n']);
    expect(lab.trace.map((event: Loose) => [event.what, event.pod, event.node])).toEqual([
      ['queued', 'ns/p', undefined],
      ['popped', 'ns/p', undefined],
      ['filtered', 'ns/p', undefined],
      ['bound', 'ns/p', 'n'],
    ]);
    expect(valueOf('scheduler_schedule_attempts_total', { result: 'scheduled', profile: 'default-scheduler' })).toBe(1);
    expect(valueOf('scheduler_pod_scheduling_attempts_count')).toBe(1);
    expect(valueOf('scheduler_pod_scheduling_duration_seconds_count', { attempts: '1' })).toBe(1);
    expect(valueOf('scheduler_scheduling_algorithm_duration_seconds_count')).toBe(1);
    expect(valueOf('scheduler_binding_duration_seconds_count')).toBe(1);
    expect(valueOf('scheduler_e2e_scheduling_duration_seconds_count', { result: 'scheduled' })).toBe(1);
    expect(valueOf('scheduler_queue_incoming_pods_total', { queue: 'active', event: 'PodAdd' })).toBe(1);
    expect(valueOf('scheduler_scheduler_cache_size', { type: 'assumed_pods' })).toBe(1);
    expect(valueOf('scheduler_scheduler_cache_size', { type: 'nodes' })).toBe(1);
    expect(valueOf('scheduler_pending_pods', { queue: 'active' })).toBe(0);
  });

  test('takes its room at once, before the binding is seen', async () => {
    lab.addNode('n');
    put(asking('p', '3'), asking('q', '3'));
    await lab.start();
    expect(await lab.bindings()).toEqual(['p: n']);
    lab.server.change(pods, 'ns/p', { spec: { nodeName: 'n' } });
    await lab.settle();
    expect(valueOf('scheduler_scheduler_cache_size', { type: 'assumed_pods' })).toBe(0);
  });

  test('goes to the node with the better score, and the scores are traced', async () => {
    lab.addNode('small');
    lab.addNode('large', { allocatable: { cpu: '16', memory: '32Gi' } });
    put(asking('p', '2'));
    await lab.start();
    expect(await lab.bindings()).toEqual(['p: large']);
    const scored: Loose = lab.trace.find((event: Loose) => event.what === 'scored');
    expect(scored.nodes.map(({ node, scores }: Loose) => [node, scores.NodeResourcesLeastAllocated])).toEqual([
      ['small', 73],
      ['large', 93],
    ]);
    expect(
      scored.nodes.every(({ total, scores }: Loose) => total === Object.values<number>(scores).reduce((a, b) => a + b)),
    ).toBe(true);
  });

  test('loses its room where the binding is refused, and is tried again', async () => {
    lab.addNode('n');
    put(asking('p', '3'));
    lab.server.refuse('POST', /binding/, 500, 'InternalError', 1);
    await lab.start();
    expect(await lab.events()).toEqual(['p: Warning FailedScheduling binding rejected: InternalError']);
    expect(live('p').status.conditions).toMatchObject([
      { type: 'PodScheduled', status: 'False', reason: 'SchedulerError', message: 'binding rejected: InternalError' },
    ]);
    expect(valueOf('scheduler_schedule_attempts_total', { result: 'error' })).toBe(1);
    expect(valueOf('scheduler_scheduler_cache_size', { type: 'assumed_pods' })).toBe(0);
    await lab.writes();
    await lab.pass(61);
    await lab.pass(30);
    expect(await lab.bindings()).toEqual(['p: n']);
    expect(valueOf('scheduler_pod_scheduling_duration_seconds_count', { attempts: '2' })).toBe(1);
  });
});

describe("a pod that is not this scheduler's", () => {
  test.each<[string, pod: Loose]>([
    ['names another scheduler', waiting(asking('p', '1'), 'another')],
    ['has a node', waiting(placed('p', 'n'))],
    ['has ended', waiting({ ...asking('p', '1'), status: { phase: 'Failed' } })],
  ])('because it %s is left alone', async (_, given) => {
    lab.addNode('n');
    lab.server.put(pods, given);
    await lab.start();
    expect([await lab.writes(), await lab.events()]).toEqual([[], []]);
  });

  test('because it is being deleted is only reported', async () => {
    lab.addNode('n');
    put({ ...asking('p', '1'), metadata: { ...asking('p', '1').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    await lab.start();
    expect([await lab.writes(), await lab.events()]).toEqual([
      [],
      ['p: Warning FailedScheduling skip schedule deleting pod: ns/p'],
    ]);
  });
});

describe('a pod that fits nowhere', () => {
  const condition = (message: string): Loose => ({
    ...{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastProbeTime: null },
    lastTransitionTime: '2026-01-01T12:00:00Z',
  });

  test('gets the reason, once', async () => {
    lab.addNode('n');
    put(big());
    await lab.start();
    const message = '0/1 nodes are available: 1 Insufficient cpu.';
    expect(await lab.writes()).toEqual([
      { method: 'PATCH', path: 'namespaces/ns/pods/p/status', body: { status: { conditions: [condition(message)] } } },
    ]);
    expect(await lab.events()).toEqual([`p: Warning FailedScheduling ${message}`]);
    expect(valueOf('scheduler_schedule_attempts_total', { result: 'unschedulable' })).toBe(1);
    expect(valueOf('scheduler_pending_pods', { queue: 'unschedulable' })).toBe(1);
    await lab.pass(91);
    expect(await lab.writes()).toEqual([]);
    expect(valueOf('scheduler_schedule_attempts_total', { result: 'unschedulable' })).toBe(2);
    expect(valueOf('scheduler_queue_incoming_pods_total', { event: 'UnschedulableTimeout' })).toBe(1);
  });

  test('keeps the time of its condition while the reason changes', async () => {
    put(big());
    await lab.start();
    expect(live('p').status.conditions).toMatchObject([{ message: 'no nodes available to schedule pods' }]);
    await lab.pass(5);
    lab.addNode('n');
    await lab.settle();
    const [only, ...others] = live('p').status.conditions;
    expect([only.message, only.lastTransitionTime, others]).toEqual([
      '0/1 nodes are available: 1 Insufficient cpu.',
      '2026-01-01T12:00:00Z',
      [],
    ]);
  });

  test('goes on when its status can not be written', async () => {
    lab.addNode('n');
    put(big());
    lab.server.refuse('PATCH', /status/, 500, 'InternalError');
    await lab.start();
    expect(await lab.events()).toHaveLength(1);
  });

  test('is forgotten when it is deleted', async () => {
    lab.addNode('n');
    put(big());
    await lab.start();
    lab.server.remove(pods, 'ns/p');
    await lab.settle();
    expect(valueOf('scheduler_pending_pods', { queue: 'unschedulable' })).toBe(0);
  });

  test('is forgotten when it ends', async () => {
    lab.addNode('n');
    put(big());
    await lab.start();
    lab.server.change(pods, 'ns/p', { status: { phase: 'Failed' } });
    await lab.settle();
    expect(valueOf('scheduler_pending_pods', { queue: 'unschedulable' })).toBe(0);
  });

  test('is tried again when it asks for less', async () => {
    lab.addNode('n');
    put(big());
    await lab.start();
    await lab.writes();
    lab.server.change(pods, 'ns/p', { spec: { containers: [{ name: 'c' }] } });
    expect(await lab.bindings()).toEqual(['p: n']);
  });
});

describe('what wakes a pod that waits', () => {
  beforeEach(async () => {
    lab.addNode('n');
    put(placed('there', 'n', { labels: { app: 'db' } }), placed('over', 'n', { status: { phase: 'Succeeded' } }));
    put(big());
    await lab.start();
    await lab.pass(2);
    lab.trace.splice(0);
  });
  const changeNode = (change: Loose): void => void lab.server.change(nodes, 'n', change);
  test.each<[string, change: () => void, why: string | undefined, event?: string]>([
    ['a new node', () => void lab.addNode('m'), 'node m was added', 'NodeAdd'],
    [
      'more room on a node',
      () => changeNode({ status: { allocatable: { cpu: '5' } } }),
      'node n was changed',
      'NodeAllocatableChange',
    ],
    [
      'a label of a node',
      () => changeNode({ metadata: { labels: { x: 'y' } } }),
      'node n was changed',
      'NodeLabelChange',
    ],
    [
      'a taint of a node',
      () => changeNode({ spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }),
      'node n was changed',
      'NodeTaintChange',
    ],
    [
      'a condition of a node',
      () => changeNode({ status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
      'node n was changed',
      'NodeConditionChange',
    ],
    ['only a heartbeat of a node', () => changeNode({ metadata: { annotations: { x: 'y' } } }), undefined],
    ['a cordoned node', () => changeNode({ spec: { unschedulable: true } }), undefined],
    ['a deleted node', () => lab.server.remove(nodes, 'n'), undefined],
    [
      'a new volume',
      () => void lab.server.put(volumes, { metadata: { name: 'v' }, spec: {}, status: {} }),
      'a volume was added',
      'PvAdd',
    ],
    [
      'a new claim',
      () => void lab.server.put(claims, { metadata: { name: 'c', namespace: 'ns' }, spec: {}, status: {} }),
      'a claim was added',
      'PvcAdd',
    ],
    [
      'a class that binds late',
      () => void lab.server.put(storageClasses, { metadata: { name: 's' }, volumeBindingMode: 'WaitForFirstConsumer' }),
      'storage class s was added',
      'StorageClassAdd',
    ],
    [
      'a class that binds at once',
      () => void lab.server.put(storageClasses, { metadata: { name: 's' }, volumeBindingMode: 'Immediate' }),
      undefined,
    ],
    [
      'a storage driver',
      () => void lab.server.put(csiNodes, { metadata: { name: 'n' }, spec: { drivers: [] } }),
      'a storage driver was added',
      'CSINodeAdd',
    ],
    [
      'a service',
      () => void lab.server.put(services, { metadata: { name: 's', namespace: 'ns' }, spec: {}, status: {} }),
      'a service was changed',
      'ServiceAdd',
    ],
    ['a deleted pod', () => lab.server.remove(pods, 'ns/there'), 'pod ns/there left n', 'AssignedPodDelete'],
    [
      'a pod that ends',
      () => void lab.server.change(pods, 'ns/there', { status: { phase: 'Failed' } }),
      'pod ns/there left n',
      'AssignedPodDelete',
    ],
    ['a deleted pod that had ended', () => lab.server.remove(pods, 'ns/over'), undefined],
    ['a pod with which it does not want to be', () => put(placed('new', 'n')), undefined],
  ])('is %s', async (_, change, why, event) => {
    change();
    await lab.settle();
    expect(queueOf()).toEqual(why === undefined ? [] : [why]);
    if (event !== undefined) expect(valueOf('scheduler_queue_incoming_pods_total', { event })).toBe(1);
  });

  test.each<[string, prepare: () => void, change: () => void, why: string, event: string]>([
    [
      'a node that is no longer cordoned',
      () => changeNode({ spec: { unschedulable: true } }),
      () => changeNode({ spec: { unschedulable: false } }),
      'node n was changed',
      'NodeSpecUnschedulableChange',
    ],
    [
      'a changed volume',
      () => void lab.server.put(volumes, { metadata: { name: 'v' }, spec: {}, status: {} }),
      () => void lab.server.change(volumes, 'v', { spec: { x: 'y' } }),
      'a volume was changed',
      'PvUpdate',
    ],
    [
      'a changed claim',
      () => void lab.server.put(claims, { metadata: { name: 'c', namespace: 'ns' }, spec: {}, status: {} }),
      () => void lab.server.change(claims, 'ns/c', { spec: { x: 'y' } }),
      'a claim was changed',
      'PvcUpdate',
    ],
    [
      'a changed storage driver',
      () => void lab.server.put(csiNodes, { metadata: { name: 'n' }, spec: { drivers: [] } }),
      () => void lab.server.change(csiNodes, 'n', { spec: { x: 'y' } }),
      'a storage driver was changed',
      'CSINodeUpdate',
    ],
    [
      'a changed service',
      () => void lab.server.put(services, { metadata: { name: 's', namespace: 'ns' }, spec: {}, status: {} }),
      () => void lab.server.change(services, 'ns/s', { spec: { x: 'y' } }),
      'a service was changed',
      'ServiceUpdate',
    ],
    [
      'a deleted service',
      () => void lab.server.put(services, { metadata: { name: 's', namespace: 'ns' }, spec: {}, status: {} }),
      () => lab.server.remove(services, 'ns/s'),
      'a service was changed',
      'ServiceDelete',
    ],
  ])('is %s', async (_, prepare, change, why, event) => {
    prepare();
    await lab.pass(5);
    lab.trace.splice(0);
    change();
    await lab.settle();
    expect(queueOf()).toEqual([why]);
    expect(valueOf('scheduler_queue_incoming_pods_total', { event })).toBe(1);
  });
});

describe('a pod that wants to be with another', () => {
  const near = {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'cluster.io/hostname' },
        ],
      },
    },
  };
  test.each<[string, prepare: () => void, change: () => void, event: string]>([
    ['is placed', () => undefined, () => put(placed('db', 'n', { labels: { app: 'db' } })), 'AssignedPodAdd'],
    [
      'gets the label',
      () => put(placed('db', 'n')),
      () => void lab.server.change(pods, 'ns/db', { metadata: { labels: { app: 'db' } } }),
      'AssignedPodUpdate',
    ],
  ])('is tried again when the other %s', async (_, prepare, change, event) => {
    lab.addNode('n');
    prepare();
    put(asking('p', '1', { spec: near }));
    await lab.start();
    await lab.pass(2);
    expect(await lab.bindings()).toEqual([]);
    change();
    expect(await lab.bindings()).toEqual(['p: n']);
    expect(valueOf('scheduler_queue_incoming_pods_total', { queue: 'active', event })).toBe(1);
  });
});

describe('preemption', () => {
  const low = (name: string, cpu = '3', more: Loose = {}): Loose => {
    const made = asking(name, cpu, { spec: { nodeName: 'n', priority: 1, ...more } });
    return { ...made, status: { phase: 'Running', startTime: '2026-01-01T11:00:00Z' } };
  };
  const high = (more: Loose = {}): Loose => asking('high', '3', { spec: { priority: 10, ...more } });

  test('deletes pods of lower priority and nominates the node, and the pod comes when they have gone', async () => {
    lab.addNode('n');
    put(low('low'), high());
    await lab.start();
    expect((await lab.writes()).slice(0, 2)).toEqual([
      { method: 'DELETE', path: 'namespaces/ns/pods/low', body: { apiVersion: 'v1', kind: 'DeleteOptions' } },
      {
        ...{ method: 'PATCH', path: 'namespaces/ns/pods/high/status' },
        body: {
          status: { conditions: [expect.objectContaining({ reason: 'Unschedulable' })], nominatedNodeName: 'n' },
        },
      },
    ]);
    expect((await lab.events()).slice(0, 2)).toEqual([
      'low: Normal Preempted Preempted by ns/high on node n',
      'high: Warning FailedScheduling 0/1 nodes are available: 1 Insufficient cpu.',
    ]);
    expect([
      valueOf('scheduler_preemption_attempts_total'),
      valueOf('scheduler_preemption_victims_count'),
      valueOf('scheduler_preemption_victims_sum'),
    ]).toEqual([1, 1, 1]);
    const preempting: Loose = lab.trace.find((event: Loose) => event.what === 'preempting');
    expect([preempting.node, preempting.victims]).toEqual(['n', ['ns/low']]);
    await lab.pass(2);
    expect(lab.trace.at(-1)).toMatchObject({ what: 'bound', node: 'n' });
  });

  test('is not tried where it can not help, and the nomination goes', async () => {
    lab.addNode('n');
    put(low('low'), { ...high({ nodeSelector: { x: 'y' } }), status: { nominatedNodeName: 'n' } });
    await lab.start();
    expect((await lab.writes()).map(({ body }) => body.status)).toEqual([
      { nominatedNodeName: null },
      { conditions: [expect.objectContaining({ type: 'PodScheduled' })] },
    ]);
    expect(live('low')).toBeDefined();
    expect(valueOf('scheduler_preemption_victims_count') ?? 0).toBe(0);
  });

  test.each<[string, spec: Loose]>([
    ['a pod that preempts nobody', { preemptionPolicy: 'Never' }],
    ['a pod without a higher priority', { priority: 1 }],
  ])('does not help %s', async (_, spec) => {
    lab.addNode('n');
    put(low('low'), high(spec));
    await lab.start();
    expect((await lab.writes()).map(({ method }) => method)).toEqual(['PATCH']);
  });

  test('spares pods that a budget protects, if there are others', async () => {
    lab.addNode('n');
    lab.addNode('m');
    lab.server.put(podDisruptionBudgets, {
      metadata: { name: 'b', namespace: 'ns' },
      spec: { selector: { matchLabels: { app: 'a' } } },
      status: { disruptionsAllowed: 0 },
    });
    const guarded = low('guarded');
    put(
      { ...guarded, metadata: { ...guarded.metadata, labels: { app: 'a' } } },
      low('free', '3', { nodeName: 'm' }),
      high(),
    );
    await lab.start();
    expect([live('guarded') !== undefined, live('free')]).toEqual([true, undefined]);
  });

  test('takes the nomination of a pod of lower priority', async () => {
    lab.addNode('n');
    put(
      low('low'),
      { ...asking('middle', '3', { spec: { priority: 5 } }), status: { nominatedNodeName: 'n' } },
      high(),
    );
    await lab.start();
    expect(live('middle').status.nominatedNodeName).toBeUndefined();
    expect(live('high').status.nominatedNodeName).toBe('n');
  });

  test('leaves the pod as it was where a victim can not be deleted', async () => {
    lab.addNode('n');
    put(low('low'), high());
    lab.server.refuse('DELETE', /pods/, 500, 'InternalError', 1);
    await lab.start();
    expect(live('high').status.nominatedNodeName).toBeUndefined();
  });

  test('goes on when a victim is gone', async () => {
    lab.addNode('n');
    put(low('low'), high());
    lab.server.refuse('DELETE', /pods/, 404, 'NotFound', 1);
    await lab.start();
    expect(live('high').status.nominatedNodeName).toBe('n');
    expect((await lab.events()).filter((text) => text.includes('Preempted'))).toEqual([]);
  });
});

describe('the flags of the scheduler', () => {
  const packing = async (): Promise<string[]> => {
    lab.addNode('a');
    lab.addNode('b');
    put(placed('there', 'a', { requests: { cpu: '1', memory: '1Gi' } }));
    put(pod('p', { requests: { cpu: '1', memory: '1Gi' } }));
    return [];
  };

  test.each<[string, flags: string[], node: string]>([
    ['spread pods', [], 'p: b'],
    ['pack pods for a cluster that is scaled', ['--algorithm-provider=ClusterAutoscalerProvider'], 'p: a'],
  ])('%s', async (_, flags, binding) => {
    await packing();
    await lab.start(flags);
    expect(await lab.bindings()).toEqual([binding]);
  });

  test('name another scheduler', async () => {
    lab.addNode('n');
    lab.server.put(pods, waiting(asking('p', '1'), 'mine'));
    await lab.start(['--scheduler-name=mine']);
    expect(await lab.bindings()).toEqual(['p: n']);
    expect(lab.server.events.map(({ by }) => by)).toEqual(['mine']);
  });

  test('name a configuration, whose profiles have names of their own', async () => {
    lab.addNode('n');
    lab.server.put(pods, waiting(asking('p', '1'), 'mine'));
    put(asking('q', '1'));
    const file =
      'apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: mine}]';
    await lab.start(['--config=c.yaml'], { 'c.yaml': file });
    expect(await lab.bindings()).toEqual(['p: n']);
  });

  test('name a policy, whose pods are those of the scheduler name', async () => {
    lab.addNode('n');
    lab.server.put(pods, waiting(asking('p', '1'), 'mine'));
    const file = '{"kind": "Policy", "apiVersion": "v1", "predicates": [{"name": "HostName"}], "priorities": []}';
    await lab.start(['--policy-config-file=p.json', '--scheduler-name=mine'], { 'p.json': file });
    expect(await lab.bindings()).toEqual(['p: n']);
  });

  test('weigh the required affinity of placed pods', async () => {
    const towards = {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'x' } }, topologyKey: 'cluster.io/hostname' },
          ],
        },
      },
    };
    for (const [weight, expected] of [
      [100, 'p: a'],
      [0, 'p: b'],
    ] as const) {
      await lab.stop();
      lab = new SchedulerLab();
      lab.addNode('a');
      lab.addNode('b');
      put(placed('there', 'a', { requests: { cpu: '1', memory: '1Gi' }, spec: towards }));
      put(pod('p', { labels: { app: 'x' }, requests: { cpu: '1', memory: '1Gi' } }));
      await lab.start([`--hard-pod-affinity-symmetric-weight=${weight}`]);
      expect(await lab.bindings()).toEqual([expected]);
    }
  });
});

test('a paused scheduler tries one pod for each step', async () => {
  lab.addNode('n');
  await lab.start();
  lab.running?.setPaused(true);
  put(asking('p', '1'), asking('q', '1'));
  expect(await lab.bindings()).toEqual([]);
  expect(lab.running?.view()).toEqual({ waiting: 2, next: ['ns/p', 'ns/q'], delayed: [], paused: true });
  lab.running?.step();
  expect(await lab.bindings()).toEqual(['p: n']);
  lab.running?.setPaused(false);
  expect(await lab.bindings()).toEqual(['q: n']);
});

test('a follower hears of nodes and pods until it ends', async () => {
  await lab.start();
  let heard = 0;
  const end = lab.running?.follow(() => (heard += 1));
  lab.addNode('n');
  await lab.settle();
  const before = heard;
  end?.();
  lab.server.remove(nodes, 'n');
  await lab.settle();
  expect([before > 0, heard === before]).toEqual([true, true]);
});

describe('claims that wait for their pod', () => {
  const late = { metadata: { name: 'late' }, provisioner: 'x', volumeBindingMode: 'WaitForFirstConsumer' };
  const user = asking('p', '1', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] } });
  const claim = {
    metadata: { name: 'c', namespace: 'ns' },
    spec: { storageClassName: 'late', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    status: { phase: 'Pending' },
  };
  const bound = (volumeName: string): Loose => ({
    metadata: { annotations: { 'pv.cluster.io/bind-completed': 'yes' } },
    spec: { volumeName },
    status: { phase: 'Bound' },
  });
  const volume = {
    metadata: { name: 'v' },
    spec: { storageClassName: 'late', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
    status: { phase: 'Available' },
  };

  test('get a matching volume before the pod is bound', async () => {
    lab.addNode('n');
    lab.server.put(storageClasses, late);
    lab.server.put(volumes, volume);
    lab.server.put(claims, claim);
    put(user);
    await lab.start();
    const [reserved, ...others] = await lab.writes();
    expect(reserved).toEqual({
      ...{ method: 'PATCH', path: 'persistentvolumes/v' },
      body: {
        metadata: { annotations: { 'pv.cluster.io/bound-by-controller': 'yes' }, resourceVersion: expect.any(String) },
        spec: {
          claimRef: {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            name: 'c',
            namespace: 'ns',
            uid: 'uid-c',
            resourceVersion: expect.any(String),
          },
        },
      },
    });
    expect(others).toEqual([]);
    lab.server.change(claims, 'ns/c', bound('v'));
    expect(await lab.bindings()).toEqual(['p: n']);
  });

  test('are provisioned on the node of the pod', async () => {
    lab.addNode('n');
    lab.server.put(storageClasses, late);
    lab.server.put(claims, claim);
    put(user);
    await lab.start();
    expect(await lab.writes()).toEqual([
      {
        method: 'PATCH',
        path: 'namespaces/ns/persistentvolumeclaims/c',
        body: { metadata: { annotations: { 'volume.cluster.io/selected-node': 'n' } } },
      },
    ]);
    lab.server.remove(claims, 'ns/c');
    expect((await lab.events())[0]).toBe(
      'p: Warning FailedScheduling binding rejected: persistentvolumeclaim "c" not found',
    );
  });

  test('that are still being bound when the scheduler stops do not keep it', async () => {
    lab.addNode('n');
    lab.server.put(storageClasses, late);
    lab.server.put(claims, claim);
    put(user);
    await lab.start();
    await lab.writes();
    await lab.stop();
    expect([await lab.writes(), await lab.events()]).toEqual([[], []]);
  });

  test('that are not bound after ten minutes fail the pod', async () => {
    lab.addNode('n');
    lab.server.put(storageClasses, late);
    lab.server.put(claims, claim);
    put(user);
    await lab.start();
    await lab.pass(560);
    expect(await lab.events()).toEqual([]);
    await lab.pass(70);
    expect(await lab.events()).toEqual([
      'p: Warning FailedScheduling binding rejected: binding volumes: timed out waiting for the condition',
    ]);
  });
});

describe('extenders of a policy', () => {
  interface Asked {
    readonly verb: string;
    readonly body: Loose;
  }
  let asked: Asked[];
  /** Starts with an extender that answers each verb so; a function may do something else first. */
  async function startWith(verbs: Readonly<Record<string, unknown>>, more: Loose = {}): Promise<void> {
    asked = [];
    lab.extender = async (request) => {
      const verb = new URL(request.url).pathname.slice(1);
      asked.push({ verb, body: await request.json() });
      const answer = verbs[verb];
      return Response.json(typeof answer === 'function' ? await (answer as () => unknown)() : answer);
    };
    const given = Object.fromEntries(Object.keys(verbs).map((verb) => [`${verb}Verb`, verb]));
    const extender = { urlPrefix: 'http://x', nodeCacheCapable: true, weight: 1, ...given, ...more };
    const policy = { kind: 'Policy', apiVersion: 'v1', extenders: [extender] };
    await lab.start(['--policy-config-file=p'], { p: JSON.stringify(policy) });
  }

  test('filter the nodes that fit', async () => {
    for (const name of ['a', 'b', 'c']) lab.addNode(name);
    put(asking('p', '1'));
    await startWith({ filter: { nodeNames: ['b'], failedNodes: { a: 'no disk' } } });
    expect(await lab.bindings()).toEqual(['p: b']);
    expect(asked).toMatchObject([{ verb: 'filter', body: { NodeNames: ['a', 'b', 'c'] } }]);
    const filtered: Loose = lab.trace.find((event: Loose) => event.what === 'filtered');
    expect(filtered.nodes).toEqual([
      { node: 'b', reasons: [] },
      { node: 'a', plugin: 'http://x', reasons: ['no disk'] },
    ]);
  });

  test('tell why a pod fits nowhere, beside the filters', async () => {
    lab.addNode('a');
    lab.addNode('b', { spec: { unschedulable: true } });
    put(asking('p', '1'));
    await startWith({ filter: { nodeNames: [], failedNodes: { a: 'no disk' } } });
    expect(await lab.events()).toEqual([
      'p: Warning FailedScheduling 0/2 nodes are available: 1 no disk, 1 node(s) were unschedulable.',
    ]);
  });

  test('fail the attempt when they fail, without preemption', async () => {
    lab.addNode('a');
    put(placed('low', 'a'), asking('p', '1', { spec: { priority: 9 } }));
    await startWith({ filter: { error: 'no idea' } });
    expect(await lab.events()).toEqual(['p: Warning FailedScheduling no idea']);
    expect(live('p').status).toEqual({
      conditions: [
        expect.objectContaining({ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no idea' }),
      ],
    });
    expect(valueOf('scheduler_schedule_attempts_total', { result: 'error' })).toBe(1);
    expect(valueOf('scheduler_preemption_attempts_total')).toBe(0);
  });

  test('score the nodes', async () => {
    lab.addNode('a');
    lab.addNode('b', { allocatable: { cpu: '64', memory: '64Gi' } });
    put(asking('p', '1'));
    await startWith({ prioritize: [{ host: 'a', score: 10 }] }, { weight: 50 });
    expect(await lab.bindings()).toEqual(['p: a']);
    const scored: Loose = lab.trace.find((event: Loose) => event.what === 'scored');
    expect(scored.nodes.map(({ scores }: Loose) => scores['http://x'])).toEqual([5000, 0]);
  });

  test('have a say in victims', async () => {
    lab.addNode('a');
    lab.addNode('b');
    const low = (name: string, on: string, priority: number): Loose =>
      asking(name, '3', { spec: { nodeName: on, priority }, status: { phase: 'Running' } });
    put(low('cheap', 'a', 1), low('dear', 'b', 5), asking('p', '3', { spec: { priority: 9 } }));
    await startWith({ preempt: { nodeNameToMetaVictims: { b: { pods: [{ uid: 'uid-dear' }] } } } });
    expect([live('dear'), live('cheap') !== undefined, live('p').status.nominatedNodeName]).toEqual([
      undefined,
      true,
      'b',
    ]);
  });

  test('bind pods', async () => {
    lab.addNode('a');
    put(asking('p', '1'));
    await startWith({ bind: {} });
    expect(await lab.bindings()).toEqual([]);
    expect(asked).toEqual([{ verb: 'bind', body: { PodName: 'p', PodNamespace: 'ns', PodUID: 'uid-p', Node: 'a' } }]);
    expect(await lab.events()).toEqual(['p: Normal Scheduled Successfully assigned ns/p to a']);
  });

  const renewed = (): void => {
    lab.server.remove(pods, 'ns/p');
    const other = asking('p', '99');
    put({ ...other, metadata: { ...other.metadata, uid: 'uid-new' } });
  };
  test.each<[string, meanwhile: () => void, told: string[]]>([
    ['stays', () => undefined, ['p: Warning FailedScheduling binding rejected: taken']],
    ['is gone', () => lab.server.remove(pods, 'ns/p'), []],
    ['has a node', () => void lab.server.change(pods, 'ns/p', { spec: { nodeName: 'a' } }), []],
    ['is another', renewed, ['p: Warning FailedScheduling 0/1 nodes are available: 1 Insufficient cpu.']],
  ])('tell of a binding that fails only where the pod %s', async (_, meanwhile, told) => {
    lab.addNode('a');
    put(asking('p', '1'));
    await startWith({
      bind: async () => {
        meanwhile();
        await lab.settle();
        return { error: 'taken' };
      },
    });
    expect(await lab.events()).toEqual(told);
    expect(valueOf('scheduler_schedule_attempts_total', { result: 'error' })).toBe(1);
    expect(valueOf('scheduler_pending_pods', { queue: 'unschedulable' })).toBe(told.length);
  });
});

describe('a nomination', () => {
  const high = asking('high', '3', { spec: { priority: 10 } });
  const low = (): Loose => {
    const made = asking('low', '3', { spec: { nodeName: 'n', priority: 1 }, status: { phase: 'Running' } });
    return { ...made, metadata: { ...made.metadata, finalizers: ['f'] } };
  };
  const leave = async (): Promise<void> => {
    lab.server.change(pods, 'ns/low', { metadata: { finalizers: [] } });
    await lab.settle();
  };

  test('holds before it is written', async () => {
    lab.addNode('n');
    put(low(), high);
    lab.server.refuse('PATCH', /status/, 500, 'InternalError');
    await lab.start();
    expect(live('high').status.nominatedNodeName).toBeUndefined();
    await leave();
    put(asking('middle', '3', { spec: { priority: 5 } }));
    expect(await lab.bindings()).toEqual([]);
    await lab.pass(2);
    expect(await lab.bindings()).toEqual(['high: n']);
  });

  test('holds again when the binding fails', async () => {
    lab.addNode('n');
    put({ ...high, status: { nominatedNodeName: 'n' } });
    lab.server.refuse('POST', /binding/, 500, 'InternalError', 1);
    await lab.start();
    expect(live('high').status.nominatedNodeName).toBe('n');
    put(asking('middle', '3', { spec: { priority: 5 } }));
    await lab.pass(2);
    expect(await lab.bindings()).toEqual(['high: n']);
    expect((await lab.events()).some((event) => event.startsWith('middle: Warning'))).toBe(true);
  });

  test('is written once', async () => {
    lab.addNode('n');
    put(low(), high);
    lab.server.refuse('DELETE', /pods/, 404, 'NotFound');
    await lab.start();
    expect((await lab.writes()).map(({ method }) => method)).toEqual(['DELETE', 'PATCH']);
    await lab.pass(91);
    expect((await lab.writes()).map(({ method }) => method)).toEqual(['DELETE']);
  });

  test('is asked for in one of many nodes that are enough, beginning anywhere', async () => {
    const config = `apiVersion: kubescheduler.config.k8s.io/v1beta1
kind: KubeSchedulerConfiguration
profiles:
  - pluginConfig:
      - { name: DefaultPreemption, args: { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 1 } }
`;
    const nominated = new Set<string>();
    for (let i = 0; i < 6; i++) {
      await lab.stop();
      lab = new SchedulerLab();
      lab.seed = i;
      for (const name of ['a', 'b', 'c']) {
        lab.addNode(name);
        put(asking(`on-${name}`, '3', { spec: { nodeName: name, priority: 1 }, status: { phase: 'Running' } }));
      }
      put(high);
      await lab.start(['--config=c'], { c: config });
      nominated.add(live('high').status.nominatedNodeName);
    }
    expect([...nominated].every((name) => ['a', 'b', 'c'].includes(name))).toBe(true);
    expect(nominated.size).toBeGreaterThan(1);
  });

  test('is not looked for without nodes, nor where the profile forbids it', async () => {
    put(high);
    await lab.start();
    expect(valueOf('scheduler_preemption_attempts_total')).toBe(0);
    expect(live('high').status).toEqual({ conditions: [expect.objectContaining({ status: 'False' })] });
    await lab.stop();
    lab = new SchedulerLab();
    lab.addNode('n');
    put(low(), high);
    const profile = 'profiles: [{ plugins: { postFilter: { disabled: [{ name: DefaultPreemption }] } } }]';
    await lab.start(['--config=c'], {
      c: `apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n${profile}`,
    });
    expect(valueOf('scheduler_preemption_attempts_total')).toBe(0);
    expect(live('high').status).toEqual({ conditions: [expect.objectContaining({ status: 'False' })] });
  });
});

describe('in a large cluster', () => {
  test('each search begins behind the last', async () => {
    for (let i = 0; i < 130; i++) lab.addNode(`n${String(i).padStart(3, '0')}`);
    put(asking('p', '1'), asking('q', '1'), asking('r', '1'));
    const file = `apiVersion: kubescheduler.config.k8s.io/v1beta1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 1
`;
    await lab.start(['--config=c'], { c: file });
    const searches = lab.trace.filter((event: Loose) => event.what === 'filtered') as Loose[];
    expect(searches.map(({ nodes: all }) => [all[0].node, all.length])).toEqual([
      ['n000', 100],
      ['n100', 100],
      ['n070', 100],
    ]);
    const ask = await lab.running?.questions();
    const placement = await ask?.explain({ pod: waiting(asking('s', '1')) });
    const scored = placement?.nodes.filter(({ total }) => total !== undefined).map(({ node: name }) => name);
    expect([scored?.length, scored?.[0], scored?.includes('n039'), scored?.includes('n040')]).toEqual([
      100,
      'n000',
      false,
      true,
    ]);
  });
});

test('a trace tells which filter refused each node, and why a pod was not placed', async () => {
  lab.addNode('a');
  lab.addNode('b', { allocatable: { cpu: '99' }, spec: { unschedulable: true } });
  put(big());
  await lab.start();
  expect(lab.trace.slice(2, 4)).toMatchObject([
    {
      ...{ topic: 'scheduling', pod: 'ns/p', uid: 'uid-p', what: 'filtered' },
      nodes: [
        { node: 'a', plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu'] },
        { node: 'b', plugin: 'NodeUnschedulable', reasons: ['node(s) were unschedulable'] },
      ],
    },
    { what: 'unschedulable' },
  ]);
  expect(lab.trace.at(-1)).toMatchObject({
    ...{ topic: 'scheduling', pod: 'ns/p', uid: 'uid-p', what: 'failed' },
    why: '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.',
  });
});

test('nothing is tried or counted any more after the end', async () => {
  lab.addNode('n');
  put(big());
  await lab.start();
  expect(valueOf('scheduler_pending_pods', { queue: 'unschedulable' })).toBe(1);
  await lab.stop();
  lab.trace.splice(0);
  await lab.pass(91);
  expect([lab.trace, await lab.events()]).toEqual([
    [],
    ['p: Warning FailedScheduling 0/1 nodes are available: 1 Insufficient cpu.'],
  ]);
  expect(valueOf('scheduler_pending_pods', { queue: 'unschedulable' })).toBe(1);
});

test('the times of attempts are measured in seconds', async () => {
  lab.addNode('n');
  put(big());
  await lab.start();
  await lab.pass(5);
  lab.server.change(pods, 'ns/p', { spec: { containers: [{ name: 'c' }] } });
  await lab.settle();
  expect([
    valueOf('scheduler_pod_scheduling_duration_seconds_sum', { attempts: '2' }),
    valueOf('scheduler_e2e_scheduling_duration_seconds_sum', { result: 'scheduled' }),
  ]).toEqual([5, 0]);
});

test.each<[string, change: () => void]>([
  ['a node', () => void lab.addNode('m')],
  ['a pod', () => put(placed('x', 'n'))],
  [
    'a service',
    () => void lab.server.put(services, { metadata: { name: 's', namespace: 'ns' }, spec: {}, status: {} }),
  ],
  ['a claim', () => void lab.server.put(claims, { metadata: { name: 'c', namespace: 'ns' }, spec: {}, status: {} })],
  ['a volume', () => void lab.server.put(volumes, { metadata: { name: 'v' }, spec: {}, status: {} })],
  [
    'a budget',
    () => void lab.server.put(podDisruptionBudgets, { metadata: { name: 'b', namespace: 'ns' }, spec: {}, status: {} }),
  ],
  ['the queue', () => void lab.clock.step(31_000)],
])('a follower hears of %s', async (_, change) => {
  lab.addNode('n');
  put(big());
  await lab.start();
  await lab.pass(60);
  let heard = 0;
  const end = lab.running?.follow(() => (heard += 1));
  change();
  await lab.settle();
  const before = heard;
  end?.();
  lab.addNode('late');
  await lab.settle();
  expect([before > 0, heard === before]).toEqual([true, true]);
});

test('the scheduler acts as itself', async () => {
  await lab.start();
  expect(lab.identities).toEqual(['system:cluster-scheduler']);
});

describe('objects that filters and scores read', () => {
  test.each<[string, ref: Parameters<typeof lab.server.put>[0], selector: Loose]>([
    ['services', services, { app: 'web' }],
    ['replication controllers', replicationControllers, { app: 'web' }],
    ['replica sets', replicaSets, { matchLabels: { app: 'web' } }],
    ['stateful sets', statefulSets, { matchLabels: { app: 'web' } }],
  ])('are %s of the namespace of a pod', async (_, ref, selector) => {
    const zoned = (name: string, cpu: string) =>
      lab.addNode(name, { labels: { 'topology.cluster.io/zone': name }, allocatable: { cpu, memory: '64Gi' } });
    zoned('small', '4');
    zoned('large', '64');
    lab.server.put(ref, { metadata: { name: 'o', namespace: 'ns' }, spec: { selector }, status: {} });
    const web = (name: string, namespace: string): Loose => asking(name, '1', { labels: { app: 'web' }, namespace });
    const there = (namespace: string, on: string): Loose => ({
      ...web(`on-${on}`, namespace),
      spec: { ...web('x', namespace).spec, nodeName: on },
      status: { phase: 'Running' },
    });
    put(there('ns', 'large'), there('other', 'large'), web('p', 'ns'), web('q', 'other'));
    await lab.start();
    expect(await lab.bindings()).toEqual(['p: small', 'q: large']);
  });

  test('are claims, their volumes, and the drivers of a node', async () => {
    lab.addNode('n');
    const claiming = (name: string, claimName: string, more: Loose = {}): Loose =>
      asking(name, '1', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }], ...more } });
    for (const name of ['one', 'two']) {
      lab.server.put(volumes, {
        metadata: { name: `v-${name}` },
        spec: { csi: { driver: 'd', volumeHandle: name } },
        status: { phase: 'Bound' },
      });
      lab.server.put(claims, {
        metadata: { name, namespace: 'ns', annotations: { 'pv.cluster.io/bind-completed': 'yes' } },
        spec: { volumeName: `v-${name}` },
        status: { phase: 'Bound' },
      });
    }
    lab.server.put(csiNodes, {
      metadata: { name: 'n' },
      spec: { drivers: [{ name: 'd', allocatable: { count: 1 } }] },
    });
    put({ ...claiming('there', 'one', { nodeName: 'n' }), status: { phase: 'Running' } }, claiming('p', 'two'));
    await lab.start();
    expect(await lab.events()).toEqual([
      'p: Warning FailedScheduling 0/1 nodes are available: 1 node(s) exceed max volume count.',
    ]);
    put(claiming('q', 'one'));
    expect(await lab.bindings()).toEqual(['q: n']);
  });
});
