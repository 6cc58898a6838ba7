import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { SchedulerCache } from '../../src/scheduler/cache.ts';
import { Fields } from '../../src/scheduler/config/index.ts';
import type { NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import type { Listers, Plugin } from '../../src/scheduler/framework/plugin.ts';
import { scoreNodes } from '../../src/scheduler/framework/run.ts';
import { imageLocality } from '../../src/scheduler/plugins/imageLocality.ts';
import { interPodAffinity, interPodAffinityWith } from '../../src/scheduler/plugins/interPodAffinity.ts';
import { nodeAffinity } from '../../src/scheduler/plugins/nodeAffinity.ts';
import { nodeLabelOf } from '../../src/scheduler/plugins/nodeLabel.ts';
import { nodePreferAvoidPods } from '../../src/scheduler/plugins/nodePreferAvoidPods.ts';
import { podTopologySpread, podTopologySpreadWith } from '../../src/scheduler/plugins/podTopologySpread.ts';
import {
  leastAllocatedWith,
  nodeResourcesBalancedAllocation,
  nodeResourcesLeastAllocated,
  nodeResourcesMostAllocated,
  scaled,
} from '../../src/scheduler/plugins/resources/allocation.ts';
import { requestedToCapacityRatioWith } from '../../src/scheduler/plugins/resources/requestedToCapacityRatio.ts';
import { selectorSpread } from '../../src/scheduler/plugins/selectorSpread.ts';
import { serviceAffinityOf } from '../../src/scheduler/plugins/serviceAffinity.ts';
import { taintToleration } from '../../src/scheduler/plugins/taintToleration.ts';
import { cycle, node, pod, withPods } from './objects.ts';

interface Case {
  readonly title: string;
  readonly plugin: Plugin;
  readonly pod?: Pod;
  readonly nodes: readonly NodeInfo[];
  readonly listers?: Partial<Listers>;
  /** Normalized, not weighted, in the order of the nodes. */
  readonly scores: readonly number[];
}

const GPU = 'x.org/gpu';
/** A node with 10 CPU and 1000 MiB, of which pods use some. */
const used = (cpu: string, memory: string, more: Record<string, string> = {}): NodeInfo =>
  withPods(
    node('n', { allocatable: { cpu: '10', memory: '1000Mi', [GPU]: '4' } }),
    pod('x', { requests: { cpu, memory, ...more } }),
  );
const asking = (cpu: string, memory: string, more: Record<string, string> = {}): Pod =>
  pod('p', { requests: { cpu, memory, ...more } });
const resources = (...list: readonly (readonly [string, number])[]): { name: string; weight: number }[] =>
  list.map(([name, weight]) => ({ name, weight }));
const args = (value: object): Fields => new Fields(value, 'args');

const MB = 1024 * 1024;
/** A node with images of so many MB. */
const withImages = (name: string, ...images: readonly (readonly [string, number])[]): Node => {
  const made = node(name);
  const reported = images.map(([image, size]) => ({ names: [image], sizeBytes: size * MB }));
  return { ...made, status: { ...made.status, images: reported } };
};
/** The nodes as the scheduler knows them after these reports, in the order in which they came. */
function reported(...reports: readonly Node[]): readonly NodeInfo[] {
  const cache = new SchedulerCache(namesOf('cluster.io'));
  for (const report of reports) cache.setNode(report);
  return cache.snapshot().nodes;
}
const image = (...images: string[]): Pod =>
  pod('p', { spec: { containers: images.map((each, i) => ({ name: `c${i}`, image: each })) as never } });

const at = (name: string, labels: Record<string, string>, ...pods: Pod[]): NodeInfo =>
  withPods(node(name, { labels }), ...pods);
const web = (name: string, more: Parameters<typeof pod>[1] = {}): Pod => pod(name, { labels: { app: 'web' }, ...more });
const near = (kind: 'podAffinity' | 'podAntiAffinity', weight: number, topologyKey = 'zone'): Partial<Pod['spec']> => ({
  affinity: {
    [kind]: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight, podAffinityTerm: { labelSelector: { matchLabels: { app: 'web' } }, topologyKey } },
      ],
    },
  },
});
const required: Partial<Pod['spec']> = {
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'zone' },
      ],
    },
  },
};
const softSpread = (topologyKey: string, maxSkew = 1): Partial<Pod['spec']> => ({
  topologySpreadConstraints: [
    { maxSkew, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { app: 'web' } } },
  ],
});
const service: Partial<Listers> = { servicesFor: () => [{ spec: { selector: { app: 'web' } } }] as never };
const HOST = 'cluster.io/hostname';
const ZONE = 'topology.cluster.io/zone';
const tainted = (name: string, ...keys: string[]): NodeInfo =>
  withPods(node(name, { spec: { taints: keys.map((key) => ({ key, effect: 'PreferNoSchedule' })) } }));
