/** What the scheduler knows of nodes and pods after changes in any order, against what is there. */
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Node, Pod } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { SchedulerCache } from '../../src/scheduler/cache.ts';
import { NodeOrder } from '../../src/scheduler/framework/nodeOrder.ts';
import type { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import { selectorOfLabels } from '../../src/schema/index.ts';
import { node, pod } from './objects.ts';

const NODES = ['n1', 'n2', 'n3', 'n4'];
const PODS = ['p1', 'p2', 'p3'];
const APPS = ['a', 'b'];

/** A pod with everything that a node counts. */
function somePod(name: string, nodeName: string | undefined, app: string, leaving = false): Pod {
  const repelled = { labelSelector: { matchLabels: { app } }, topologyKey: 'zone' };
  const made = pod(name, {
    labels: { app },
    requests: { cpu: '1', memory: '1Gi', 'x.org/gpu': '1' },
    spec: {
      ...(nodeName !== undefined && { nodeName }),
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [repelled] } },
      ...(name !== 'p3' && { volumes: [{ name: 'v', gcePersistentDisk: { pdName: name } }] }),
    },
  });
  const [container] = made.spec.containers ?? [];
  const containers = [{ ...container, ports: name === 'p1' ? [{ containerPort: 80, hostPort: 8080 }] : [] }];
  const metadata = { ...made.metadata, ...(leaving && { deletionTimestamp: '2026-01-01T00:00:00Z' }) };
  return { ...made, metadata, spec: { ...made.spec, containers } } as Pod;
}

const someNode = (name: string, zone: string, cpu: string): Node =>
  node(name, { labels: { 'topology.cluster.io/zone': zone, zone }, allocatable: { cpu } });

type Step =
  | { do: 'node'; name: string; zone: string; cpu: string }
  | { do: 'pod'; name: string; on: string; app: string; leaving: boolean }
  | { do: 'assume'; name: string; on: string; app: string }
  | { do: 'removeNode' | 'removePod' | 'forget' | 'look'; name: string };

const aNode = fc.constantFrom(...NODES);
const aPod = fc.constantFrom(...PODS);
const app = fc.constantFrom(...APPS);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('node' as const),
    name: aNode,
    zone: fc.constantFrom('x', 'y'),
    cpu: fc.constantFrom('4', '8'),
  }),
  fc.record({ do: fc.constant('pod' as const), name: aPod, on: aNode, app, leaving: fc.boolean() }),
  fc.record({ do: fc.constant('assume' as const), name: aPod, on: aNode, app }),
  fc.record({ do: fc.constantFrom('removeNode' as const), name: aNode }),
  fc.record({ do: fc.constantFrom('removePod' as const, 'forget' as const), name: aPod }),
  fc.record({ do: fc.constant('look' as const), name: fc.constant('') }),
);

/** The nodes and pods that there are. */
class Model {
  readonly nodes = new Map<string, Node>();
  readonly pods = new Map<string, { pod: Pod; on: string; assumed: boolean }>();

  apply(step: Step, cache: SchedulerCache): void {
    const { name } = step;
    const known = this.pods.get(name);
    switch (step.do) {
      case 'node':
        this.nodes.set(name, someNode(name, step.zone, step.cpu));
        return cache.setNode(this.nodes.get(name) as Node);
      case 'removeNode':
        this.nodes.delete(name);
        return cache.removeNode(name);
      case 'pod': {
        const made = somePod(name, step.on, step.app, step.leaving);
        this.pods.set(name, { pod: made, on: step.on, assumed: false });
        return cache.setPod(made);
      }
      case 'assume': {
        // Only a pod that has no place yet is assumed.
        if (known) return;
        const made = somePod(name, undefined, step.app);
        this.pods.set(name, { pod: made, on: step.on, assumed: true });
        return cache.assume(made, step.on);
      }
      case 'removePod':
        this.pods.delete(name);
        return cache.removePod(somePod(name, undefined, 'a'));
      case 'forget':
        if (known?.assumed) this.pods.delete(name);
        return cache.forget(somePod(name, undefined, 'a'));
      case 'look':
        cache.snapshot();
    }
  }

