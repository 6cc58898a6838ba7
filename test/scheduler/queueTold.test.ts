/** What the queue tells of each move, and which pods are compared as more important. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { moreImportantFirst, priorityOf, startOf } from '../../src/scheduler/priority.ts';
import { findCandidates, mayPreempt, pickCandidate, type Candidate } from '../../src/scheduler/preemption.ts';
import { Filters } from '../../src/scheduler/framework/filters.ts';
import { refuse, refuseForGood } from '../../src/scheduler/framework/plugin.ts';
import { podInfoOf, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { feasibleNodesToFind } from '../../src/scheduler/framework/run.ts';
import { SchedulingTrace } from '../../src/scheduler/schedulingTrace.ts';
import { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import { pick, runFilters, whyNone } from '../../src/scheduler/place.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import { SchedulingQueue, type Queued } from '../../src/scheduler/queue.ts';
import { manualClock } from '../../src/std/index.ts';
import { createTracer, type TraceEvent } from '../../src/trace/index.ts';
import type { Pod, PodDisruptionBudget } from '../../src/client/index.ts';
import { cycle, node, pod, withPods } from './objects.ts';

describe('the queue', () => {
  let clock: ReturnType<typeof manualClock>;
  let queue: SchedulingQueue;
  let told: string[];
  let incoming: string[];
  let events: TraceEvent[];
  const START = Date.UTC(2026, 0, 1);
  beforeEach(() => {
    clock = manualClock(START);
    const tracer = createTracer(clock);
    [told, incoming, events] = [[], [], []];
    tracer.listen(
      (event) => {
        events.push(event);
        const { what, why, attempts, pod: about } = event as unknown as Record<string, string>;
        told.push(`${about} ${what} ${attempts}: ${why}`);
      },
      ['scheduling'],
    );
    queue = new SchedulingQueue(clock, tracer, { first: 1000, longest: 3000 }, (lane, event) =>
      incoming.push(`${lane} ${event}`),
    );
  });
  const take = async (): Promise<Queued> => (await queue.pop()) as Queued;

  test('tells where a pod goes and why', async () => {
    queue.add(pod('p', { spec: { priority: 5 } }));
    queue.addUnschedulable(await take(), 'no room');
    queue.moveAll('a node was added', 'NodeAdd');
    await clock.step(1000);
    queue.remove(pod('p'));
    queue.remove(pod('gone'));
    expect(told).toEqual([
      'ns/p queued 0: it has no node',
      'ns/p popped 1: attempt 1',
      'ns/p unschedulable 1: no room',
      'ns/p backoff 1: a node was added',
      'ns/p moved 1: its backoff has passed',
      'ns/p removed 1: it no longer waits',
    ]);
    expect(incoming).toEqual([
      'active PodAdd',
      'unschedulable ScheduleAttemptFailure',
      'backoff NodeAdd',
      'active BackoffComplete',
    ]);
    expect(
      events.map((event) => [
        (event as { until?: number }).until,
        (event as { priority?: number }).priority,
        (event as { uid?: string }).uid,
      ]),
    ).toEqual(
      [undefined, undefined, undefined, START + 1000, undefined, undefined].map((until) => [until, 5, 'uid-p']),
    );
  });

  test('tells of changes of a pod, and of those that came during its attempt', async () => {
    queue.update(pod('p'));
    const queued = await take();
    queue.moveAll('a service was changed', 'ServiceAdd');
    queue.addUnschedulable(queued, 'no room');
    queue.update(pod('p', { labels: { a: 'b' } }));
    expect(told.slice(2)).toEqual([
      'ns/p backoff 1: something changed while it was being tried',
      'ns/p moved 1: the pod was changed',
    ]);
    expect(incoming).toEqual(['active PodUpdate', 'backoff ScheduleAttemptFailure', 'active PodUpdate']);
  });

  test('tries a pod again after more than a minute, looked at every thirty seconds', async () => {
    queue.add(pod('p'));
    queue.addUnschedulable(await take(), 'no room');
    await clock.step(60_000);
    expect(queue.lengths.unschedulable).toBe(1);
    await clock.step(29_999);
    expect(queue.lengths.unschedulable).toBe(1);
    await clock.step(1);
    expect(told.at(-1)).toBe('ns/p moved 1: it has waited for a minute');
    expect(incoming.at(-1)).toBe('active UnschedulableTimeout');
    queue.addUnschedulable(await take(), 'no room');
    await clock.step(91_000);
    expect(queue.lengths).toEqual({ active: 1, backoff: 0, unschedulable: 0 });
  });

  test('shows ten pods at most, those first whose back-off ends first', async () => {
    for (let i = 0; i < 12; i++) {
      queue.add(pod(`p${i}`));
      const queued = await take();
      queue.addUnschedulable(queued, 'no room');
      await clock.step(10);
    }
    queue.moveAll('a node was added', 'NodeAdd');
    expect(queue.backingOff().map(({ key, due }) => [key, due - START])).toEqual(
      Array.from({ length: 10 }, (_, i) => [`ns/p${i}`, 1000 + i * 10]),
    );
    for (let i = 0; i < 12; i++) queue.add(pod(`q${i}`));
    expect(queue.some()).toEqual(Array.from({ length: 10 }, (_, i) => `ns/q${i}`));
  });

  test('recalls a pod that waits, with its reason', () => {
    queue.add(pod('p'));
    queue.recall(pod('p'), 'no room', 7);
    queue.recall(pod('gone'), 'no room', 7);
    expect(queue.lanes().unschedulable).toEqual([
      { pod: 'ns/p', uid: 'uid-p', priority: 0, attempts: 0, since: 7, reason: 'no room' },
    ]);
  });

  test('takes nothing after its end', async () => {
    queue.add(pod('p'));
    const queued = await take();
    queue.close();
    queue.addUnschedulable(queued, 'no room');
    queue.add(pod('q'));
    expect([queue.lengths, await queue.pop()]).toEqual([{ active: 0, backoff: 0, unschedulable: 0 }, undefined]);
  });
});

const running = (name: string, priority: number | undefined, startTime?: string): Pod =>
  pod(name, {
    requests: { cpu: '1' },
    spec: { ...(priority !== undefined && { priority }) },
    status: { phase: 'Running', ...(startTime && { startTime }) },
  });
const at = (hour: number): string => `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`;

test('a pod of higher priority is more important, then one that has run longer', () => {
  const pods = [
    running('late', 1, at(9)),
    running('none', undefined),
    running('high', 5),
    running('early', 1, at(3)),
    running('unstarted', 1),
  ];
  expect(pods.sort(moreImportantFirst).map(({ metadata }) => metadata.name)).toEqual([
    'high',
    'early',
    'late',
    'unstarted',
    'none',
  ]);
  expect([
    moreImportantFirst(running('a', 1, at(3)), running('b', 1, at(3))),
    moreImportantFirst(running('a', 1), running('b', 1)),
  ]).toEqual([0, 0]);
  expect([priorityOf(running('a', undefined)), startOf(running('a', 1))]).toEqual([0, Infinity]);
});

describe('the candidate that is picked', () => {
  const candidate = (name: string, violations: number, ...victims: Pod[]): Candidate => ({
    node: name,
    victims,
    violations,
  });
  test.each<[string, candidates: Candidate[], node: string | undefined, decidedBy: string | undefined]>([
    ['is none without any', [], undefined, undefined],
    ['is the only one', [candidate('a', 0, running('x', 1))], 'a', undefined],
    [
      'is one that nobody has to leave',
      [candidate('a', 0, running('x', -5)), candidate('b', 0)],
      'b',
      'lowest priority of the most important victim',
    ],
    [
      'has the latest first start of those',
      [
        candidate('a', 0, running('x', 5, at(3)), running('v', 5, at(9))),
        candidate('b', 0, running('y', 5, at(4)), running('z', 5, at(5))),
      ],
      'b',
      'latest start of the most important victims',
    ],
    [
      'violates the fewest budgets',
      [candidate('a', 1, running('x', 1)), candidate('b', 0, running('y', 9))],
      'b',
      'fewest violated disruption budgets',
    ],
    [
      'has the least important first victim',
      [candidate('a', 0, running('x', 5)), candidate('b', 0, running('y', 1), running('z', 1))],
      'b',
      'lowest priority of the most important victim',
    ],
    [
      'has the lowest sum',
      [candidate('a', 0, running('x', 5), running('v', 4)), candidate('b', 0, running('y', 5), running('z', 1))],
      'b',
      'lowest sum of priorities',
    ],
    [
      'has the latest of its most important victims',
      [
        candidate('a', 0, running('x', 5, at(3)), running('v', 1, at(9))),
        candidate('b', 0, running('y', 5, at(4)), running('z', 1, at(1))),
      ],
      'b',
      'latest start of the most important victims',
    ],
    [
      'is the first of equals',
      [candidate('a', 0, running('x', 5, at(3))), candidate('b', 0, running('y', 5, at(3)))],
      'a',
      undefined,
    ],
  ])('%s', (_, candidates, name, decidedBy) => {
    const choice = pickCandidate(candidates);
    expect([choice?.candidate.node, choice?.decidedBy]).toEqual([name, decidedBy]);
  });
});

describe('whether a pod may preempt others', () => {
  const leaving = (name: string, priority: number): Pod => {
    const made = running(name, priority);
    return { ...made, metadata: { ...made.metadata, deletionTimestamp: at(1) } };
  };
  const nominated = (priority = 5): Pod => pod('p', { spec: { priority }, status: { nominatedNodeName: 'n' } });
  test.each<[string, wanted: Pod, there: Pod[], refusal: 'resolvable' | 'for good' | 'elsewhere', may: boolean]>([
    ['it has no nominated node', pod('p', { spec: { priority: 5 } }), [leaving('x', 1)], 'resolvable', true],
    ['nobody leaves its nominated node', nominated(), [running('x', 1)], 'resolvable', true],
    ['a victim leaves its nominated node', nominated(), [leaving('x', 1)], 'resolvable', false],
    ['a pod of the same priority leaves', nominated(), [leaving('x', 5)], 'resolvable', true],
    ['its nominated node can not help any more', nominated(), [leaving('x', 1)], 'for good', true],
    ['another node can not help', nominated(), [leaving('x', 1)], 'elsewhere', false],
  ])('%s', (_, wanted, there, refusal, may) => {
    const snapshot = new Snapshot([withPods(node('n'), ...there), withPods(node('m'))]);
    const rejection = {
      node: refusal === 'elsewhere' ? 'm' : 'n',
      plugin: 'x',
      refusal: refusal === 'resolvable' ? refuse('x') : refuseForGood('x'),
    };
    expect(mayPreempt(wanted, snapshot, [rejection])).toBe(may);
  });
});

test('only nodes on which fewer pods help are looked at, and pods that have not started are victims in the order of their coming', () => {
  const nodes = [
    withPods(node('a', { allocatable: { cpu: '2' } }), running('x', 1), running('y', 1)),
    withPods(node('b', { allocatable: { cpu: '2' } }), running('z', 1), running('w', 1)),
  ];
  const wanted = pod('p', { requests: { cpu: '2' }, spec: { priority: 5 } });
  const snapshot = new Snapshot(nodes);
  const candidates = findCandidates({
    ...{
      pod: wanted,
      snapshot,
      filters: Filters.prepare(plugins, cycle(wanted, nodes)),
      budgets: [],
      nominatedOn: () => [],
      offset: () => 1,
    },
    rejections: [
      { node: 'b', plugin: 'x', refusal: refuseForGood('x') },
      { node: 'a', plugin: 'x', refusal: refuse('y') },
    ],
    args: { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 },
  });
  expect(candidates.map(({ node: name, victims }) => [name, victims.map(({ metadata }) => metadata.name)])).toEqual([
    ['a', ['y', 'x']],
  ]);
});

test('a pod that is refused everywhere is refused on each node', () => {
  const wanted = pod('p', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'gone' } }] } });
  const nodes = [withPods(node('a')), withPods(node('b'))];
  const { feasible, rejections, asked } = runFilters(cycle(wanted, nodes), { plugins, nominatedOn: () => [] }, 0);
  expect([feasible, rejections.map(({ node: name }) => name), asked]).toEqual([[], ['a', 'b'], 0]);
  expect(whyNone(2, rejections)).toBe('0/2 nodes are available: 2 persistentvolumeclaim "gone" not found.');
  expect(whyNone(0, [])).toBe('no nodes available to schedule pods');
});

test('the highest total is picked, a random one among equals', () => {
  const int = (below: number): number => below - 1;
  expect([pick([1, 3, 2], { int }), pick([3, 1, 3], { int }), pick([2, 2, 2], { int: () => 1 })]).toEqual([1, 2, 1]);
});

test.each<[nodes: number, percentage: number, found: number]>([
  [99, 0, 99],
  [99, 5, 99],
  [100, 0, 100],
  [101, 0, 100],
  [1000, 0, 420],
  [5000, 0, 500],
  [6000, 0, 300],
  [10_000, 0, 500],
  [1000, 30, 300],
  [200, 30, 100],
  [1000, 100, 1000],
  [1000, 150, 1000],
])('of %i nodes, with a percentage of %i, %i are enough', (nodes, percentage, found) => {
  expect(feasibleNodesToFind(nodes, percentage)).toBe(found);
});

describe('the victims on a node', () => {
  const victims = (
    wanted: Pod,
    nodes: readonly NodeInfo[],
    more: Partial<Parameters<typeof findCandidates>[0]> = {},
  ): [string, string[]][] =>
    findCandidates({
      ...{ pod: wanted, snapshot: new Snapshot(nodes), filters: Filters.prepare(plugins, cycle(wanted, nodes)) },
      ...{ budgets: [], nominatedOn: () => [], offset: () => 1, rejections: [] },
      args: { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 },
      ...more,
    }).map((each) => [each.node, each.victims.map(({ metadata }) => metadata.name ?? '')]);
  const wanted = pod('p', { requests: { cpu: '2' }, spec: { priority: 5 } });
  const small = (name: string, ...pods: Pod[]): NodeInfo =>
    withPods(node(name, { allocatable: { cpu: '2' } }), ...pods);

  test('are none where all pods are as important, even where the filters let the pod in', () => {
    expect(
      victims(wanted, [small('a'), small('b', pod('x', { spec: { priority: 5 } })), small('c', running('y', 1))]),
    ).toEqual([['c', ['y']]]);
  });

  test('are those that came last of those that started at the same time', () => {
    const nodes = [small('a', running('x', 1, at(1)), running('y', 1, at(1)))];
    const one = pod('p', { requests: { cpu: '1' }, spec: { priority: 5 } });
    expect(victims(one, nodes)).toEqual([['a', ['y']]]);
  });

  const guarding = (selector: object): PodDisruptionBudget =>
    ({ metadata: { name: 'b', namespace: 'ns' }, spec: { selector }, status: { disruptionsAllowed: 0 } }) as never;
  test.each<[string, labels: Record<string, string>, budget: PodDisruptionBudget, guarded: boolean]>([
    ['with the labels of a budget', { app: 'a' }, guarding({ matchLabels: { app: 'a' } }), true],
    ['with other labels', { app: 'b' }, guarding({ matchLabels: { app: 'a' } }), false],
    ['of a budget for all', { app: 'a' }, guarding({}), false],
    [
      'without labels, though a budget wants it so',
      {},
      guarding({ matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] }),
      false,
    ],
    [
      'of a budget of another namespace',
      { app: 'a' },
      { ...guarding({ matchLabels: { app: 'a' } }), metadata: { name: 'b', namespace: 'other' } } as never,
      false,
    ],
  ])('are guarded or not: a pod %s', (_, labels, budget, guarded) => {
    const labelled = running('x', 1);
    const nodes = [small('a', { ...labelled, metadata: { ...labelled.metadata, labels } })];
    const [candidate] = findCandidates({
      ...{ pod: wanted, snapshot: new Snapshot(nodes), filters: Filters.prepare(plugins, cycle(wanted, nodes)) },
      ...{ budgets: [budget], nominatedOn: () => [], offset: () => 0, rejections: [] },
      args: { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 },
    });
    expect(candidate?.violations).toBe(guarded ? 1 : 0);
  });

  test.each<[string, percentage: number, absolute: number, found: string[]]>([
    ['all, from the first', 10, 100, ['a', 'b', 'c', 'd']],
    ['all of exactly as many', 10, 4, ['a', 'b', 'c', 'd']],
    ['as many as are enough, from the offset', 10, 3, ['b', 'c', 'd']],
    ['a share of them', 50, 1, ['b', 'c']],
    ['the larger of both', 75, 2, ['b', 'c', 'd']],
  ])('are looked for on nodes: %s', (_, minCandidateNodesPercentage, minCandidateNodesAbsolute, found) => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => small(name, running(`on-${name}`, 1)));
    const args = { minCandidateNodesPercentage, minCandidateNodesAbsolute };
    expect(victims(wanted, nodes, { args }).map(([name]) => name)).toEqual(found);
  });

  test('are looked for until one node violates no budget, those that do counted', () => {
    const guarded = (name: string): Pod => {
      const made = running(name, 1);
      return { ...made, metadata: { ...made.metadata, labels: { app: 'a' } } };
    };
    const nodes = [small('a', guarded('x')), small('b', running('y', 1)), small('c', running('z', 1))];
    const args = { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 2 };
    const budgets = [guarding({ matchLabels: { app: 'a' } })];
    expect(victims(wanted, nodes, { args, budgets, offset: () => 0 }).map(([name]) => name)).toEqual(['b', 'a']);
  });

  test('do not help where the pod needs one that may never come', () => {
    const near = {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'cluster.io/hostname' },
        ],
      },
    };
    const social = pod('p', { requests: { cpu: '1' }, spec: { priority: 5, affinity: near } });
    const nodes = [small('a', running('x', 1), running('y', 1))];
    const nominated = [podInfoOf(pod('db', { labels: { app: 'db' }, spec: { priority: 9 } }))];
    expect(victims(social, nodes, { nominatedOn: () => nominated })).toEqual([]);
    const there = [
      small('a', running('x', 1), running('y', 1), pod('db', { labels: { app: 'db' }, spec: { priority: 9 } })),
    ];
    expect(victims(social, there)).toEqual([['a', ['x']]]);
  });
});

describe('more of the queue', () => {
  let clock: ReturnType<typeof manualClock>;
  let events: TraceEvent[];
  let queue: SchedulingQueue;
  beforeEach(() => {
    clock = manualClock(0);
    events = [];
    const tracer = createTracer(clock);
    tracer.listen((event) => events.push(event), ['scheduling']);
    queue = new SchedulingQueue(clock, tracer, { first: 1000, longest: 8000 });
  });
  const told = (): string[] =>
    events.splice(0).map((event) => {
      const { what, why, pod: key } = event as unknown as Record<string, string>;
      return `${key} ${what}: ${why}`;
    });
  const fail = async (name: string, times = 1): Promise<void> => {
    for (let i = 0; i < times; i++) {
      queue.update(pod(name, { labels: { i: String(i) } }));
      queue.addUnschedulable((await queue.pop()) as Queued, 'no room');
    }
  };
  const important = (name: string, priority: number): Pod => pod(name, { spec: { priority } });

  test('gives and shows the most important first, then those that have waited longest', async () => {
    for (const [name, priority] of [
      ['b', 1],
      ['e', -1],
      ['a', 5],
      ['d', 0],
      ['c', 1],
    ] as const) {
      queue.add(important(name, priority));
      await clock.step(1);
    }
    expect(queue.lanes().active.map(({ pod: key }) => key)).toEqual(['ns/a', 'ns/b', 'ns/c', 'ns/d', 'ns/e']);
    expect(queue.lanes().active[0]).toEqual({ pod: 'ns/a', uid: 'uid-a', priority: 5, attempts: 0, since: 2 });
    const given: string[] = [];
    while (queue.lengths.active > 0) given.push(((await queue.pop()) as Queued).pod.metadata.name ?? '');
    expect(given).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('ends back-offs in the order of their ends', async () => {
    await fail('slow', 3);
    await fail('quick');
    await clock.step(10);
    await fail('later');
    queue.moveAll('a node was added', 'NodeAdd');
    expect(queue.backingOff()).toEqual([
      { key: 'ns/quick', due: 1000 },
      { key: 'ns/later', due: 1010 },
      { key: 'ns/slow', due: 4000 },
    ]);
    expect(queue.lanes().backoff.map(({ pod: key, until }) => [key, until])).toEqual([
      ['ns/quick', 1000],
      ['ns/later', 1010],
      ['ns/slow', 4000],
    ]);
    told();
    await clock.step(990);
    expect([told(), queue.lengths]).toEqual([
      ['ns/quick moved: its backoff has passed'],
      { active: 1, backoff: 2, unschedulable: 0 },
    ]);
    await clock.step(3000);
    expect(told()).toEqual(['ns/later moved: its backoff has passed', 'ns/slow moved: its backoff has passed']);
  });

  test('forgets the end of a back-off that the pod has left, also where it waits again', async () => {
    await fail('p');
    queue.moveAll('a node was added', 'NodeAdd');
    queue.update(pod('p', { labels: { changed: 'yes' } }));
    queue.addUnschedulable((await queue.pop()) as Queued, 'no room');
    await clock.step(500);
    queue.moveAll('a node was added', 'NodeAdd');
    told();
    await clock.step(500);
    expect([told(), queue.lengths.backoff]).toEqual([[], 1]);
    await clock.step(1000);
    expect(told()).toEqual(['ns/p moved: its backoff has passed']);
  });

  test('wakes a pod at once whose back-off has just ended', async () => {
    await fail('p');
    await clock.step(1000);
    told();
    queue.moveAll('a node was added', 'NodeAdd');
    expect(told()).toEqual(['ns/p moved: a node was added']);
  });

  test('keeps what is known of a pod that comes again', async () => {
    await fail('p');
    told();
    queue.add(pod('p', { labels: { i: '0' } }));
    expect([told(), queue.lengths]).toEqual([[], { active: 0, backoff: 0, unschedulable: 1 }]);
    queue.add(pod('q'));
    queue.add(pod('q'));
    queue.update(pod('q', { labels: { changed: 'yes' } }));
    expect([told(), queue.lengths.active]).toEqual([['ns/q queued: it has no node'], 1]);
    expect(((await queue.pop()) as Queued).pod.metadata.labels).toEqual({ changed: 'yes' });
  });

  test('queues a changed pod that it does not know', () => {
    queue.update(pod('p'));
    expect(told()).toEqual(['ns/p queued: the pod was changed']);
  });

  test('can be paused, stepped and closed before anybody asks', async () => {
    queue.setPaused(true);
    queue.step();
    queue.add(pod('p'));
    queue.close();
    expect(await queue.pop()).toBeUndefined();
  });

  test('makes nothing for a trace to which nobody listens', () => {
    const emit = vi.fn();
    const silent = { ...createTracer(clock), wants: () => false, emit };
    const quiet = new SchedulingQueue(clock, silent);
    quiet.add(pod('p'));
    const trace = new SchedulingTrace(silent);
    trace.filtered(pod('p'), [], []);
    trace.scored(pod('p'), [], { columns: [], totals: [] });
    trace.bound(pod('p'), 'n');
    trace.preempting(pod('p'), 'n', []);
    trace.failed(pod('p'), 'no room');
    expect(emit).not.toHaveBeenCalled();
  });

  test('creates no event if nobody listens, and still calls `heard`', () => {
    const tracer = createTracer(clock);
    const [heard, emit] = [vi.fn(), vi.fn()];
    tracer.hear(heard, 'scheduling');
    const hearing = { ...tracer, emit };
    new SchedulingQueue(clock, hearing).add(pod('p'));
    expect(heard).toHaveBeenCalledTimes(1);
    new SchedulingTrace(hearing).bound(pod('p'), 'n');
    expect(heard).toHaveBeenCalledTimes(2);
    expect(emit).not.toHaveBeenCalled();
  });
});