const owned = (kind: string): Pod => {
  const made = pod('p');
  return {
    ...made,
    metadata: {
      ...made.metadata,
      ownerReferences: [{ apiVersion: 'v1', kind, name: 'o', uid: 'u', controller: true }],
    },
  };
};
const avoiding = (text: string): NodeInfo => {
  const made = node('n');
  return withPods({
    ...made,
    metadata: { ...made.metadata, annotations: { 'scheduler.alpha.cluster.io/preferAvoidPods': text } },
  });
};
const AVOID = JSON.stringify({
  preferAvoidPods: [{ podSignature: { podController: { kind: 'ReplicaSet', uid: 'u' } } }],
});

const shape = [
  { utilization: 0, score: 0 },
  { utilization: 50, score: 10 },
  { utilization: 100, score: 5 },
];

describe('scores of resources', () => {
  test.each<Case>([
    {
      title: 'least allocated: what is left, in whole numbers',
      plugin: nodeResourcesLeastAllocated,
      pod: asking('1', '100Mi'),
      nodes: [used('8', '800Mi'), used('0', '0'), used('2', '500Mi')],
      scores: [10, 90, 55],
    },
    {
      title: 'least allocated: containers that ask for nothing count as 100m and 200Mi',
      plugin: nodeResourcesLeastAllocated,
      nodes: [used('1900m', '300Mi')],
      scores: [Math.trunc((80 + 50) / 2)],
    },
    {
      title: 'least allocated: what does not fit is worth nothing',
      plugin: nodeResourcesLeastAllocated,
      pod: asking('3', '100Mi'),
      nodes: [used('8', '0')],
      scores: [45],
    },
    {
      title: 'least allocated: extended resources count as they are configured',
      plugin: leastAllocatedWith(args({ resources: resources(['cpu', 1], [GPU, 3]) })),
      pod: asking('5', '0', { [GPU]: '1' }),
      nodes: [used('0', '0'), used('0', '0', { [GPU]: '3' })],
      scores: [68, 12],
    },
    {
      title: 'least allocated: an extended resource that the pod does not ask for counts, too',
      plugin: leastAllocatedWith(args({ resources: resources(['cpu', 1], [GPU, 1]) })),
      pod: asking('5', '0'),
      nodes: [used('0', '0', { [GPU]: '2' })],
      scores: [50],
    },
    {
      title: 'least allocated: a resource that a node lacks is worth nothing',
      plugin: leastAllocatedWith(args({ resources: resources(['cpu', 1], ['x.org/none', 1]) })),
      pod: asking('5', '0'),
      nodes: [used('0', '0')],
      scores: [25],
    },
    {
      title: 'least allocated: CPU overhead counts in whole cores, as if they were thousandths',
      plugin: leastAllocatedWith(args({ resources: resources(['cpu', 1]) })),
      pod: pod('p', { requests: { cpu: '4999m' }, spec: { overhead: { cpu: '1500m' } } }),
      nodes: [used('0', '0')],
      scores: [49],
    },
    {
      title: 'least allocated: the overhead of placed pods counts as it is',
      plugin: leastAllocatedWith(args({ resources: resources(['cpu', 1]) })),
      pod: asking('0', '0'),
      nodes: [
        withPods(
          node('n', { allocatable: { cpu: '10' } }),
          pod('x', { requests: { cpu: '1' }, spec: { overhead: { cpu: '1' } } }),
        ),
      ],
      scores: [80],
    },
    {
      title: 'most allocated: what would be in use',
      plugin: nodeResourcesMostAllocated,
      pod: asking('1', '100Mi'),
      nodes: [used('8', '800Mi'), used('9500m', '0')],
      scores: [90, 5],
    },
    {
      title: 'balanced: the same degree is best',
      plugin: nodeResourcesBalancedAllocation,
      pod: asking('1', '100Mi'),
      nodes: [used('4', '400Mi'), used('8', '0'), used('9', '0')],
      scores: [100, 19, 0],
    },
    {
      title: 'ratio: on the line between the points',
      plugin: requestedToCapacityRatioWith(args({ shape, resources: resources(['cpu', 1]) })),
      pod: asking('1', '0'),
      nodes: [used('0', '0'), used('4', '0'), used('7', '0'), used('9500m', '0')],
      scores: [20, 100, 70, 50],
    },
    {
      title: 'ratio: the average of what is worth more than nothing, rounded',
      plugin: requestedToCapacityRatioWith(
        args({ shape: shape.slice(0, 2), resources: resources(['cpu', 1], ['memory', 2], [GPU, 5]) }),
      ),
      pod: asking('1', '200Mi'),
      nodes: [used('0', '0')],
      scores: [33],
    },
  ])('$title', check);

  test.each([
    { a: 7, b: 100, c: 8, is: 87 },
    { a: -7, b: 100, c: 8, is: -87 },
    { a: 2 ** 60, b: 100, c: 2 ** 61, is: 50 },
  ])('$a × $b ÷ $c is $is', ({ a, b, c, is }) => expect(scaled(a, b, c)).toBe(is));
});