  describe(): unknown {
    const nodes = [...this.nodes].map(([name, { status }]) => {
      const there = [...this.pods]
        .filter(([, { on }]) => on === name)
        .map(([pod]) => pod)
        .sort();
      return {
        ...{ name, pods: there, room: Number(status.allocatable?.cpu) * 1000 },
        ...{ cpu: there.length * 1000, gpus: there.length, nonZero: there.length * 1000 },
        ports: there.includes('p1') ? [8080] : [],
        disks: there.filter((pod) => pod !== 'p3'),
      };
    });
    const all = [...this.pods.values()];
    const groups = APPS.map((name) =>
      all
        .filter(({ pod: { metadata } }) => metadata.labels?.['app'] === name)
        .map(({ on }) => on)
        .sort(),
    );
    const leaving = all
      .filter(({ pod: { metadata } }) => metadata.deletionTimestamp !== undefined)
      .map(({ on }) => on)
      .sort();
    const sizes = {
      nodes: this.nodes.size,
      pods: this.pods.size,
      assumed_pods: all.filter(({ assumed }) => assumed).length,
    };
    return { nodes: nodes.sort((a, b) => (a.name < b.name ? -1 : 1)), groups, terms: groups, leaving, sizes };
  }
}

/** The nodes of counts, each as often as it counts. */
const spread = (counts: Iterable<readonly [string, number]>): string[] =>
  [...counts].flatMap(([name, count]) => Array<string>(count).fill(name)).sort();

function describeCache(cache: SchedulerCache): unknown {
  const snapshot: Snapshot = cache.snapshot();
  const index = snapshot.podIndex;
  const nodes = snapshot.nodes.map((info) => ({
    ...{
      name: info.name,
      pods: info.pods.map(({ pod: { metadata } }) => metadata.name ?? '').sort(),
      room: info.allocatable.cpu,
    },
    ...{
      cpu: info.requested.cpu,
      gpus: info.requested.scalars.get('x.org/gpu') ?? 0,
      nonZero: info.nonZeroRequested.cpu,
    },
    ports: info.ports.map(({ port }) => port),
    disks: info.podsWithDisks.map(({ pod: { metadata } }) => metadata.name ?? '').sort(),
  }));
  const groups = APPS.map((name) =>
    spread(index.matching(['ns', 'ns'], selectorOfLabels({ app: name })).flatMap((group) => [...group.nodes])),
  );
  const terms = APPS.map((name) =>
    spread(
      [...index.terms('requiredAntiAffinity')]
        .filter(({ term }) => term.selector.matches({ app: name }))
        .flatMap((placed) => [...placed.nodes]),
    ),
  );
  const leaving = spread(
    [...index.in('ns')].filter(({ isTerminating }) => isTerminating).flatMap((group) => [...group.nodes]),
  );
  expect(snapshot.nodes.map(({ name }) => snapshot.get(name)?.name)).toEqual(snapshot.nodes.map(({ name }) => name));
  return { nodes: nodes.sort((a, b) => (a.name < b.name ? -1 : 1)), groups, terms, leaving, sizes: cache.sizes };
}

test('the cache is what is there, after any changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const [model, cache] = [new Model(), new SchedulerCache(namesOf('cluster.io'))];
      for (const each of steps) model.apply(each, cache);
      expect(describeCache(cache)).toEqual(model.describe());
    }),
    { seed: 20260102, numRuns: 300 },
  );
});

