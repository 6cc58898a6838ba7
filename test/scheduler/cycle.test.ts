/** Laws of the scheduling cycle, over random clusters on fixed seeds. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node, Pod, Service } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { SchedulerCache } from '../../src/scheduler/cache.ts';
import { Filters } from '../../src/scheduler/framework/filters.ts';
import { podInfoOf, withPod, withoutPod, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { highest, scoreNodes } from '../../src/scheduler/framework/run.ts';
import { Verdicts } from '../../src/scheduler/framework/verdicts.ts';
import { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import { runFilters } from '../../src/scheduler/place.ts';
import { nodeLabelOf } from '../../src/scheduler/plugins/nodeLabel.ts';
import { plugins as usual } from '../../src/scheduler/plugins/index.ts';
import { nodeResourcesMostAllocated } from '../../src/scheduler/plugins/resources/allocation.ts';
import { ratioPlugin } from '../../src/scheduler/plugins/resources/requestedToCapacityRatio.ts';
import { selectorSpread } from '../../src/scheduler/plugins/selectorSpread.ts';
import { serviceAffinityOf } from '../../src/scheduler/plugins/serviceAffinity.ts';
import { cycle as plainCycle } from './objects.ts';
import { someNodes, somePod } from './randomClusters.ts';

const settings = { seed: 20260101, numRuns: 300 };
/** Those that every profile has, and those that a profile can have. */
const plugins = [
  ...usual,
  selectorSpread,
  nodeResourcesMostAllocated,
  nodeLabelOf({ present: [], absent: ['lonely'], preferPresent: ['zone'], preferAbsent: [] }),
  serviceAffinityOf({ affinityLabels: ['zone'], antiAffinityLabels: ['zone'] }),
  ratioPlugin(
    [
      { utilization: 0, score: 0 },
      { utilization: 100, score: 100 },
    ],
    [{ name: 'cpu', weight: 2 }],
  ),
];
/** A service for one of the apps, so that what follows services has something to follow. */
const listers = {
  servicesFor: () => [{ metadata: { name: 'web' }, spec: { selector: { app: 'web' } } }] as unknown as Service[],
};
const cycle = (pod: Pod, nodes: readonly NodeInfo[]) => plainCycle(pod, nodes, listers);

const noNominations = { plugins, nominatedOn: () => [] };

/** Every filter asked about every node, with everything worked out from scratch each time. */
function plainVerdicts(pod: Pod, nodes: readonly NodeInfo[]): string[] {
  return nodes.map((node) => {
    const fresh = cycle(pod, nodes);
    const refusing = plugins.find((plugin) => {
      if (!plugin.filter || plugin.concerns?.(fresh) === false) return false;
      return plugin.filter(fresh, node, plugin.prepareFilter?.(fresh)) !== undefined;
    });
    return `${node.name}: ${refusing?.name ?? 'fits'}`;
  });
}

function verdicts(pod: Pod, nodes: readonly NodeInfo[], snapshot = new Snapshot(nodes)): string[] {
  const { feasible, rejections } = runFilters({ ...cycle(pod, nodes), snapshot }, noNominations, 0);
  const refused = new Map(rejections.map(({ node, plugin }) => [node, plugin]));
  for (const { name } of feasible) refused.set(name, 'fits');
  return nodes.map(({ name }) => `${name}: ${refused.get(name)}`);
}

