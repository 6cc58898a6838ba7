/** What the overview of scheduling tells of nodes, lanes and profiles. */
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { SchedulerCache } from '../../src/scheduler/cache.ts';
import type { Decision } from '../../src/scheduler/decisions.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import { overviewOf } from '../../src/scheduler/questions/overview.ts';
import type { Lane, Waiting } from '../../src/scheduler/queue.ts';
import type { SchedulerNow } from '../../src/scheduler/scheduler.ts';
import { node, pod } from './objects.ts';

const names = namesOf('cluster.io');

const NO_LANES = { active: [], backoff: [], unschedulable: [] };

interface Given {
  readonly nodes?: readonly ReturnType<typeof node>[];
  readonly placed?: readonly (readonly [Pod, string])[];
  readonly lanes?: Partial<Record<Lane, readonly Waiting[]>>;
  readonly refusedBy?: Readonly<Record<string, readonly string[]>>;
}

function overview({ nodes = [], placed = [], lanes = {}, refusedBy = {} }: Given) {
  const cache = new SchedulerCache(names);
  for (const each of nodes) cache.setNode(each);
  for (const [each, on] of placed) cache.assume(each, on);
  const now = {
    ...{ at: 7, cache, listers: { names }, extenders: [{ name: 'https://x' }] },
    queue: { lanes: () => ({ ...NO_LANES, ...lanes }) },
    profiles: new Map([['mine', { name: 'mine', plugins }]]),
    pod: (key: string) => (Object.hasOwn(refusedBy, key) ? pod(key) : undefined),
    decisionAbout: ({ metadata }: Pod) => ({ refusedBy: refusedBy[metadata.name ?? ''] }) as Partial<Decision>,
  } as unknown as SchedulerNow;
  return overviewOf(now, true);
}

const waiting = (key: string, reason?: string): Waiting =>
  ({ pod: key, uid: key, priority: 0, attempts: 1, since: 0, ...(reason && { reason }) }) as unknown as Waiting;
const owned = (name: string, owner: string, cpu: string): Pod => {
  const made = pod(name, { requests: { cpu } });
  const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true };
  return { ...made, metadata: { ...made.metadata, ownerReferences: [reference] } };
};

describe('a node', () => {
  test.each<[string, Record<string, string>, string]>([
    ['has the zone of its label', { 'topology.cluster.io/zone': 'x', 'failure-domain.beta.cluster.io/zone': 'y' }, 'x'],
    ['has the zone of its older label', { 'failure-domain.beta.cluster.io/zone': 'y' }, 'y'],
    ['has none without a label', {}, ''],
  ])('%s', (_, labels, zone) => {
    expect(overview({ nodes: [node('n', { labels })] }).nodes[0]?.zone).toBe(zone);
  });

  test('tells its taints, and whether it is cordoned', () => {
    const taints = [
      { key: 'a', value: 'b', effect: 'NoSchedule' },
      { key: 'c', effect: 'NoExecute' },
    ];
    const nodes = [node('n', { spec: { taints, unschedulable: true } as never }), node('m')];
    const [n, m] = overview({ nodes }).nodes;
    expect([n?.unschedulable, n?.taints, m?.unschedulable, m?.taints]).toEqual([
      true,
      ['a=b:NoSchedule', 'c:NoExecute'],
      false,
      [],
    ]);
  });

  test('tells what is requested of what it has; storage where some is requested, the rest where it has some', () => {
    const plain = node('n', { allocatable: { 'ephemeral-storage': '5', 'x.io/gpu': '2', 'x.io/none': '0' } });
    const [{ resources }] = overview({
      nodes: [plain],
      placed: [[pod('p', { requests: { cpu: '1', 'x.io/gpu': '1' } }), 'n']],
    }).nodes as [never] as [{ resources: readonly object[] }];
    expect(resources).toEqual([
      { name: 'cpu', allocatable: 4000, requested: 1000 },
      { name: 'memory', allocatable: 8 * 2 ** 30, requested: 0 },
      { name: 'pods', allocatable: 10, requested: 1 },
      { name: 'x.io/gpu', allocatable: 2, requested: 1 },
    ]);
    const stored = overview({ nodes: [plain], placed: [[pod('p', { requests: { 'ephemeral-storage': '3' } }), 'n']] });
    expect(stored.nodes[0]?.resources).toContainEqual({ name: 'ephemeral-storage', allocatable: 5, requested: 3 });
  });

  test('tells who requests it: the largest first, then those with the most pods', () => {
    const placed = [
      owned('a', 'small', '100m'),
      owned('b', 'large', '1'),
      owned('c', 'large', '1'),
      pod('d', { requests: { cpu: '100m' } }),
      owned('e', 'many', '50m'),
      owned('f', 'many', '50m'),
    ];
    const { shares } =
      overview({ nodes: [node('n')], placed: placed.map((each) => [each, 'n'] as const) }).nodes[0] ?? {};
    expect(shares).toEqual([
      { owner: 'ReplicaSet/large', namespace: 'ns', pods: 2, amounts: [2000, 0, 2] },
      { owner: 'ReplicaSet/many', namespace: 'ns', pods: 2, amounts: [100, 0, 2] },
      { owner: 'ReplicaSet/small', namespace: 'ns', pods: 1, amounts: [100, 0, 1] },
      { owner: 'Pod/d', namespace: 'ns', pods: 1, amounts: [100, 0, 1] },
    ]);
  });

  test.each([
    [12, 12, { pods: 1, owner: 'Pod/p11' }],
    [14, 12, { pods: 3, owner: '', namespace: '', amounts: [60, 0, 3] }],
  ])('with %i owners names %i of them', (count, shown, last) => {
    const placed = Array.from(
      { length: count },
      (_, i) => [pod(`p${i}`, { requests: { cpu: `${i < 11 ? 100 : 20}m` } }), 'n'] as const,
    );
    const { shares = [] } = overview({ nodes: [node('n', { allocatable: { pods: '99' } })], placed }).nodes[0] ?? {};
    expect(shares).toHaveLength(shown);
    expect(shares.at(-1)).toMatchObject(last);
  });

  test.each([
    [250, 1],
    [251, 0],
  ])('among %i tells of %i owners', (count, shares) => {
    const nodes = Array.from({ length: count }, (_, i) => node(`n${i}`));
    expect(
      overview({ nodes, placed: [[pod('p'), 'n0']] }).nodes.find(({ node: name }) => name === 'n0')?.shares,
    ).toHaveLength(shares);
  });
});

