import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import type { Pod } from '../../src/client/index.ts';
import { asIfWaiting, situationWith } from '../../src/scheduler/questions/draft.ts';
import {
  remediesFor,
  tippingPoints,
  winnersOf,
  type Remedy,
  type Situation,
} from '../../src/scheduler/questions/index.ts';
import { withRequest } from '../../src/scheduler/questions/tipping.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import { cycle, node, pod, withPods } from './objects.ts';
import { someNodes, somePod } from './randomClusters.ts';

const settings = { seed: 20260214, numRuns: 100 };

function situation(nodes: readonly NodeInfo[]): Situation {
  return { snapshot: new Snapshot(nodes), listers: cycle(pod('p'), nodes).listers, plugins };
}

const asking = (name: string, cpu: string, spec = {}) => pod(name, { requests: { cpu }, spec });

describe('a draft', () => {
  const two = situation([withPods(node('a'), asking('x', '3')), withPods(node('b'))]);
  const ask = (draft: Parameters<typeof situationWith>[1]) => winnersOf(situationWith(two, draft), asking('p', '1'));
  const cordoned = node('b', { spec: { unschedulable: true } });

  test.each([
    ['of nothing changes nothing', {}, ['b']],
    ['of a node', { nodes: [cordoned] }, ['a']],
    ['of a new node', { nodes: [node('c', { allocatable: { cpu: '64', memory: '256Gi' } })] }, ['c']],
    ['without a node', { withoutNodes: ['b'] }, ['a']],
    ['without a pod', { withoutPods: ['ns/x'] }, ['a', 'b']],
    ['of weights', { weights: Object.fromEntries(plugins.map(({ name }) => [name, 0])) }, ['a', 'b']],
  ])('%s', async (_, draft, winners) => expect(await ask(draft)).toEqual(winners));

  const info = (name: string, draft: Parameters<typeof situationWith>[1]): NodeInfo | undefined =>
    situationWith(two, draft).snapshot.get(name);

  test('of nothing leaves the nodes as they are', () => {
    expect(situationWith(two, {}).snapshot).toBe(two.snapshot);
    expect(situationWith(two, { weights: { NodeAffinity: 2 } }).snapshot).toBe(two.snapshot);
  });

  test('of a node leaves its pods there, except for those that go', () => {
    const podsOf = (draft: Parameters<typeof situationWith>[1]): string[] | undefined =>
      info('a', draft)?.pods.map(({ pod: { metadata } }) => metadata.name ?? '');
    expect(podsOf({ nodes: [node('a', { allocatable: { cpu: '1' } })] })).toEqual(['x']);
    expect(podsOf({ nodes: [node('a')], withoutPods: ['ns/x'] })).toEqual([]);
    expect(podsOf({ withoutPods: ['other/x', 'ns/y'] })).toEqual(['x']);
    expect(podsOf({ withoutNodes: ['a'], nodes: [node('a')] })).toEqual([]);
    expect(podsOf({ withoutNodes: ['a'] })).toBeUndefined();
  });

  test('of a node counts its images beside those of the others', () => {
    const withImages = (name: string, ...images: [string, number][]): ReturnType<typeof node> => {
      const made = node(name);
      const listed = images.map(([image, sizeBytes]) => ({ names: [image], sizeBytes }));
      return { ...made, status: { ...made.status, images: listed } };
    };
    const now = situation([
      withPods(withImages('a', ['x', 5], ['y', 7])),
      withPods(withImages('b', ['x', 5])),
      withPods(node('c')),
    ]);
    const imagesOf = (name: string, draft: Parameters<typeof situationWith>[1]): unknown =>
      Object.fromEntries(situationWith(now, draft).snapshot.get(name)?.images ?? []);
    expect(imagesOf('b', { nodes: [withImages('b', ['x', 9], ['z', 3])] })).toEqual({
      x: { size: 5, nodes: 2 },
      z: { size: 3, nodes: 1 },
    });
    expect(imagesOf('new', { nodes: [withImages('new', ['x', 9], ['y', 9])] })).toEqual({
      x: { size: 5, nodes: 3 },
      y: { size: 7, nodes: 2 },
    });
    expect(imagesOf('new', { nodes: [withImages('new', ['y', 9])], withoutNodes: ['a'] })).toEqual({
      y: { size: 9, nodes: 1 },
    });
    expect(imagesOf('new', { nodes: [node('new')] })).toEqual({});
  });

  test('of weights changes those of scores', () => {
    const weights = { NodeAffinity: 7, NodeName: 3 };
    const changed = situationWith(two, { weights }).plugins;
    expect(changed.find(({ name }) => name === 'NodeAffinity')?.weight).toBe(7);
    const others = (all: typeof plugins) => all.filter(({ name }) => name !== 'NodeAffinity');
    expect(others(changed)).toEqual(others(plugins));
  });

  test('leaves the original unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(someNodes, somePod, async (nodes, p) => {
        const now = situation(nodes);
        const before = await winnersOf(now, p);
        situationWith(now, { nodes: [cordoned], withoutNodes: [nodes[0]?.name ?? ''], weights: { NodeAffinity: 7 } });
        expect(await winnersOf(now, p)).toEqual(before);
      }),
      settings,
    );
  });
});

