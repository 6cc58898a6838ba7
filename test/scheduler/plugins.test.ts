import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/client/index.ts';
import type { NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { explain, Filters, filterNodes, scoreNodes } from '../../src/scheduler/framework/run.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import { cycle, node, pod, withPods } from './objects.ts';

/** Where the pod could go, and what is told of the others. */
function judge(wanted: Pod, nodes: readonly NodeInfo[]): { fits: string[]; told: string } {
  const filters = new Filters(plugins, cycle(wanted, nodes));
  const refused = filters.refusedEverywhere;
  if (refused)
    return {
      fits: [],
      told: explain(
        nodes.length,
        nodes.map((n) => ({ node: n.name, ...refused })),
      ),
    };
  const { feasible, rejections } = filterNodes(filters, nodes, 0);
  return { fits: feasible.map((n) => n.name), told: explain(nodes.length, rejections) };
}

const near = (app: string, topologyKey: string) => [{ labelSelector: { matchLabels: { app } }, topologyKey }];
const affinity = (kind: 'podAffinity' | 'podAntiAffinity', app: string, key: string): Partial<Pod['spec']> => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: near(app, key) } },
});
const port = (hostPort: number): Partial<Pod['spec']> => ({
  containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort }] }] as unknown as Pod['spec']['containers'],
});
const zone = (name: string, z: string): NodeInfo => withPods(node(name, { labels: { zone: z } }));

describe('filters', () => {
  const cases: readonly { title: string; pod: Pod; nodes: readonly NodeInfo[]; fits: string[]; told: string }[] = [
    {
      title: 'leave out nodes that are too small, each resource named',
      pod: pod('p', { requests: { cpu: '3', memory: '10Gi' } }),
      nodes: [
        withPods(node('a')),
        withPods(node('b', { allocatable: { memory: '16Gi' } }), pod('x', { requests: { cpu: '2' } })),
        withPods(node('c', { allocatable: { memory: '16Gi' } })),
      ],
      fits: ['c'],
      told: '0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.',
    },
    {
      title: 'count pods against the number that a node takes',
      pod: pod('p'),
      nodes: [withPods(node('a', { allocatable: { pods: '1' } }), pod('x'))],
      fits: [],
      told: '0/1 nodes are available: 1 Too many pods.',
    },
    {
      title: 'leave out taints that are not tolerated, soft ones aside',
      pod: pod('p', { spec: { tolerations: [{ key: 'ok', operator: 'Exists' }] } }),
      nodes: [
        withPods(node('a', { spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] } as never })),
        withPods(node('b', { spec: { taints: [{ key: 'ok', effect: 'NoExecute' }] } as never })),
        withPods(node('c', { spec: { taints: [{ key: 'soft', effect: 'PreferNoSchedule' }] } as never })),
      ],
      fits: ['b', 'c'],
      told: "0/3 nodes are available: 1 node(s) had taint {gpu: yes}, that the pod didn't tolerate.",
    },
    {
      title: 'leave out nodes that are marked unschedulable',
      pod: pod('p'),
      nodes: [withPods(node('a', { spec: { unschedulable: true } }))],
      fits: [],
      told: '0/1 nodes are available: 1 node(s) were unschedulable.',
    },
    {
      title: 'keep a pod to the nodes that it selects',
      pod: pod('p', { spec: { nodeSelector: { zone: 'x' } } }),
      nodes: [zone('a', 'x'), zone('b', 'y')],
      fits: ['a'],
      told: "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity.",
    },
    {
      title: 'leave out nodes whose host port is taken',
      pod: pod('p', { spec: port(8080) }),
      nodes: [withPods(node('a'), pod('x', { spec: port(8080) })), withPods(node('b'), pod('y', { spec: port(9090) }))],
      fits: ['b'],
      told: "0/2 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
    },
    {
      title: 'keep a pod near to those that it wants to be with',
      pod: pod('p', { spec: affinity('podAffinity', 'db', 'zone') }),
      nodes: [
        withPods(node('a', { labels: { zone: 'x' } }), pod('db', { labels: { app: 'db' } })),
        zone('b', 'x'),
        zone('c', 'y'),
      ],
      fits: ['a', 'b'],
      told: "0/3 nodes are available: 1 node(s) didn't match pod affinity rules, 1 node(s) didn't match pod affinity/anti-affinity rules.",
    },
    {
      title: 'let the first of a group that wants to be together go anywhere',
      pod: pod('p', { labels: { app: 'db' }, spec: affinity('podAffinity', 'db', 'zone') }),
      nodes: [zone('a', 'x')],
      fits: ['a'],
      told: '0/1 nodes are available: .',
    },
    {
      title: 'keep a pod away from those that it, or they, do not want near',
      pod: pod('p', { labels: { app: 'web' }, spec: affinity('podAntiAffinity', 'web', 'cluster.io/hostname') }),
      nodes: [
        withPods(node('a'), pod('w', { labels: { app: 'web' } })),
        withPods(node('b'), pod('shy', { spec: affinity('podAntiAffinity', 'web', 'cluster.io/hostname') })),
        withPods(node('c')),
      ],
      fits: ['c'],
      told: "0/3 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 1 node(s) didn't satisfy existing pods anti-affinity rules, 2 node(s) didn't match pod affinity/anti-affinity rules.",
    },
    {
      title: 'keep pods spread as their constraints ask',
      pod: pod('p', {
        labels: { app: 'web' },
        spec: {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { app: 'web' } },
            },
          ],
        },
      }),
      nodes: [
        withPods(node('a', { labels: { zone: 'x' } }), pod('w', { labels: { app: 'web' } })),
        zone('b', 'y'),
        withPods(node('c')),
      ],
      fits: ['b'],
      told: "0/3 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) didn't match pod topology spread constraints (missing required label).",
    },
    {
      title: 'leave out every node for a claim that is not there',
      pod: pod('p', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'none' } }] as never } }),
      nodes: [withPods(node('a')), withPods(node('b'))],
      fits: [],
      told: '0/2 nodes are available: 2 persistentvolumeclaim "none" not found.',
    },
  ];

  test.each(cases)('$title', ({ pod: wanted, nodes, fits, told }) => {
    expect(judge(wanted, nodes)).toEqual({ fits, told });
  });
});

