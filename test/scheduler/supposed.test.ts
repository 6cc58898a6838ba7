/** What filters say of a node on which pods are supposed to come or go, and which events may help a pod that they refuse. */
import { describe, expect, test } from 'vitest';
import type { Pod, Service } from '../../src/client/index.ts';
import { Filters } from '../../src/scheduler/framework/filters.ts';
import { podInfoOf, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { interPodAffinity } from '../../src/scheduler/plugins/interPodAffinity.ts';
import { podTopologySpread } from '../../src/scheduler/plugins/podTopologySpread.ts';
import { serviceAffinityOf } from '../../src/scheduler/plugins/serviceAffinity.ts';
import { wakingEvents } from '../../src/scheduler/questions/wakingEvents.ts';
import { cycle, node, pod, withPods } from './objects.ts';

const web = (name: string, more: object = {}): Pod => pod(name, { labels: { app: 'web' }, ...more });
const inZone = (name: string, zone: string, ...pods: Pod[]): NodeInfo =>
  withPods(node(name, { labels: { zone } }), ...pods);

describe('spreading over zones', () => {
  const spread = {
    maxSkew: 1,
    topologyKey: 'zone',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'web' } },
  };
  const wanted = web('p', { spec: { topologySpreadConstraints: [spread] } });
  const [one, two] = [web('one'), web('two')];
  const nodes = [inZone('x', 'x', one, two), inZone('y', 'y', web('three')), withPods(node('bare'))];
  const [x, y] = nodes as [NodeInfo, NodeInfo];
  const filters = Filters.prepare([podTopologySpread], cycle(wanted, nodes));

  test.each<[string, on: NodeInfo, add: Pod[], remove: Pod[], fits: boolean]>([
    ['the fuller zone does not fit', x, [], [], false],
    ['the emptier one fits', y, [], [], true],
    ['the fuller zone fits when a pod goes', x, [], [one], true],
    ['the emptier zone still fits with one more', y, [web('new')], [], true],
    ['the emptier zone does not fit with two more', y, [web('new'), web('newer')], [], false],
    ['pods that are not counted do not matter', x, [], [pod('other')], false],
    [
      'pods of other namespaces do not matter',
      y,
      [pod('a', { labels: { app: 'web' }, namespace: 'b' }), pod('c', { labels: { app: 'web' }, namespace: 'b' })],
      [],
      true,
    ],
    ['other pods that come do not matter', y, [pod('a'), pod('b')], [], true],
  ])('%s', (_, on, add, remove, fits) => {
    const supposed = filters.suppose(on);
    for (const each of add) supposed.add(podInfoOf(each));
    for (const each of remove) supposed.remove(podInfoOf(each));
    expect(supposed.check() === undefined).toBe(fits);
    expect([filters.check(x) === undefined, filters.check(y) === undefined]).toEqual([false, true]);
  });
});

describe('a pod that wants to be with its like', () => {
  const near = {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'zone' },
        ],
      },
    },
  };
  const there = web('there');
  const nodes = [inZone('x', 'x', there), inZone('y', 'y'), withPods(node('bare'))];
  const [x, y, bare] = nodes as [NodeInfo, NodeInfo, NodeInfo];
  const filters = Filters.prepare([interPodAffinity], cycle(web('p', { spec: near }), nodes));

  test.each<[string, on: NodeInfo, add: Pod[], remove: Pod[], fits: boolean]>([
    ['fits where one is', x, [], [], true],
    ['does not fit elsewhere', y, [], [], false],
    ['fits anywhere as the first, once the last has gone', x, [], [there], true],
    ['fits where one comes', y, [web('new')], [], true],
    ['does not fit where another comes', y, [pod('other')], [], false],
    ['does not fit where one comes and goes', y, [web('new')], [web('new')], false],
    ['does not fit where there is no place', bare, [web('new')], [], false],
  ])('%s', (_, on, add, remove, fits) => {
    const supposed = filters.suppose(on);
    const known = new Map(add.map((each) => [each.metadata.name, podInfoOf(each)]));
    for (const info of known.values()) supposed.add(info);
    for (const each of remove) supposed.remove(known.get(each.metadata.name) ?? podInfoOf(each));
    expect(supposed.check() === undefined).toBe(fits);
  });
});

test('a pod of a service may go elsewhere when the one that it follows goes', () => {
  const there = web('there');
  const nodes = [inZone('x', 'x', there), inZone('y', 'y')];
  const services = {
    servicesFor: () => [{ metadata: { name: 's' }, spec: { selector: { app: 'web' } } }] as unknown as Service[],
  };
  const plugin = serviceAffinityOf({ affinityLabels: ['zone'], antiAffinityLabels: [] });
  const filters = Filters.prepare([plugin], cycle(web('p'), nodes, services));
  const fitsWithout = (...gone: Pod[]): boolean => {
    const supposed = filters.suppose(nodes[1] as NodeInfo);
    for (const each of gone) supposed.remove(podInfoOf(each));
    return supposed.check() === undefined;
  };
  expect([fitsWithout(), fitsWithout(there), fitsWithout(pod('other')), fitsWithout()]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

test.each<[plugin: string, helps: string[], doesNot: string[]]>([
  ['NodeName', ['NodeAdd'], ['AssignedPodDelete', 'PvAdd']],
  ['NodeUnschedulable', ['NodeAdd', 'NodeSpecUnschedulableChange'], ['AssignedPodDelete', 'NodeAllocatableChange']],
  ['NodeResourcesFit', ['NodeAdd', 'AssignedPodDelete', 'NodeAllocatableChange'], ['PvAdd']],
  ['GCEPDLimits', ['AssignedPodDelete', 'NodeAllocatableChange'], ['NodeTaintChange']],
  ['AzureDiskLimits', ['AssignedPodDelete', 'NodeAllocatableChange'], ['NodeTaintChange']],
  ['VolumeBinding', ['PvcAdd', 'PvcUpdate', 'PvAdd', 'PvUpdate', 'StorageClassAdd'], ['ServiceAdd']],
])('a pod that %s refuses may be helped by %j, not by %j', (plugin, helps, doesNot) => {
  const events: readonly string[] = wakingEvents([plugin]);
  expect([helps.filter((event) => !events.includes(event)), doesNot.filter((event) => events.includes(event))]).toEqual(
    [[], []],
  );
});