describe('a pod that has its node', () => {
  const placed = asking('x', '3', { nodeName: 'a' });
  const now = situation([withPods(node('a'), placed), withPods(node('b'))]);

  test('is looked at as if it had none yet', async () => {
    const waiting = asIfWaiting(now, placed);
    expect(waiting.pod.spec.nodeName).toBeUndefined();
    expect(await winnersOf(waiting.situation, waiting.pod)).toEqual(['a', 'b']);
  });

  test.each<[string, Pod]>([
    ['is not there', asking('y', '3', { nodeName: 'a' })],
    ['is gone', asking('x', '3', { nodeName: 'c' })],
  ])('changes no node where it %s', (_, one) => {
    const waiting = asIfWaiting(now, one);
    expect([waiting.situation === now, waiting.pod]).toEqual([true, { ...one, spec: asking('x', '3').spec }]);
  });

  test('is left as it is where it has none', () => {
    const waits = asking('y', '3');
    expect(asIfWaiting(now, waits)).toEqual({ situation: now, pod: waits });
    expect(asIfWaiting(now, waits).pod).toBe(waits);
  });
});

describe('where the winner changes', () => {
  test('is reported for a request, below and above', async () => {
    const nodes = situation([withPods(node('full'), asking('x', '3')), withPods(node('half'), asking('y', '2'))]);
    expect(await tippingPoints(nodes, asking('p', '3'), { of: 'request', resource: 'cpu' })).toEqual({
      now: { value: 3000, winners: [] },
      below: { value: 2000, winners: ['half'] },
    });
    expect((await tippingPoints(nodes, asking('p', '1'), { of: 'request', resource: 'cpu' })).above).toEqual({
      value: 2010,
      winners: [],
    });
  });

  test('is reported for what comes in pieces', async () => {
    const nodes = [1, 4].map((gpus) =>
      withPods(
        node(`has-${gpus}`, { allocatable: { cpu: '4', memory: '8Gi', pods: '10', 'example.com/gpu': String(gpus) } }),
      ),
    );
    const knob = { of: 'request', resource: 'example.com/gpu' } as const;
    expect(await tippingPoints(situation(nodes), withRequest(asking('p', '1'), knob.resource, 2), knob)).toEqual({
      now: { value: 2, winners: ['has-4'] },
      below: { value: 1, winners: ['has-1', 'has-4'] },
      above: { value: 5, winners: [] },
    });
  });

  test('is reported for a weight', async () => {
    const roomy = withPods(node('roomy', { spec: { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] } as never }));
    const nodes = situation([withPods(node('tidy'), asking('x', '2')), roomy]);
    const { now, above } = await tippingPoints(nodes, asking('p', '1'), {
      of: 'weight',
      plugin: 'NodeResourcesLeastAllocated',
    });
    expect(now.winners).toEqual(['tidy']);
    expect(above?.winners).toContain('roomy');
  });

  test('is reported for a priority: from where on room is made', async () => {
    const full = withPods(node('full'), asking('x', '3', { priority: 5 }));
    expect(await tippingPoints(situation([full]), asking('p', '3'), { of: 'priority' })).toEqual({
      now: { value: 0, winners: [] },
      above: { value: 6, winners: [], room: 'full' },
    });
  });

  test.each<[string, Record<string, string>, Record<string, string>, resource: string, expected: object]>([
    [
      'CPU in steps of ten',
      { cpu: '3' },
      { cpu: '3005m' },
      'cpu',
      { now: { value: 3005, winners: [] }, below: { value: 2995, winners: ['n'] } },
    ],
    [
      'CPU down to less than a step',
      { cpu: '3' },
      { cpu: '5m' },
      'cpu',
      { now: { value: 5, winners: ['n'] }, above: { value: 3005, winners: [] } },
    ],
    [
      'memory in mebibytes',
      { memory: '1Gi' },
      { memory: '2Gi' },
      'memory',
      { now: { value: 2 ** 31, winners: [] }, below: { value: 2 ** 30, winners: ['n'] } },
    ],
    [
      'storage in mebibytes',
      { 'ephemeral-storage': '10Mi' },
      { 'ephemeral-storage': '1Mi' },
      'ephemeral-storage',
      { now: { value: 2 ** 20, winners: ['n'] }, above: { value: 11 * 2 ** 20, winners: [] } },
    ],
    [
      'down to nothing',
      {},
      { 'x.io/gpu': '3' },
      'x.io/gpu',
      { now: { value: 3, winners: [] }, below: { value: 0, winners: ['n'] } },
    ],
    [
      'up to what is one more than the largest node has',
      { 'x.io/gpu': '6' },
      {},
      'x.io/gpu',
      { now: { value: 0, winners: ['n'] }, above: { value: 7, winners: [] } },
    ],
  ])('is looked for in %s', async (_, allocatable, requests, resource, expected) => {
    const nodes = situation([withPods(node('n', { allocatable }))]);
    expect(await tippingPoints(nodes, pod('p', { requests }), { of: 'request', resource })).toEqual(expected);
  });

  test('is that of the first container alone', async () => {
    const containers = ['1', '2'].map((cpu) => ({ name: `c${cpu}`, resources: { requests: { cpu } } }));
    const init = [{ name: 'i', resources: { requests: { cpu: '3' } } }];
    const p = pod('p', { spec: { containers, initContainers: init, overhead: { cpu: '500m' } } as never });
    expect(await tippingPoints(situation([withPods(node('n'))]), p, { of: 'request', resource: 'cpu' })).toEqual({
      now: { value: 1000, winners: ['n'] },
      above: { value: 1510, winners: [] },
    });
    const changed = withRequest(p, 'cpu', 7).spec.containers;
    expect(changed).toEqual([{ name: 'c1', resources: { requests: { cpu: '7m' } } }, containers[1]]);
    const none = pod('p', { spec: { containers: undefined } as never });
    expect(withRequest(none, 'cpu', 7)).toBe(none);
    expect(await tippingPoints(situation([withPods(node('n'))]), none, { of: 'request', resource: 'cpu' })).toEqual({
      now: { value: 0, winners: ['n'] },
    });
  });

  test('limits what comes in pieces to what is requested, and nothing else', () => {
    const limited = pod('p', {
      spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }] } as never,
    });
    const resourcesOf = (resource: string, value: number): unknown =>
      withRequest(limited, resource, value).spec.containers?.[0]?.resources;
    expect(resourcesOf('x.io/gpu', 2)).toEqual({
      requests: { cpu: '1', 'x.io/gpu': '2' },
      limits: { cpu: '2', 'x.io/gpu': '2' },
    });
    expect(resourcesOf('memory', 5)).toEqual({ requests: { cpu: '1', memory: '5' }, limits: { cpu: '2' } });
    expect(resourcesOf('ephemeral-storage', 5)).toMatchObject({ limits: { cpu: '2' } });
  });

  test.each<[string, there: number, own: number, cpu: string, expected: object]>([
    [
      'down to where no room is made',
      5,
      9,
      '3',
      { now: { value: 9, winners: [], room: 'n' }, below: { value: 5, winners: [] } },
    ],
    [
      'up to the highest that users give',
      999_999_999,
      0,
      '3',
      { now: { value: 0, winners: [] }, above: { value: 1_000_000_000, winners: [], room: 'n' } },
    ],
    ['no further than that', 1_000_000_000, 0, '3', { now: { value: 0, winners: [] } }],
    ['and none where the pod fits', 5, 9, '1', { now: { value: 9, winners: ['n'] } }],
  ])('of priorities is looked for %s', async (_, there, priority, cpu, expected) => {
    const nodes = situation([withPods(node('n'), asking('x', '3', { priority: there }))]);
    expect(await tippingPoints(nodes, asking('p', cpu, { priority }), { of: 'priority' })).toEqual(expected);
  });

  test('tells of room only for priorities', async () => {
    const nodes = situation([withPods(node('n'), asking('x', '3', { priority: 1 }))]);
    const { now } = await tippingPoints(nodes, asking('p', '3', { priority: 9 }), { of: 'request', resource: 'cpu' });
    expect(now).toEqual({ value: 3000, winners: [] });
  });

  test.each<[string, plugin: string, expected: object]>([
    [
      'of a score, down to nothing',
      'Right',
      { now: { value: 3, winners: ['right'] }, below: { value: 1, winners: ['left'] } },
    ],
    [
      'of a score, up to a hundred',
      'Left',
      { now: { value: 1, winners: ['right'] }, above: { value: 2, winners: ['left'] } },
    ],
    ['that never tips', 'Weak', { now: { value: 1, winners: ['right'] } }],
    ['of a filter', 'NodeName', { now: { value: 1, winners: ['right'] } }],
    ['of nothing', 'None', { now: { value: 1, winners: ['right'] } }],
  ])('of weights: %s', async (_, name, expected) => {
    const liking = (plugin: string, liked: string, score: number, weight?: number) => ({
      ...{ name: plugin, score: (_cycle: unknown, { name: on }: NodeInfo) => (on === liked ? score : 0) },
      ...(weight !== undefined && { weight }),
    });
    const scores = [
      liking('Right', 'right', 40, 3),
      liking('Left', 'left', 75),
      liking('Weak', 'left', 0.1, 1),
      { name: 'NodeName', filter: () => undefined },
    ];
    const now = { ...situation([withPods(node('left')), withPods(node('right'))]), plugins: scores };
    expect(await tippingPoints(now, pod('p'), { of: 'weight', plugin: name })).toEqual(expected);
  });

  test('another node wins at the reported value, and the same node one step before it', async () => {
    await fc.assert(
      fc.asyncProperty(someNodes, somePod, fc.constantFrom('cpu' as const, 'memory' as const), async (nodes, p, of) => {
        const now = situation(nodes);
        const step = of === 'cpu' ? 10 : 1024 * 1024;
        const told = await tippingPoints(now, p, { of: 'request', resource: of });
        const at = (value: number) => winnersOf(now, withRequest(p, of, value));
        expect(told.now.winners).toEqual(await winnersOf(now, p));
        for (const [turn, back] of [
          [told.below, step],
          [told.above, -step],
        ] as const) {
          if (!turn) continue;
          expect(await at(turn.value)).toEqual(turn.winners);
          expect(turn.winners).not.toEqual(told.now.winners);
          expect(await at(turn.value + back)).toEqual(told.now.winners);
        }
      }),
      settings,
    );
  });
});

