import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod, PodDisruptionBudget } from '../../src/client/index.ts';
import type { NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import { runFilters, whyNone } from '../../src/scheduler/place.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import {
  decide,
  explainPlacement,
  howManyFit,
  placed,
  rehearseDrain,
  wakingEvents,
  type Situation,
} from '../../src/scheduler/questions/index.ts';
import { cycle, node, pod, withPods } from './objects.ts';
import { someNodes, somePod } from './randomClusters.ts';

const settings = { seed: 20260102, numRuns: 200 };

function situation(nodes: readonly NodeInfo[], more: Partial<Situation> = {}): Situation {
  const { listers } = cycle(pod('p'), nodes);
  return { snapshot: new Snapshot(nodes), listers, plugins, ...more };
}

const asking = (name: string, cpu: string, spec: Partial<Pod['spec']> = {}): Pod =>
  pod(name, { requests: { cpu }, spec });

describe('explaining a placement', () => {
  test('shows every verdict, which refusal counts, and the numbers behind it', async () => {
    const full = withPods(node('full', { spec: { unschedulable: true } }), asking('x', '3'));
    const { nodes, winners, why } = await explainPlacement(situation([full]), asking('p', '2'));
    const refusing = nodes[0]?.verdicts.filter(({ reasons }) => reasons.length > 0);
    expect(refusing).toMatchObject([
      { plugin: 'NodeUnschedulable', isFirst: true, resolvable: false, facts: [{ unschedulable: true }] },
      { plugin: 'NodeResourcesFit', isFirst: false, resolvable: true, reasons: ['Insufficient cpu'] },
    ]);
    expect(refusing?.[1]?.facts).toContainEqual({ resource: 'cpu', requested: 2000, used: 3000, allocatable: 4000 });
    expect({ winners, why }).toEqual({ winners: [], why: '0/1 nodes are available: 1 node(s) were unschedulable.' });
  });

  test('shows each score raw, normalized and weighted, and the sum', async () => {
    const nodes = [withPods(node('used'), asking('x', '2')), withPods(node('free'))];
    const explained = await explainPlacement(situation(nodes), asking('p', '1'));
    expect(explained.winners).toEqual(['free']);
    const [used] = explained.nodes;
    expect(used?.scores?.find(({ plugin }) => plugin === 'NodeResourcesLeastAllocated')).toEqual({
      ...{ plugin: 'NodeResourcesLeastAllocated', raw: 60, normalized: 60, weight: 1, weighted: 60 },
    });
    expect(used?.total).toBe(used?.scores?.reduce((sum, { weighted }) => sum + weighted, 0));
  });

  test('names all nodes that are equally good', async () => {
    expect((await explainPlacement(situation([withPods(node('a')), withPods(node('b'))]), pod('p'))).winners).toEqual([
      'a',
      'b',
    ]);
  });

  test('tells who refused the pod before any node was asked', async () => {
    const claims = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'none' } }] as never };
    const { refusedEverywhere } = await explainPlacement(situation([withPods(node('a'))]), pod('p', { spec: claims }));
    expect(refusedEverywhere?.plugin).toBe('VolumeBinding');
  });

  test('tells of a node that is kept for another pod', async () => {
    const first = asking('first', '3', { priority: 10 });
    const reservedOn = () => [...withPods(node('x'), first).pods];
    const { nodes } = await explainPlacement(situation([withPods(node('a'))], { reservedOn }), asking('p', '3'));
    expect(nodes[0]).toMatchObject({ fits: false, isReserved: true });
  });

  test('tells the story of a preemption', async () => {
    const nodes = [
      withPods(node('a'), asking('five', '4', { priority: 5 })),
      withPods(node('b'), asking('three', '4', { priority: 3 })),
    ];
    expect((await explainPlacement(situation(nodes), asking('p', '2', { priority: 9 }))).preemption).toMatchObject({
      candidates: [
        { node: 'a', victims: [{ pod: 'ns/five', priority: 5 }], violations: 0 },
        { node: 'b', victims: [{ pod: 'ns/three', priority: 3 }], violations: 0 },
      ],
      node: 'b',
      decidedBy: 'lowest priority of the most important victim',
    });
    const never = asking('p', '2', { priority: 9, preemptionPolicy: 'Never' });
    expect((await explainPlacement(situation(nodes), never)).preemption).toEqual({
      barredBy: 'policy',
      candidates: [],
    });
  });

  test('what-if is what happens when it is applied', async () => {
    await fc.assert(
      fc.asyncProperty(somePod, someNodes, async (draft, nodes) => {
        const asked = await explainPlacement(situation(nodes), draft);
        const real = runFilters(cycle(draft, nodes), { plugins, nominatedOn: () => [] }, 0);
        const decision = await decide(situation(nodes), draft);
        const fitting = asked.nodes.filter(({ fits }) => fits).map((each) => each.node);
        expect(fitting).toEqual(real.feasible.map(({ name }) => name));
        if (decision.node === undefined) expect(asked.why).toBe(whyNone(nodes.length, real.rejections));
        else expect(asked.winners[0]).toBe(decision.node);
      }),
      settings,
    );
  });
});

const whyOf = (decision: Awaited<ReturnType<typeof decide>>): string | undefined =>
  decision.node === undefined ? decision.why : undefined;