describe('the order of nodes', () => {
  const names = (cache: SchedulerCache): string[] => cache.snapshot().nodes.map(({ name }) => name);

  test('alternates between zones, each in the order of its nodes', () => {
    const cache = new SchedulerCache(namesOf('cluster.io'));
    for (const [name, zone] of [
      ['a', 'x'],
      ['b', 'x'],
      ['c', 'x'],
      ['d', 'y'],
      ['e', 'z'],
      ['f', 'z'],
    ] as const)
      cache.setNode(someNode(name, zone, '1'));
    expect(names(cache)).toEqual(['a', 'd', 'e', 'b', 'f', 'c']);
    cache.setNode(someNode('b', 'y', '1'));
    expect(names(cache)).toEqual(['a', 'd', 'e', 'c', 'b', 'f']);
    cache.setNode(someNode('a', 'x', '2'));
    expect(names(cache)).toEqual(['a', 'd', 'e', 'c', 'b', 'f']);
    cache.removeNode('a');
    cache.removeNode('gone');
    expect(names(cache)).toEqual(['c', 'd', 'e', 'b', 'f']);
  });

  test.each<[string, labels: Record<string, string>[], order: string[]]>([
    [
      'by the older label first',
      [
        { 'failure-domain.beta.cluster.io/zone': 'x' },
        { 'failure-domain.beta.cluster.io/zone': 'x', 'topology.cluster.io/zone': 'y' },
        { 'topology.cluster.io/zone': 'y' },
      ],
      ['0', '2', '1'],
    ],
    [
      'by the region as well',
      [
        { 'topology.cluster.io/region': 'r', 'topology.cluster.io/zone': 'x' },
        { 'topology.cluster.io/region': 'r', 'topology.cluster.io/zone': 'x' },
        { 'topology.cluster.io/region': 's', 'topology.cluster.io/zone': 'x' },
      ],
      ['0', '2', '1'],
    ],
    ['as one zone without labels', [{}, {}, { 'topology.cluster.io/zone': 'x' }], ['0', '2', '1']],
  ])('knows zones %s', (_, labels, order) => {
    const cache = new SchedulerCache(namesOf('cluster.io'));
    for (const [i, each] of labels.entries()) cache.setNode(node(String(i), { labels: each }));
    expect(names(cache)).toEqual(order);
  });
});

test('a snapshot stays as it is', () => {
  const cache = new SchedulerCache(namesOf('cluster.io'));
  cache.setNode(someNode('a', 'x', '1'));
  const before = cache.snapshot();
  cache.setNode(someNode('b', 'x', '1'));
  cache.setPod(somePod('p1', 'a', 'a'));
  cache.setNode(someNode('a', 'x', '2'));
  expect([
    before.nodes.map(({ name, pods, allocatable }) => [name, pods.length, allocatable.cpu]),
    before.get('b'),
  ]).toEqual([[['a', 0, 1000]], undefined]);
  expect(cache.snapshot()).toBe(cache.snapshot());
});