describe('scores of nodes', () => {
  test.each<Case>([
    {
      title: 'images: by size, less where few nodes have them; a node counts those that had them when it last reported',
      plugin: imageLocality,
      pod: image('nginx'),
      nodes: reported(
        withImages('a', ['nginx:latest', 523]),
        withImages('b', ['nginx:latest', 523]),
        node('c'),
        node('d'),
      ),
      scores: [11, 24, 0, 0],
    },
    {
      title: 'images: the full name counts',
      plugin: imageLocality,
      pod: image('registry:5000/nginx'),
      nodes: reported(withImages('a', ['registry:5000/nginx:latest', 1000]), withImages('b', ['nginx:latest', 1000])),
      scores: [48, 0],
    },
    {
      title: 'images: a node that reports again counts anew, those that are gone no longer',
      plugin: imageLocality,
      pod: image('nginx:1'),
      nodes: reported(
        withImages('a', ['nginx:1', 1000]),
        withImages('b', ['nginx:1', 1000]),
        withImages('c', ['nginx:1', 1000]),
        withImages('a', ['nginx:1', 1000]),
        withImages('c', ['other', 1000]),
        withImages('b', ['nginx:1', 1000]),
      ),
      scores: [100, 65, 0],
    },
    {
      title: 'images: the size is that of the first node that had it, until none has it',
      plugin: imageLocality,
      pod: image('nginx:1'),
      nodes: reported(
        withImages('a', ['nginx:1', 1000]),
        withImages('b', ['nginx:1', 200]),
        withImages('b', ['nginx:1', 200]),
        withImages('a'),
        withImages('b'),
        withImages('a', ['nginx:1', 400]),
      ),
      scores: [18, 0],
    },
    {
      title: 'images: under two names count for both, under one name twice once',
      plugin: imageLocality,
      pod: image('a:1', 'a:2'),
      nodes: reported(withImages('a', ['a:1', 300], ['a:2', 300], ['a:1', 900])),
      scores: [29],
    },
    {
      title: 'images: 23 MB are worth nothing',
      plugin: imageLocality,
      pod: image('small', 'unknown'),
      nodes: reported(withImages('a', ['small:latest', 23]), withImages('b')),
      scores: [0, 0],
    },
    {
      title: 'images: no more than a thousand MB for each container',
      plugin: imageLocality,
      pod: image('a:1', 'b:1'),
      nodes: reported(withImages('a', ['a:1', 9000])),
      scores: [100],
    },
    {
      title: 'preferred node affinity: the sum of weights, as a share of the largest',
      plugin: nodeAffinity,
      pod: pod('p', {
        spec: {
          affinity: {
            nodeAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 3, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
                { weight: 5, preference: { matchExpressions: [{ key: 'b', operator: 'Exists' }] } },
              ],
            },
          },
        },
      }),
      nodes: [at('1', { a: '' }), at('2', { a: '', b: '' }), at('3', {})],
      scores: [37, 100, 0],
    },
    {
      title: 'soft taints: the fewer the better, tolerated ones aside',
      plugin: taintToleration,
      pod: pod('p', { spec: { tolerations: [{ key: 'ok', operator: 'Exists', effect: 'PreferNoSchedule' }] } }),
      nodes: [tainted('a', 'x', 'y', 'ok'), tainted('b', 'x'), tainted('c', 'ok')],
      scores: [0, 50, 100],
    },
    {
      title: 'soft taints: none anywhere is best everywhere',
      plugin: taintToleration,
      nodes: [tainted('a'), tainted('b')],
      scores: [100, 100],
    },
    {
      title: 'avoided pods: of the owner that the node names',
      plugin: nodePreferAvoidPods,
      pod: owned('ReplicaSet'),
      nodes: [avoiding(AVOID), avoiding('no json'), withPods(node('c'))],
      scores: [0, 100, 100],
    },
    {
      title: 'avoided pods: of sets and controllers alone',
      plugin: nodePreferAvoidPods,
      pod: owned('Job'),
      nodes: [avoiding(AVOID)],
      scores: [100],
    },
    {
      title: 'node labels: the share of preferences that are met',
      plugin: nodeLabelOf({ present: [], absent: [], preferPresent: ['a', 'b'], preferAbsent: ['c'] }),
      nodes: [at('1', { a: '', b: '' }), at('2', { a: '', c: '' }), at('3', { c: '' })],
      scores: [100, 33, 0],
    },
  ])('$title', check);
});

