import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import { asIfWaiting, situationWith } from '../../src/scheduler/questions/draft.ts';
import { remediesFor, tippingPoints, winnersOf, type Situation } from '../../src/scheduler/questions/index.ts';
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

test('a pod that has its node is looked at as if it had none yet', async () => {
  const placed = asking('x', '3', { nodeName: 'a' });
  const waiting = asIfWaiting(situation([withPods(node('a'), placed), withPods(node('b'))]), placed);
  expect(waiting.pod.spec.nodeName).toBeUndefined();
  expect(await winnersOf(waiting.situation, waiting.pod)).toEqual(['a', 'b']);
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
