/** What the scheduler answers to questions, without a cluster around it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodes, podDisruptionBudgets, pods } from '../../src/client/index.ts';
import type { SchedulingQuestions } from '../../src/scheduler/questions/index.ts';
import type { Loose } from '../client/smallServer.ts';
import { SchedulerLab, waiting } from './lab.ts';
import { node, pod } from './objects.ts';

let lab: SchedulerLab;
let ask: SchedulingQuestions;
beforeEach(() => {
  lab = new SchedulerLab();
});
afterEach(() => lab.stop());

const put = (...all: Loose[]): void => all.forEach((each) => void lab.server.put(pods, waiting(each)));
const asking = (name: string, cpu: string, spec: Loose = {}): Loose =>
  pod(name, { requests: { cpu, memory: '1Gi' }, spec });
async function start(): Promise<void> {
  await lab.start();
  ask = (await lab.running?.questions()) as SchedulingQuestions;
}

describe('a pod that fits nowhere', () => {
  const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };
  beforeEach(async () => {
    lab.addNode('small', { labels: { 'topology.cluster.io/zone': 'z' }, allocatable: { cpu: '2' } });
    lab.addNode('tainted', { allocatable: { cpu: '8' }, spec: { taints: [taint] } as never });
    put(asking('p', '4'));
    await start();
  });

  test('has an answer for each node, the filters in order, and what could wake it', async () => {
    const {
      nodes: rows,
      filters,
      wakes,
      winners,
      profile,
      at,
      taken,
      why,
    } = (await ask.explain({ pod: 'ns/p' })) as Loose;
    expect(rows.map(({ node: name, zone, fits, first }: Loose) => [name, zone, fits, first])).toEqual([
      ['small', 'z', false, { plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu'], resolvable: true }],
      [
        'tainted',
        '',
        false,
        {
          plugin: 'TaintToleration',
          reasons: ["node(s) had taint {k: v}, that the pod didn't tolerate"],
          resolvable: false,
        },
      ],
    ]);
    expect(filters).toEqual(['NodeUnschedulable', 'TaintToleration', 'NodeResourcesFit', 'InterPodAffinity']);
    expect(wakes).toEqual([
      'AssignedPodDelete',
      'NodeAdd',
      'NodeAllocatableChange',
      'NodeTaintChange',
      'PodUpdate',
      'UnschedulableTimeout',
    ]);
    expect([winners, profile, at === lab.clock.now(), taken.at === lab.clock.now(), taken.node, taken.room]).toEqual([
      [],
      'default-scheduler',
      true,
      true,
      undefined,
      undefined,
    ]);
    expect([why, taken.why]).toEqual(
      Array(2).fill(
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had taint {k: v}, that the pod didn't tolerate.",
      ),
    );
  });

  test('has numbers for each filter of a node', async () => {
    const verdicts = (await ask.verdicts({ pod: 'ns/p' }, 'small')) as Loose[];
    expect(verdicts.find(({ plugin }) => plugin === 'NodeResourcesFit')).toEqual({
      facts: [
        {
          allocatable: 10,
          requested: 1,
          resource: 'pods',
          used: 0,
        },
        {
          allocatable: 2000,
          requested: 4000,
          resource: 'cpu',
          used: 0,
        },
        {
          allocatable: 8589934592,
          requested: 1073741824,
          resource: 'memory',
          used: 0,
        },
        {
          allocatable: 0,
          requested: 0,
          resource: 'ephemeral-storage',
          used: 0,
        },
      ],
      isFirst: true,
      plugin: 'NodeResourcesFit',
      reasons: ['Insufficient cpu'],
      resolvable: true,
    });
    expect(await ask.verdicts({ pod: 'ns/p' }, 'gone')).toEqual([]);
  });

  test('has remedies, the smallest first, each tried', async () => {
    expect((await ask.remedies({ pod: 'ns/p' })).map(({ title, winners }) => [title, winners])).toEqual([
      ['Request 2000m CPU or less', ['small']],
      ['Let the pod tolerate the taint k=v:NoSchedule', ['tainted']],
      ['Add a node like tainted', ['node-3']],
    ]);
  });

  test('would win with a change of the nodes, of itself or of its profile', async () => {
    const larger = node('small', { allocatable: { cpu: '9' } });
    const answer = async (draft: Loose): Promise<readonly string[]> =>
      (await ask.explain({ pod: 'ns/p', draft })).winners;
    expect(await answer({ nodes: [larger] })).toEqual(['small']);
    expect(await answer({ pod: waiting(asking('p', '1')) })).toEqual(['small']);
    await expect(answer({ profile: 'other' })).rejects.toThrow('no profile of this scheduler is called "other"');
    await expect(ask.explain({ pod: 'ns/gone' })).rejects.toThrow('there is no pod ns/gone');
  });

  test('stands in the overview', () => {
    const { lanes } = ask.overview() as Loose;
    expect([lanes.active.count, lanes.backoff.count, lanes.unschedulable.count]).toEqual([0, 0, 1]);
    expect(lanes.unschedulable.first[0]).toMatchObject({ pod: 'ns/p', attempts: 1, priority: 0 });
    expect(lanes.unschedulable.first[0].wakes).toEqual([
      ...['AssignedPodDelete', 'NodeAdd', 'NodeAllocatableChange', 'NodeTaintChange'],
      ...['PodUpdate', 'UnschedulableTimeout'],
    ]);
  });
});

describe('a pod with its node', () => {
  beforeEach(async () => {
    lab.addNode('a', { allocatable: { cpu: '4' } });
    lab.addNode('b', { allocatable: { cpu: '16', memory: '32Gi' } });
    put(asking('p', '3'));
    await start();
    lab.server.change(pods, 'ns/p', { spec: { nodeName: 'b' } });
    await lab.settle();
  });

  test('is looked at as if it had none', async () => {
    const { winners, nodes: rows, taken, wakes } = (await ask.explain({ pod: 'ns/p' })) as Loose;
    expect([winners, rows.map(({ fits }: Loose) => fits), taken.node, wakes]).toEqual([['b'], [true, true], 'b', []]);
    expect(rows[0].total).toBeLessThan(rows[1].total);
  });

  test('is looked at as a draft of it, still without its own room', async () => {
    const draft = { pod: waiting(asking('p', '15')) };
    expect((await ask.explain({ pod: 'ns/p', draft })).winners).toEqual(['b']);
    expect((await ask.explain({ pod: waiting(asking('other', '15')) })).winners).toEqual([]);
  });

  test('is looked at as the nodes were when it was decided', async () => {
    await lab.pass(10);
    lab.server.remove(nodes, 'b');
    await lab.settle();
    const then = (await ask.explain({ pod: 'ns/p', then: 'decided' })) as Loose;
    expect([then.winners, then.nodes.length, lab.clock.now() - then.at]).toEqual([['b'], 2, 10_000]);
    expect((await ask.explain({ pod: 'ns/p' })).winners).toEqual(['a']);
  });

  test('does not go to the node that another has reserved', async () => {
    const answer = (await ask.explain({ pod: waiting(asking('new', '14')) })) as Loose;
    expect(answer.winners).toEqual([]);
    expect(answer.nodes[1].first.reasons).toEqual(['Insufficient cpu']);
  });
});

test('how many pods fit, and what limits the next', async () => {
  lab.addNode('a');
  lab.addNode('b', { allocatable: { cpu: '2' } });
  await start();
  expect(await ask.fit({ pod: waiting(asking('p', '1')) })).toEqual({
    bottleneck: '0/2 nodes are available: 2 Insufficient cpu.',
    byNode: {
      a: 4,
      b: 2,
    },
    count: 6,
  });
  expect(((await ask.fit({ pod: waiting(asking('p', '1')) }, 3)) as Loose).count).toBe(3);
});

test('what a drain does to the pods of a node', async () => {
  lab.addNode('a');
  lab.addNode('b', { allocatable: { cpu: '2' } });
  put({ ...asking('moves', '1', { nodeName: 'a' }), status: { phase: 'Running' } });
  put({ ...asking('stuck', '3', { nodeName: 'a' }), status: { phase: 'Running' } });
  lab.server.put(podDisruptionBudgets, {
    metadata: { name: 'b', namespace: 'ns' },
    spec: { selector: { matchLabels: { app: 'a' } } },
    status: { disruptionsAllowed: 0 },
  });
  await start();
  expect(await ask.drain('a')).toEqual([
    {
      pod: 'ns/moves',
      what: 'is-lost',
    },
    {
      pod: 'ns/stuck',
      what: 'is-lost',
    },
  ]);
  await expect(ask.drain('a', { profile: 'other' })).rejects.toThrow('no profile');
});

test('where a request tips to another node', async () => {
  lab.addNode('a', { allocatable: { cpu: '4' } });
  lab.addNode('b', { allocatable: { cpu: '16', memory: '32Gi' } });
  put(asking('p', '1'));
  await start();
  lab.server.change(pods, 'ns/p', { spec: { nodeName: 'b' } });
  await lab.settle();
  expect(await ask.tipping({ pod: 'ns/p' }, { of: 'request', resource: 'cpu' })).toEqual({
    above: {
      value: 16010,
      winners: [],
    },
    now: {
      value: 1000,
      winners: ['b'],
    },
  });
  expect(await ask.tipping({ pod: 'ns/p' }, { of: 'weight', plugin: 'NodeResourcesLeastAllocated' } as never)).toEqual({
    now: {
      value: 1,
      winners: ['b'],
    },
  });
});

test('whom a pod preempts, and where it was decided', async () => {
  lab.addNode('n');
  put({
    ...asking('low', '3', { nodeName: 'n', priority: 1 }),
    status: { phase: 'Running', startTime: '2026-01-01T11:00:00Z' },
    metadata: { ...asking('low', '3').metadata, finalizers: ['f'] },
  });
  put(asking('high', '3', { priority: 10 }));
  await start();
  const room = (await ask.explain({ pod: 'ns/high', then: 'room' })) as Loose;
  expect([room.taken.room, room.winners]).toEqual([{ node: 'n', at: lab.clock.now() }, []]);
  expect(room.preemption).toEqual({
    candidates: [
      {
        compared: [
          {
            criterion: 'fewest violated disruption budgets',
            value: 0,
          },
          {
            criterion: 'lowest priority of the most important victim',
            value: 1,
          },
          {
            criterion: 'lowest sum of priorities',
            unit: 'priorities',
            value: 2147483649,
          },
          {
            criterion: 'fewest victims',
            value: 1,
          },
          {
            criterion: 'latest start of the most important victims',
            unit: 'time',
            value: -1767265200000,
          },
        ],
        node: 'n',
        victims: [
          {
            pod: 'ns/low',
            priority: 1,
          },
        ],
        violations: 0,
      },
    ],
    node: 'n',
  });
});

describe('how many pods are placed at most', () => {
  const policy = (...extenders: object[]): string => JSON.stringify({ kind: 'Policy', apiVersion: 'v1', extenders });
  test.each<[string, extenders: object[], limit: number | undefined, count: number]>([
    ['a thousand', [], undefined, 1000],
    ['as many as are asked for', [], 7, 7],
    ['no more than a thousand, whatever is asked for', [], 2000, 1000],
    ['a hundred where an extender is called for each', [{ urlPrefix: 'https://x' }], undefined, 100],
    ['fewer with an extender, too', [{ urlPrefix: 'https://x' }], 7, 7],
  ])('%s', async (_, extenders, limit, count) => {
    lab.addNode('large', { allocatable: { pods: '3000' } });
    await lab.start(['--policy-config-file=p'], { p: policy(...extenders) });
    ask = (await lab.running?.questions()) as SchedulingQuestions;
    expect(await ask.fit({ pod: waiting(pod('p')) }, limit)).toEqual({ count, byNode: { large: count } });
  });
});

test('the filters in order are those of the node that was asked most, extenders at the end', async () => {
  lab.addNode('a', { spec: { unschedulable: true } });
  lab.addNode('b');
  lab.addNode('c', { spec: { unschedulable: true } });
  lab.extender = () => Promise.resolve(Response.json({ nodes: { items: [{ metadata: { name: 'b' } }] } }));
  const policy = { kind: 'Policy', apiVersion: 'v1', extenders: [{ urlPrefix: 'http://x', filterVerb: 'f' }] };
  await lab.start(['--policy-config-file=p'], { p: JSON.stringify({ ...policy, predicates: [] }) });
  ask = (await lab.running?.questions()) as SchedulingQuestions;
  const { filters, winners } = await ask.explain({ pod: waiting(asking('p', '1')) });
  expect([filters, winners]).toEqual([['NodeUnschedulable', 'TaintToleration', 'http://x'], ['b']]);
});

describe('profiles', () => {
  const config = `apiVersion: kubescheduler.config.k8s.io/v1beta1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: first
  - schedulerName: second
    plugins: { filter: { disabled: [{ name: TaintToleration }] } }
`;
  beforeEach(async () => {
    lab.addNode('a', { allocatable: { cpu: '2' }, spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } as never });
    lab.addNode('b', { allocatable: { cpu: '2' }, spec: { unschedulable: true } });
    lab.server.put(pods, waiting(asking('p', '1'), 'first'));
    await lab.start(['--config=c'], { c: config });
    ask = (await lab.running?.questions()) as SchedulingQuestions;
  });

  test('answer for their own pods, and for those of a draft', async () => {
    const answer = async (asked: Loose): Promise<unknown> => {
      const { profile, winners } = await ask.explain(asked);
      return [profile, winners];
    };
    expect(await answer({ pod: 'ns/p' })).toEqual(['first', []]);
    expect(await answer({ pod: 'ns/p', draft: { profile: 'second' } })).toEqual(['second', ['a']]);
    expect(await answer({ pod: waiting(asking('q', '1'), 'second') })).toEqual(['second', ['a']]);
    expect(await answer({ pod: 'ns/p', draft: { pod: waiting(asking('p', '1'), 'second') } })).toEqual([
      'second',
      ['a'],
    ]);
    const { schedulerName: _, ...spec } = waiting(asking('q', '1')).spec;
    expect(await answer({ pod: { ...asking('q', '1'), spec } })).toEqual(['first', []]);
    expect(
      (await ask.verdicts({ pod: 'ns/p', draft: { profile: 'second' } }, 'a')).map(({ plugin }) => plugin),
    ).not.toContain('TaintToleration');
    expect((await ask.fit({ pod: 'ns/p', draft: { profile: 'second' } })).count).toBe(2);
    const knob = { of: 'request', resource: 'cpu' } as const;
    expect((await ask.tipping({ pod: 'ns/p', draft: { profile: 'second' } }, knob)).now.winners).toEqual(['a']);
    expect(await ask.remedies({ pod: 'ns/p', draft: { profile: 'second' } })).toEqual([]);
  });

  test('place the pods of a node that is drained; without a name the first', async () => {
    const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r', controller: true };
    const owned = asking('owned', '1', { nodeName: 'b' });
    put({ ...owned, metadata: { ...owned.metadata, ownerReferences: [reference] } });
    await lab.settle();
    expect(await ask.drain('b')).toMatchObject([{ pod: 'ns/owned', what: 'has-no-place' }]);
    expect(await ask.drain('b', { profile: 'second' })).toEqual([{ pod: 'ns/owned', what: 'moves', to: 'a' }]);
    expect(await ask.drain('b', { nodes: [node('c')] })).toEqual([{ pod: 'ns/owned', what: 'moves', to: 'c' }]);
  });
});

describe('a node that is reserved', () => {
  beforeEach(async () => {
    lab.addNode('n');
    const low = asking('low', '3', { nodeName: 'n', priority: 1 });
    put({ ...low, status: { phase: 'Running' }, metadata: { ...low.metadata, finalizers: ['f'] } });
    put(asking('high', '3', { priority: 10 }), asking('higher', '3', { priority: 20 }));
    await start();
  });
  const without = { withoutPods: ['ns/low'] };

  test('is kept from pods of lower priority, not from others nor from its own', async () => {
    const answer = async (of: string | Loose): Promise<unknown> => {
      const { winners, nodes: rows } = await ask.explain({ pod: of as never, draft: without });
      return [winners, rows.map(({ isReserved }) => isReserved)];
    };
    expect(await answer(waiting(asking('new', '3', { priority: 5 })))).toEqual([[], [true]]);
    expect(await answer(waiting(asking('new', '3', { priority: 30 })))).toEqual([['n'], [false]]);
    expect(await answer('ns/higher')).toEqual([['n'], [false]]);
  });

  test('was kept from a pod when that was decided', async () => {
    put(asking('late', '3', { priority: 5 }), asking('latest', '1', { priority: 5 }));
    await lab.settle();
    lab.server.remove(pods, 'ns/higher');
    lab.server.remove(pods, 'ns/high');
    await lab.pass(10);
    const rows = async (of: string): Promise<unknown> =>
      (await ask.explain({ pod: of, draft: without, then: 'decided' })).nodes.map(({ fits, isReserved }) => [
        fits,
        isReserved,
      ]);
    expect(await rows('ns/late')).toEqual([[false, true]]);
    expect(await rows('ns/latest')).toEqual([[true, false]]);
    expect((await ask.explain({ pod: 'ns/late', draft: without })).winners).toEqual(['n']);
  });
});

test('a pod about which nothing was decided is looked at now', async () => {
  lab.addNode('n');
  await start();
  await lab.pass(5);
  for (const then of ['decided', 'room'] as const) {
    const answer = await ask.explain({ pod: waiting(asking('new', '1')), then });
    expect([answer.winners, answer.at, answer.taken]).toEqual([['n'], lab.clock.now(), undefined]);
  }
});

test('a pod that is refused everywhere is woken by what could help the one that refused it', async () => {
  lab.addNode('n');
  put(pod('p', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'none' } }] } as never }));
  await start();
  const answer = await ask.explain({ pod: 'ns/p' });
  expect([answer.wakes.includes('PvcAdd'), answer.wakes.includes('AssignedPodDelete'), answer.filters]).toEqual([
    true,
    false,
    [],
  ]);
  expect(answer.nodes).toEqual([{ node: 'n', zone: '', fits: false, isReserved: false }]);
});