describe('scores of nearness and spread', () => {
  test.each<Case>([
    {
      title: 'affinity: each pod in the place counts by weight',
      plugin: interPodAffinity,
      pod: pod('p', { spec: near('podAffinity', 10) }),
      nodes: [
        at('a', { zone: 'x' }, web('1'), web('2')),
        at('b', { zone: 'x' }),
        at('c', { zone: 'y' }, web('3')),
        at('d', {}),
      ],
      scores: [100, 100, 50, 0],
    },
    {
      title: 'anti-affinity: the place with most pods is worst',
      plugin: interPodAffinity,
      pod: pod('p', { spec: near('podAntiAffinity', 10) }),
      nodes: [at('a', { zone: 'x' }, web('1'), web('2')), at('b', { zone: 'y' }, web('3')), at('c', { zone: 'z' })],
      scores: [0, 50, 100],
    },
    {
      title: 'affinity: what placed pods prefer counts as much',
      plugin: interPodAffinity,
      pod: web('p'),
      nodes: [
        at('a', { zone: 'x' }, pod('1', { spec: near('podAffinity', 5) })),
        at('b', { zone: 'y' }, pod('2', { spec: near('podAntiAffinity', 5) })),
        at('c', { zone: 'z' }),
      ],
      scores: [100, 0, 50],
    },
    {
      title: 'affinity: what placed pods require draws by the configured weight',
      plugin: interPodAffinityWith(args({ hardPodAffinityWeight: 5 })),
      pod: web('p'),
      nodes: [
        at('a', { zone: 'x' }, pod('1', { spec: required })),
        at('b', { zone: 'y' }, pod('2', { spec: near('podAffinity', 10) })),
        at('c', { zone: 'z' }),
      ],
      scores: [50, 100, 0],
    },
    {
      title: 'affinity: required terms of placed pods can count for nothing',
      plugin: interPodAffinityWith(args({ hardPodAffinityWeight: 0 })),
      pod: web('p'),
      nodes: [at('a', { zone: 'x' }, pod('1', { spec: required })), at('c', { zone: 'z' })],
      scores: [0, 0],
    },
    {
      title: 'spread: the fewer the better',
      plugin: podTopologySpread,
      pod: web('p', { spec: softSpread('zone') }),
      nodes: [at('a', { zone: 'x' }, web('1'), web('2')), at('b', { zone: 'y' }, web('3')), at('c', { zone: 'z' })],
      scores: [0, 66, 100],
    },
    {
      title: 'spread: nodes without the label get nothing and do not count',
      plugin: podTopologySpread,
      pod: web('p', { spec: softSpread('zone') }),
      nodes: [at('a', { zone: 'x' }, web('1')), at('b', {}, web('2'), web('3')), at('c', { zone: 'y' })],
      scores: [0, 0, 100],
    },
    {
      title: 'spread: pods on nodes where the pod can not go do not count',
      plugin: podTopologySpread,
      pod: web('p', { spec: { ...softSpread('zone'), nodeSelector: { fast: '' } } }),
      nodes: [
        at('a', { zone: 'x', fast: '' }),
        at('b', { zone: 'x' }, web('1')),
        at('c', { zone: 'y', fast: '' }, web('2')),
      ],
      scores: [100, 100, 0],
    },
    {
      title: 'spread: a service spreads its pods over nodes and zones without being asked',
      plugin: podTopologySpread,
      pod: web('p'),
      listers: service,
      nodes: [
        at('a', { [ZONE]: 'x' }, web('1'), web('2'), web('3')),
        at('b', { [ZONE]: 'x' }),
        at('c', { [ZONE]: 'y' }),
      ],
      scores: [42, 71, 100],
    },
    {
      title: 'spread: a service says nothing about nodes without a zone',
      plugin: podTopologySpread,
      pod: web('p'),
      listers: service,
      nodes: [at('a', { [ZONE]: 'x' }, web('1')), at('b', {}, web('2')), at('c', { [ZONE]: 'y' }), at('d', {})],
      scores: [75, 0, 100, 0],
    },
    {
      title: 'spread: a profile can say how',
      plugin: podTopologySpreadWith(
        args({
          defaultingType: 'List',
          defaultConstraints: [{ maxSkew: 1, topologyKey: HOST, whenUnsatisfiable: 'ScheduleAnyway' }],
        }),
      ),
      pod: web('p'),
      listers: service,
      nodes: [at('a', {}, web('1'), web('2')), at('b', {}, web('3')), at('c', {})],
      scores: [0, 66, 100],
    },
    {
      title: 'spread: pods of nobody are as good anywhere',
      plugin: podTopologySpread,
      pod: web('p'),
      nodes: [at('a', {}, web('1')), at('b', {})],
      scores: [100, 100],
    },
    {
      title: 'selector spread: nodes count for a third, zones for two',
      plugin: selectorSpread,
      pod: web('p'),
      listers: service,
      nodes: [
        at('a', { [ZONE]: 'x' }, web('1'), web('2')),
        at('b', { [ZONE]: 'x' }),
        at('c', { [ZONE]: 'y' }, web('3')),
        at('d', {}),
      ],
      scores: [0, 33, 50, 100],
    },
    {
      title: 'selector spread: leaves pods alone that have constraints',
      plugin: selectorSpread,
      pod: web('p', { spec: softSpread('zone') }),
      listers: service,
      nodes: [at('a', {}, web('1')), at('b', {})],
      scores: [0, 0],
    },
    {
      title: 'selector spread: nodes without a zone are no zone together',
      plugin: selectorSpread,
      pod: web('p'),
      listers: service,
      nodes: [at('a', {}, web('1'), web('2')), at('b', {}, web('3')), at('c', { [ZONE]: 'x' }, web('4'))],
      scores: [0, 50, 16],
    },
    {
      title: 'affinity: terms of one pod count by their own weights',
      plugin: interPodAffinity,
      pod: pod('p', {
        spec: {
          affinity: {
            podAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 8, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } } },
                { weight: 2, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'db' } } } },
              ],
            },
          },
        },
      }),
      nodes: [
        at('a', { zone: 'x' }, web('1')),
        at('b', { zone: 'y' }, pod('2', { labels: { app: 'db' } })),
        at('c', { zone: 'z' }),
      ],
      scores: [100, 25, 0],
    },
    {
      title: 'spread: pods of a node are those on it, whatever its label says',
      plugin: podTopologySpread,
      pod: web('p', { spec: softSpread(HOST) }),
      nodes: [
        at('a', { [HOST]: 'one' }, web('1'), web('2')),
        at('b', { [HOST]: 'one' }, web('3')),
        at('c', { [HOST]: 'two' }),
      ],
      scores: [0, 66, 100],
    },
    {
      title: 'service anti-affinity: by the share of the service that a value has',
      plugin: serviceAffinityOf({ affinityLabels: [], antiAffinityLabels: ['rack'] }),
      pod: web('p'),
      listers: service,
      nodes: [
        at('a', { rack: '1' }, web('1'), web('2')),
        at('b', { rack: '1' }),
        at('c', { rack: '2' }, web('3')),
        at('d', {}),
      ],
      scores: [33, 33, 66, 0],
    },
  ])('$title', check);
});

function check({ plugin, pod: wanted = pod('p'), nodes, listers, scores }: Case): void {
  const { columns } = scoreNodes([plugin], cycle(wanted, nodes, listers), nodes);
  expect(columns[0]?.normalized).toEqual(scores);
}