/** Nodes from the best to the worst by one plugin. */
function ranking(plugin: string, wanted: Pod, nodes: readonly NodeInfo[]): string[] {
  const scored = scoreNodes(plugins, cycle(wanted, nodes), nodes);
  return [...scored].sort((a, b) => (b.scores[plugin] ?? 0) - (a.scores[plugin] ?? 0)).map((s) => s.node.name);
}

describe('scores', () => {
  test('prefer the node of which less is in use', () => {
    const nodes = [withPods(node('full'), pod('x', { requests: { cpu: '3' } })), withPods(node('free'))];
    expect(ranking('NodeResourcesLeastAllocated', pod('p'), nodes)).toEqual(['free', 'full']);
  });

  test('prefer the node on which CPU and memory are used evenly', () => {
    const nodes = [
      withPods(node('lopsided'), pod('x', { requests: { cpu: '3', memory: '1Mi' } })),
      withPods(node('even'), pod('y', { requests: { cpu: '2', memory: '4Gi' } })),
    ];
    expect(ranking('NodeResourcesBalancedAllocation', pod('p'), nodes)).toEqual(['even', 'lopsided']);
  });

  test('prefer nodes without soft taints', () => {
    const soft = { taints: [{ key: 'soft', effect: 'PreferNoSchedule' }] } as never;
    expect(
      ranking('TaintToleration', pod('p'), [withPods(node('soft', { spec: soft })), withPods(node('plain'))]),
    ).toEqual(['plain', 'soft']);
  });

  test('lie between 0 and 100 times the weight of their plugin', () => {
    const nodes = [withPods(node('a'), pod('x', { requests: { cpu: '1' } })), withPods(node('b')), zone('c', 'x')];
    for (const { scores } of scoreNodes(plugins, cycle(pod('p', { requests: { cpu: '1' } }), nodes), nodes)) {
      for (const [name, score] of Object.entries(scores)) {
        const weight = plugins.find((p) => p.name === name)?.weight ?? 1;
        expect(score / weight).toBeGreaterThanOrEqual(0);
        expect(score / weight).toBeLessThanOrEqual(100);
      }
    }
  });
});