describe('remedies', () => {
  test.each([
    ['a smaller request', [node('a')], asking('p', '5'), 'Request 4000m CPU or less'],
    [
      'fewer pieces',
      [node('a', { allocatable: { cpu: '4', memory: '8Gi', pods: '10', 'example.com/gpu': '2' } })],
      withRequest(asking('p', '1'), 'example.com/gpu', 3),
      'Request 2 of example.com/gpu or less',
    ],
    [
      'a toleration',
      [node('a', { spec: { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] } as never })],
      asking('p', '1'),
      'Let the pod tolerate the taint k=v:NoSchedule',
    ],
    ['an open node', [node('a', { spec: { unschedulable: true } })], asking('p', '1'), 'Let node a take pods again'],
    ['a label', [node('a')], asking('p', '1', { nodeSelector: { disk: 'ssd' } }), 'Label node a with disk=ssd'],
    ['no selector', [node('a')], asking('p', '1', { nodeSelector: { disk: 'ssd' } }), 'Drop the pod’s node selector'],
    ['another node', [withPods(node('a'), asking('x', '4'))], asking('p', '4'), 'Add a node like a'],
  ])('%s', async (_, nodes, p, title) => {
    const infos = nodes.map((each) => ('pods' in each ? each : withPods(each)));
    expect((await remediesFor(situation(infos), p)).map((remedy) => remedy.title)).toContain(title);
  });

  const tell = async (nodes: readonly NodeInfo[], p: Pod): Promise<readonly Remedy[]> =>
    remediesFor(situation(nodes), p);
  const titles = async (nodes: readonly NodeInfo[], p: Pod): Promise<string[]> =>
    (await tell(nodes, p)).map(({ title }) => title);

  test.each<[string, Record<string, string>, Record<string, string>, title: string]>([
    ['of CPU', { cpu: '4' }, { cpu: '4500m' }, 'Request 4000m CPU or less'],
    ['of memory', { memory: '8Gi' }, { memory: '9Gi' }, 'Request 8192 Mi of memory or less'],
    ['of memory, rounded down', { memory: '3500Ki' }, { memory: '8200Ki' }, 'Request 3 Mi of memory or less'],
    [
      'of storage',
      { 'ephemeral-storage': '2Gi' },
      { 'ephemeral-storage': '3Gi' },
      'Request 2048 Mi of ephemeral-storage or less',
    ],
    ['of pieces', { 'x.io/gpu': '2' }, { 'x.io/gpu': '3' }, 'Request 2 of x.io/gpu or less'],
    ['of pieces that no node has', {}, { 'x.io/gpu': '3' }, 'Request 0 of x.io/gpu or less'],
  ])('a smaller request %s', async (_, allocatable, requests, title) => {
    const p = pod('p', { requests });
    const found = await tell([withPods(node('a', { allocatable }))], p);
    expect(found.map((each) => [each.title, each.winners])).toEqual([[title, ['a']]]);
    expect(await winnersOf(situation([withPods(node('a', { allocatable }))]), found[0]?.draft.pod as Pod)).toEqual([
      'a',
    ]);
  });

  test('a toleration for each taint that keeps the pod away', async () => {
    const taints = [
      { key: 'k', value: 'v', effect: 'NoSchedule' },
      { key: 'soft', effect: 'PreferNoSchedule' },
      { key: 'known', effect: 'NoSchedule' },
    ];
    const tainted = (name: string, ...list: object[]): NodeInfo =>
      withPods(node(name, { spec: { taints: list } as never }));
    const nodes = [
      tainted('a', ...taints),
      tainted('b', ...taints),
      tainted('c', { key: 'away', effect: 'NoExecute' }),
    ];
    const known = { key: 'known', operator: 'Exists' as const };
    const found = await tell(nodes, asking('p', '1', { tolerations: [known] }));
    expect(found.map(({ title, winners, draft }) => [title, winners, draft.pod?.spec.tolerations])).toEqual([
      [
        'Let the pod tolerate the taint k=v:NoSchedule',
        ['a', 'b'],
        [known, { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }],
      ],
      [
        'Let the pod tolerate the taint away:NoExecute',
        ['c'],
        [known, { key: 'away', operator: 'Equal', effect: 'NoExecute' }],
      ],
      ['Add a node like a', ['node-4'], undefined],
    ]);
  });

  test('an open node, without the taint that closes it', async () => {
    const closing = { key: 'node.cluster.io/unschedulable', effect: 'NoSchedule' };
    const soft = { key: 'soft', effect: 'PreferNoSchedule' };
    const closed = node('a', { spec: { unschedulable: true, providerID: 'p', taints: [closing, soft] } as never });
    const plain = node('b', { spec: { unschedulable: true } });
    const found = await tell(
      [withPods(closed), withPods(plain), withPods(node('c'), asking('x', '4'))],
      asking('p', '1'),
    );
    const open = found.filter(({ title }) => title.startsWith('Let node'));
    expect(open).toEqual([
      {
        title: 'Let node a take pods again',
        draft: { nodes: [{ ...closed, spec: { providerID: 'p', taints: [soft] } }] },
        winners: ['a'],
      },
      { title: 'Let node b take pods again', draft: { nodes: [{ ...plain, spec: {} }] }, winners: ['b'] },
    ]);
  });

  test('the labels of the selector, for six nodes that lack them at most', async () => {
    const selector = { disk: 'ssd', rack: '2' };
    const lacking = Array.from({ length: 8 }, (_, i) => withPods(node(`n${i}`, { labels: { disk: 'ssd', own: 'x' } })));
    const full = withPods(node('full', { labels: selector, allocatable: { pods: '1' } }), pod('x'));
    const found = await tell([full, ...lacking], asking('p', '1', { nodeSelector: selector }));
    expect(found.map(({ title }) => title)).toEqual(
      Array.from({ length: 6 }, (_, i) => `Label node n${i} with disk=ssd, rack=2`),
    );
    expect(found[0]?.draft.nodes?.[0]?.metadata.labels).toEqual({
      ...{ 'cluster.io/hostname': 'n0', disk: 'ssd', own: 'x', rack: '2' },
    });
    expect(await titles(lacking.slice(0, 2), asking('p', '1', { nodeSelector: selector }))).toEqual([
      'Label node n0 with disk=ssd, rack=2',
      'Label node n1 with disk=ssd, rack=2',
      'Drop the pod’s node selector',
    ]);
  });

  const rules = {
    nodeSelector: { disk: 'ssd' },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'rack', operator: 'Exists' }] }],
        },
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
    ],
  };
  test.each<[string, keyof typeof rules, labels: Record<string, string>]>([
    ['Drop the pod’s node selector', 'nodeSelector', { rack: '1', zone: 'z' }],
    ['Drop the pod’s affinity rules', 'affinity', { disk: 'ssd', zone: 'z' }],
    ['Drop the pod’s spreading rules', 'topologySpreadConstraints', { disk: 'ssd', rack: '1' }],
  ])('%s, and keep the others', async (title, dropped, labels) => {
    const p = asking('p', '1', { ...rules, priority: 3 });
    const found = (await tell([withPods(node('n', { labels }))], p)).filter((each) => each.title.startsWith('Drop'));
    const others = Object.fromEntries(Object.entries(p.spec).filter(([name]) => name !== dropped));
    expect(found).toEqual([{ title, draft: { pod: { ...p, spec: others } }, winners: ['n'] }]);
  });

  test('no rules are dropped that the pod does not have', async () => {
    const full = withPods(node('n', { allocatable: { pods: '1' } }), pod('x'));
    expect(await titles([full], pod('p'))).toEqual(['Add a node like n']);
  });

  test('another node like the largest, with a name that is free, and with nothing that is its own', async () => {
    const large = node('large', {
      labels: { zone: 'z' },
      allocatable: { cpu: '16' },
      spec: {
        ...{ providerID: 'p', unschedulable: true, podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] },
        taints: [{ key: 'k', effect: 'NoSchedule' }],
      } as never,
    });
    const reported = {
      ...large,
      metadata: { ...large.metadata, uid: 'u', annotations: { a: 'b' } },
      status: { ...large.status, images: [{ names: ['x'], sizeBytes: 1 }] },
    };
    const nodes = [withPods(node('node-4')), withPods(reported, asking('x', '10')), withPods(node('node-5'))];
    const found = await tell(nodes, asking('p', '10'));
    expect(found.at(-1)).toEqual({
      title: 'Add a node like large',
      draft: {
        nodes: [
          {
            metadata: {
              ...{ name: 'node-6', creationTimestamp: null, annotations: { a: 'b' } },
              labels: { 'cluster.io/hostname': 'node-6', zone: 'z' },
            },
            spec: { providerID: 'p' },
            status: { allocatable: { cpu: '16', memory: '8Gi', pods: '10' } },
          },
        ],
      },
      winners: ['node-6'],
    });
  });

  test('none where there is no node, or where nothing small helps', async () => {
    expect(await tell([], asking('p', '1'))).toEqual([]);
    expect(await tell([withPods(node('a'))], asking('p', '1', { nodeName: 'b' }))).toEqual([]);
  });

  test('each really helps, and none is offered to a pod that fits', async () => {
    await fc.assert(
      fc.asyncProperty(someNodes, somePod, async (nodes, p) => {
        const now = situation(nodes);
        const remedies = await remediesFor(now, p);
        if ((await winnersOf(now, p)).length > 0) expect(remedies).toEqual([]);
        for (const { draft, winners } of remedies) {
          expect(winners.length).toBeGreaterThan(0);
          expect(await winnersOf(situationWith(now, draft), draft.pod ?? p)).toEqual(winners);
        }
      }),
      settings,
    );
  });
});