/** A cache that has seen these nodes and pods come one by one, and others come and go in between. */
function fed(nodes: readonly NodeInfo[], others: readonly Pod[]): SchedulerCache {
  const cache = new SchedulerCache(namesOf('cluster.io'));
  for (const { node, name, pods } of nodes) {
    cache.setNode(node);
    for (const other of others) cache.assume(other, name);
    cache.snapshot();
    // Each is expected on the first node, and comes to its own.
    const [first] = nodes;
    for (const { pod } of pods) if (first && first.name !== name) cache.assume(pod, first.name);
    for (const { pod } of pods) cache.setPod({ ...pod, spec: { ...pod.spec, nodeName: name } });
    for (const other of others) cache.forget(other);
  }
  return cache;
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

describe('the scheduling cycle', () => {
  test('finds what a plain one finds that evaluates everything', () => {
    fc.assert(
      fc.property(somePod, someNodes, (pod, nodes) => {
        expect(verdicts(pod, nodes)).toEqual(plainVerdicts(pod, nodes));
      }),
      settings,
    );
  });

  test('decides from a cache that followed every change as from one made afresh', () => {
    fc.assert(
      fc.property(somePod, someNodes, fc.array(somePod, { maxLength: 2 }), (pod, nodes, others) => {
        const snapshot = fed(nodes, others).snapshot();
        expect(verdicts(pod, nodes, snapshot)).toEqual(verdicts(pod, nodes));
        const [kept, fresh] = [[...snapshot.nodes].sort(byName), [...nodes].sort(byName)];
        const now = cycle(pod, nodes);
        expect(scoreNodes(plugins, { ...now, snapshot }, kept).columns).toEqual(
          scoreNodes(plugins, now, fresh).columns,
        );
      }),
      settings,
    );
  });

  /** Changes of a node that local plugins look at. */
  const change = fc.constantFrom<((node: Node) => Node)[]>(
    (node) => ({ ...node, spec: { ...node.spec, unschedulable: true } }),
    (node) => ({ ...node, spec: { ...node.spec, taints: [{ key: 'busy', effect: 'PreferNoSchedule' }] } }),
    (node) => ({ ...node, status: { ...node.status, images: [{ names: ['app:1'], sizeBytes: 500_000_000 }] } }),
    (node) => ({ ...node, metadata: { ...node.metadata, labels: { ...node.metadata.labels, zone: 'z' } } }),
  );
  const steps = fc.array(fc.record({ at: fc.nat(), other: somePod, change, isPod: fc.boolean() }), { maxLength: 6 });

  test('gives pods of one template the same filter results and scores with and without known verdicts, while nodes and pods change', () => {
    let spared = 0;
    fc.assert(
      fc.property(somePod, someNodes, steps, (pod, nodes, changes) => {
        const cache = fed(nodes, []);
        const verdicts = new Verdicts();
        for (const { at, other, change: changed, isPod } of [...changes, ...changes]) {
          const snapshot = cache.snapshot();
          const now = { ...cycle(pod, snapshot.nodes), snapshot };
          const known = verdicts.about(now, plugins);
          const { feasible, rejections, asked } = runFilters(now, { ...noNominations, known }, at % nodes.length);
          const plain = runFilters(now, noNominations, at % nodes.length);
          expect({ feasible, rejections, asked }).toEqual({
            ...{ feasible: plain.feasible, rejections: plain.rejections, asked: plain.asked },
          });
          if (known) spared += feasible.filter((one) => known.of(one).scores).length;
          expect(scoreNodes(plugins, now, feasible, known)).toEqual(scoreNodes(plugins, now, feasible));
          const { name, node } = nodes[at % nodes.length] as NodeInfo;
          if (isPod) cache.assume(other, name);
          else cache.setNode(changed(node));
        }
      }),
      settings,
    );
    expect(spared).toBeGreaterThan(300);
  });

  test('knows nothing about the first pod of a template, or one with another controller', () => {
    const nodes = fc.sample(someNodes, { numRuns: 1, seed: 1 })[0] as NodeInfo[];
    const wanted = fc.sample(somePod, { numRuns: 1, seed: 1 })[0] as Pod;
    const owned = (uid: string): Pod => ({
      ...wanted,
      metadata: {
        ...wanted.metadata,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid, controller: true }],
      },
    });
    const verdicts = new Verdicts();
    const isKnown = (pod: Pod): boolean => verdicts.about(cycle(pod, nodes), plugins) !== undefined;
    expect(
      [owned('a'), owned('a'), owned('b'), owned('b'), { ...owned('b'), spec: { ...wanted.spec } }].map(isKnown),
    ).toEqual([false, true, false, true, false]);
    expect([owned('a'), owned('a')].map(isKnown)).toEqual([false, true]);
    verdicts.of(nodes[0] as NodeInfo).fits = true;
    expect([owned('b'), owned('b')].map(isKnown)).toEqual([false, true]);
    expect(verdicts.of(nodes[0] as NodeInfo).fits).toBe(false);
    expect([owned('a'), owned('a')].map(isKnown)).toEqual([false, true]);
    expect(verdicts.about(cycle(owned('a'), nodes.slice(1)), plugins)).toBeUndefined();
    expect(verdicts.about(cycle(owned('a'), nodes.slice(1)), [...plugins])).toBeUndefined();
  });

  // Which of the pods alike counts as the first hangs on the order of nodes for ServiceAffinity, and a supposed one is the last.
  const settled = plugins.filter(({ name }) => name !== 'ServiceAffinity');

  test.each([1, -1] as const)('supposes a pod that moves by %d as if it had', (by) => {
    fc.assert(
      fc.property(somePod, someNodes, somePod, fc.nat(), (pod, nodes, other, at) => {
        const node = nodes[at % nodes.length] as NodeInfo;
        const moving = by > 0 ? podInfoOf(other) : node.pods[0];
        if (!moving) return;
        const supposed = Filters.prepare(settled, cycle(pod, nodes)).suppose(node);
        if (by > 0) supposed.add(moving);
        else supposed.remove(moving);
        const changed = by > 0 ? withPod(node, moving) : withoutPod(node, moving);
        const after = cycle(pod, new Snapshot(nodes).with(changed).nodes);
        expect(supposed.check()?.plugin).toBe(Filters.prepare(settled, after).check(changed)?.plugin);
      }),
      settings,
    );
  });

  test('a state that was copied is left as it was', () => {
    fc.assert(
      fc.property(somePod, someNodes, somePod, (pod, nodes, other) => {
        const filters = Filters.prepare(plugins, cycle(pod, nodes));
        const before = nodes.map((node) => filters.check(node)?.plugin);
        filters.suppose(nodes[0] as NodeInfo).add(podInfoOf(other));
        expect(nodes.map((node) => filters.check(node)?.plugin)).toEqual(before);
      }),
      settings,
    );
  });

  test('every score lies between 0 and 100', () => {
    fc.assert(
      fc.property(somePod, someNodes, (pod, nodes) => {
        const { columns, totals } = scoreNodes(plugins, cycle(pod, nodes), nodes);
        const all = columns.flatMap(({ normalized }) => normalized);
        expect(all.filter((score) => !(score >= 0 && score <= 100))).toEqual([]);
        const sums = nodes.map((_, i) =>
          columns.reduce((sum, { normalized, weight }) => sum + (normalized[i] as number) * weight, 0),
        );
        expect([...totals]).toEqual(sums);
        expect(highest(totals).every((i) => totals[i] === Math.max(...totals))).toBe(true);
      }),
      settings,
    );
  });
});