describe('how many fit', () => {
  test('names the bottleneck of the next one', async () => {
    const nodes = [withPods(node('a'), asking('x', '1')), withPods(node('b', { allocatable: { pods: '1' } }))];
    expect(await howManyFit(situation(nodes), asking('p', '1500m'))).toEqual({
      count: 3,
      byNode: { a: 2, b: 1 },
      bottleneck: '0/2 nodes are available: 1 Insufficient cpu, 1 Too many pods.',
    });
  });

  test('ends at the limit', async () => {
    expect(await howManyFit(situation([withPods(node('a'))]), asking('p', '100m'), 2)).toEqual({
      count: 2,
      byNode: { a: 2 },
    });
  });

  test('is as many as are placed one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(somePod, someNodes, async (template, nodes) => {
        const { count, bottleneck } = await howManyFit(situation(nodes), template, 8);
        let now = situation(nodes);
        for (let i = 0; i < count; i++) {
          const one = { ...template, metadata: { ...template.metadata, uid: `r${i}` } };
          const { node: chosen } = await decide(now, one);
          expect(chosen).toBeDefined();
          now = placed(now, one, chosen ?? '');
        }
        // At the limit nobody asks whether one more would fit.
        expect(bottleneck).toBe(count === 8 ? undefined : whyOf(await decide(now, template)));
      }),
      settings,
    );
  });
});

describe('rehearsing a drain', () => {
  const owned = (of: Pod, kind: string): Pod => ({
    ...of,
    metadata: { ...of.metadata, ownerReferences: [{ apiVersion: 'v1', kind, name: 'o', uid: 'o', controller: true }] },
  });
  const budget = {
    metadata: { name: 'b', namespace: 'ns' },
    spec: { selector: { matchLabels: { app: 'kept' } } },
    status: { disruptionsAllowed: 1 },
  } as unknown as PodDisruptionBudget;
  const kept = (name: string): Pod => owned(pod(name, { labels: { app: 'kept' } }), 'ReplicaSet');

  test('says who moves where, who can not, who stays, who is lost, and what a budget blocks', async () => {
    const leaving = withPods(
      node('a'),
      owned(asking('moves', '1'), 'ReplicaSet'),
      owned(asking('large', '4'), 'ReplicaSet'),
      owned(pod('daemon'), 'DaemonSet'),
      pod('alone'),
      kept('first'),
      kept('second'),
    );
    expect(await rehearseDrain(situation([leaving, withPods(node('b'))], { budgets: [budget] }), 'a')).toEqual([
      { pod: 'ns/moves', what: 'moves', to: 'b' },
      {
        pod: 'ns/large',
        what: 'has-no-place',
        why: '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.',
      },
      { pod: 'ns/daemon', what: 'stays' },
      { pod: 'ns/alone', what: 'is-lost' },
      { pod: 'ns/first', what: 'moves', to: 'b' },
      { pod: 'ns/second', what: 'moves', to: 'b', afterOthersOf: 'ns/b' },
    ]);
  });

  test.each([
    ['none from the beginning', 0, '1', ['blocked', 'blocked']],
    ['one, and who goes finds a place, so the next may go, too', 1, '1', ['moves', 'moves']],
    ['one, and who goes finds no place', 1, '5', ['has-no-place', 'blocked']],
    ['two, and they find no place', 2, '5', ['has-no-place', 'has-no-place']],
  ])('a budget allows %s', async (_, disruptionsAllowed, cpu, expected) => {
    const guarded = (name: string): Pod =>
      owned(pod(name, { labels: { app: 'kept' }, requests: { cpu } }), 'ReplicaSet');
    const budgets = [{ ...budget, status: { ...budget.status, disruptionsAllowed } }];
    const nodes = [withPods(node('a'), guarded('first'), guarded('second')), withPods(node('b'))];
    const outcomes = await rehearseDrain(situation(nodes, { budgets }), 'a');
    expect(outcomes.map(({ what }) => what)).toEqual(expected);
  });

  test('a budget of which all that went are ready again allows as many as before', async () => {
    const budgets = [{ ...budget, status: { ...budget.status, disruptionsAllowed: 2 } }];
    const nodes = [withPods(node('a'), ...['1', '2', '3', '4', '5'].map(kept)), withPods(node('b'))];
    const outcomes = await rehearseDrain(situation(nodes, { budgets }), 'a');
    expect(outcomes.map((each) => ('afterOthersOf' in each ? each.afterOthersOf : each.what))).toEqual([
      ...['moves', 'moves', 'ns/b', 'moves', 'ns/b'],
    ]);
  });

  test.each<[string, Partial<PodDisruptionBudget>]>([
    ['another namespace', { metadata: { ...budget.metadata, namespace: 'other' } }],
    ['all pods, which is none', { spec: { selector: {} } }],
    ['other pods', { spec: { selector: { matchLabels: { app: 'other' } } } }],
  ])('a budget for %s blocks nothing', async (_, more) => {
    const budgets = [{ ...budget, status: { ...budget.status, disruptionsAllowed: 0 }, ...more }];
    const nodes = [withPods(node('a'), kept('first')), withPods(node('b'))];
    expect(await rehearseDrain(situation(nodes, { budgets }), 'a')).toEqual([
      { pod: 'ns/first', what: 'moves', to: 'b' },
    ]);
  });

  test('says nothing of a node that is not there', async () => {
    expect(await rehearseDrain(situation([]), 'a')).toEqual([]);
  });
});

test('the events that could wake a pod are those that lift what refused it', async () => {
  expect(wakingEvents(['NodeResourcesFit', 'TaintToleration'])).toEqual([
    'AssignedPodDelete',
    'NodeAdd',
    'NodeAllocatableChange',
    'NodeTaintChange',
    'PodUpdate',
    'UnschedulableTimeout',
  ]);
  const filters = plugins.filter(({ filter }) => filter).map(({ name }) => name);
  for (const name of filters) expect([name, wakingEvents([name]).length > 2]).toEqual([name, true]);
});