describe('the pods of a node', () => {
  let cache: SchedulerCache;
  beforeEach(() => {
    cache = new SchedulerCache(namesOf('cluster.io'));
    cache.setNode(node('a'));
    for (const name of ['x', 'y', 'z']) cache.setPod(pod(name, { spec: { nodeName: 'a' }, requests: { cpu: '1' } }));
  });
  const there = (name = 'a'): unknown =>
    cache
      .snapshot()
      .get(name)
      ?.pods.map(({ pod: { metadata } }) => metadata.name);

  test('keep their places when they change, and are known as they are now', () => {
    cache.setPod(pod('x', { spec: { nodeName: 'a' }, requests: { cpu: '1' }, labels: { app: 'new' } }));
    expect([there(), cache.snapshot().get('a')?.pods[0]?.labels, cache.snapshot().get('a')?.requested.cpu]).toEqual([
      ['x', 'y', 'z'],
      { app: 'new' },
      3000,
    ]);
    cache.setPod(pod('y', { spec: { nodeName: 'b' }, requests: { cpu: '1' } }));
    expect([there(), cache.sizes.pods]).toEqual([['x', 'z'], 3]);
  });

  test('wait for it while it is gone, as they change and go', () => {
    cache.removeNode('a');
    expect([there(), cache.sizes]).toEqual([undefined, { nodes: 0, pods: 3, assumed_pods: 0 }]);
    cache.setPod(pod('x', { spec: { nodeName: 'a' }, requests: { cpu: '1' }, labels: { app: 'new' } }));
    cache.removePod(pod('y'));
    cache.removePod(pod('unknown'));
    cache.setNode(node('a'));
    expect([there(), cache.snapshot().get('a')?.pods[0]?.labels]).toEqual([['x', 'z'], { app: 'new' }]);
    cache.removeNode('a');
    for (const name of ['x', 'z']) cache.removePod(pod(name));
    cache.setNode(node('a'));
    expect([there(), cache.sizes]).toEqual([[], { nodes: 1, pods: 0, assumed_pods: 0 }]);
  });

  test('are the assumed ones, too, until that is taken back or seen', () => {
    const assumed = pod('new', { requests: { cpu: '1' } });
    cache.assume(assumed, 'a');
    expect([there(), cache.isAssumed(assumed), cache.sizes.assumed_pods]).toEqual([['x', 'y', 'z', 'new'], true, 1]);
    cache.forget(assumed);
    cache.forget(pod('x'));
    expect([there(), cache.isAssumed(assumed)]).toEqual([['x', 'y', 'z'], false]);
    cache.assume(assumed, 'a');
    cache.setPod(pod('new', { spec: { nodeName: 'a' } }));
    cache.forget(assumed);
    expect([there(), cache.sizes.assumed_pods]).toEqual([['x', 'y', 'z', 'new'], 0]);
  });
});

test('the nodes are not sorted again for each node that is removed', () => {
  const cache = new SchedulerCache(namesOf('cluster.io'));
  const all = Array.from({ length: 1000 }, (_, i) => `n${i}`);
  for (const name of all) cache.setNode(someNode(name, 'x', '4'));
  const before = cache.snapshot();
  const sort = vi.spyOn(NodeOrder.prototype, 'list');
  onTestFinished(() => sort.mockRestore());
  for (const name of all.slice(1)) cache.removeNode(name);
  expect(cache.sizes.nodes).toBe(1);
  expect(sort.mock.calls.length).toBeLessThan(12);
  expect(cache.snapshot().nodes.map(({ name }) => name)).toEqual(['n0']);
  expect([before.nodes.length, before.get('n999')?.name]).toEqual([1000, 'n999']);
});

test('an image counts the nodes that have it', () => {
  const cache = new SchedulerCache(namesOf('cluster.io'));
  const having = (name: string, ...images: readonly [string, number?][]): ReturnType<typeof node> => {
    const made = node(name);
    const listed = images.map(([image, sizeBytes]) => ({ names: [image, image], ...(sizeBytes && { sizeBytes }) }));
    return { ...made, status: { ...made.status, images: [...listed, { names: null as never, sizeBytes: 1 }] } };
  };
  const images = (name: string): unknown => Object.fromEntries(cache.snapshot().get(name)?.images ?? []);
  cache.setNode(having('a', ['x', 5], ['y']));
  cache.setNode(having('b', ['x', 7]));
  expect([images('a'), images('b')]).toEqual([
    { x: { size: 5, nodes: 1 }, y: { size: 0, nodes: 1 } },
    { x: { size: 5, nodes: 2 } },
  ]);
  cache.setNode(having('a', ['x', 5]));
  cache.setNode(having('c', ['y', 3]));
  expect([images('a'), images('c')]).toEqual([{ x: { size: 5, nodes: 2 } }, { y: { size: 3, nodes: 1 } }]);
  cache.removeNode('a');
  cache.setNode(having('d', ['x', 9]));
  expect(images('d')).toEqual({ x: { size: 5, nodes: 2 } });
  cache.removeNode('b');
  cache.removeNode('d');
  cache.setNode(having('e', ['x', 9]));
  expect([images('e'), images('none')]).toEqual([{ x: { size: 9, nodes: 1 } }, {}]);
});