test('a node that has not changed is not told anew', () => {
  const cache = new SchedulerCache(names);
  for (const name of ['a', 'b']) cache.setNode(node(name));
  const now = { cache, listers: { names }, extenders: [], profiles: new Map(), queue: { lanes: () => NO_LANES } };
  const tiles = () => overviewOf(now as unknown as SchedulerNow, true).nodes;
  const [a, b] = tiles();
  cache.assume(pod('p'), 'b');
  const [sameA, otherB] = tiles();
  expect([sameA === a, otherB === b, otherB?.shares.length]).toEqual([true, false, 1]);
});

describe('a lane', () => {
  test('counts all, names fifty, and tells how many wait for what, the most frequent first', () => {
    const all = Array.from({ length: 60 }, (_, i) => waiting(`p${i}`, i < 10 ? 'rare' : i < 55 ? 'often' : undefined));
    const { active, backoff } = overview({ lanes: { active: all } }).lanes;
    expect([active.count, active.first.length, active.first[0]?.pod]).toEqual([60, 50, 'p0']);
    expect(active.reasons).toEqual([
      { reason: 'often', count: 45 },
      { reason: 'rare', count: 10 },
    ]);
    expect(backoff).toEqual({ count: 0, first: [], reasons: [] });
  });

  test('tells of fifty reasons at most', () => {
    const all = Array.from({ length: 60 }, (_, i) => waiting(`p${i}`, `reason ${i}`));
    expect(overview({ lanes: { backoff: all } }).lanes.backoff.reasons).toHaveLength(50);
  });

  test('names what could help a pod that was refused', () => {
    const { first } = overview({
      lanes: { unschedulable: [waiting('ns/a'), waiting('ns/b')] },
      refusedBy: { 'ns/a': ['NodeUnschedulable'] },
    }).lanes.unschedulable;
    expect(first[0]?.wakes).toContain('NodeSpecUnschedulableChange');
    expect(first[1]).not.toHaveProperty('wakes');
  });
});

test('each profile lists its filters, and its scores with their weights', () => {
  const { profiles, extenders, at, asksExtenders } = overview({});
  expect([at, extenders, asksExtenders]).toEqual([7, ['https://x'], true]);
  expect(profiles[0]?.name).toBe('mine');
  expect(profiles[0]?.filters).toContain('NodeResourcesFit');
  expect(profiles[0]?.filters).not.toContain('ImageLocality');
  expect(profiles[0]?.scores).toContainEqual({ plugin: 'NodePreferAvoidPods', weight: 10_000 });
  expect(profiles[0]?.scores.map(({ plugin }) => plugin)).not.toContain('NodePorts');
});
