import { describe, expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '../../src/client/index.ts';
import type { NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { Filters } from '../../src/scheduler/framework/filters.ts';
import { describeRejections, filterNodes } from '../../src/scheduler/framework/run.ts';
import type { Listers, Plugin } from '../../src/scheduler/framework/plugin.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import { nodeLabelOf } from '../../src/scheduler/plugins/nodeLabel.ts';
import { serviceAffinityOf } from '../../src/scheduler/plugins/serviceAffinity.ts';
import { cycle, node, pod, withPods } from './objects.ts';

/** Where the pod could go, and the message about the others. */
function judge(
  wanted: Pod,
  nodes: readonly NodeInfo[],
  listers: Partial<Listers> = {},
  optional: readonly Plugin[] = [],
): { fits: string[]; message: string } {
  const filters = Filters.prepare([...plugins, ...optional], cycle(wanted, nodes, listers));
  const refused = filters.refusedEverywhere;
  if (refused)
    return {
      fits: [],
      message: describeRejections(
        nodes.length,
        nodes.map((n) => ({ node: n.name, ...refused })),
      ),
    };
  const { feasible, rejections } = filterNodes(filters, nodes, 0);
  return { fits: feasible.map((n) => n.name), message: describeRejections(nodes.length, rejections) };
}

const near = (app: string, topologyKey: string) => [{ labelSelector: { matchLabels: { app } }, topologyKey }];
const affinity = (kind: 'podAffinity' | 'podAntiAffinity', app: string, key: string): Partial<Pod['spec']> => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: near(app, key) } },
});
/** Wants to be near a pod of the app `db` and near one of the tier `one`. */
const wantsBoth: Partial<Pod['spec']> = {
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        ...near('db', 'zone'),
        { labelSelector: { matchLabels: { tier: 'one' } }, topologyKey: 'zone' },
      ],
    },
  },
};
const port = (hostPort: number): Partial<Pod['spec']> => ({
  containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort }] }] as unknown as Pod['spec']['containers'],
});
const zone = (name: string, z: string): NodeInfo => withPods(node(name, { labels: { zone: z } }));

interface Case {
  readonly title: string;
  readonly pod: Pod;
  readonly nodes: readonly NodeInfo[];
  readonly fits: string[];
  readonly message: string;
  readonly listers?: Partial<Listers>;
  readonly optional?: readonly Plugin[];
}

const spread = (topologyKey: string) => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'web' } },
});
const terminating = (of: Pod): Pod => ({
  ...of,
  metadata: { ...of.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});
const volume = (source: object): Partial<Pod['spec']> => ({ volumes: [{ name: 'v', ...source }] as never });
const claimed: Partial<Pod['spec']> = volume({ persistentVolumeClaim: { claimName: 'c' } });
const claim = (spec: object, annotations: Record<string, string> = {}) =>
  ({ metadata: { name: 'c', namespace: 'ns', annotations }, spec }) as unknown as PersistentVolumeClaim;
const bound = claim({ volumeName: 'pv' }, { 'pv.cluster.io/bind-completed': 'yes' });
const disk = (spec: object, labels: Record<string, string> = {}, name = 'pv') =>
  ({
    metadata: { name, labels },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
  }) as unknown as PersistentVolume;
const delayed = claim({
  storageClassName: 'late',
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
});
const late = {
  volumeBindingMode: 'WaitForFirstConsumer',
  provisioner: 'cluster.io/no-provisioner',
} as unknown as StorageClass;
const onlyIn = (value: string): object => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] }] },
  },
});
const labelled = (name: string, labels: Record<string, string>): NodeInfo => withPods(node(name, { labels }));

describe('filters', () => {
  const cases: readonly Case[] = [
    {
      title: 'leave out nodes that are too small, each resource named',
      pod: pod('p', { requests: { cpu: '3', memory: '10Gi' } }),
      nodes: [
        withPods(node('a')),
        withPods(node('b', { allocatable: { memory: '16Gi' } }), pod('x', { requests: { cpu: '2' } })),
        withPods(node('c', { allocatable: { memory: '16Gi' } })),
      ],
      fits: ['c'],
      message: '0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.',
    },
    {
      title: 'count pods against the number that a node takes',
      pod: pod('p'),
      nodes: [withPods(node('a', { allocatable: { pods: '1' } }), pod('x'))],
      fits: [],
      message: '0/1 nodes are available: 1 Too many pods.',
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
      message: "0/3 nodes are available: 1 node(s) had taint {gpu: yes}, that the pod didn't tolerate.",
    },
    {
      title: 'leave out nodes that are marked unschedulable',
      pod: pod('p'),
      nodes: [withPods(node('a', { spec: { unschedulable: true } }))],
      fits: [],
      message: '0/1 nodes are available: 1 node(s) were unschedulable.',
    },
    {
      title: 'keep a pod to the nodes that it selects',
      pod: pod('p', { spec: { nodeSelector: { zone: 'x' } } }),
      nodes: [zone('a', 'x'), zone('b', 'y')],
      fits: ['a'],
      message: "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity.",
    },
    {
      title: 'leave out nodes whose host port is taken',
      pod: pod('p', { spec: port(8080) }),
      nodes: [withPods(node('a'), pod('x', { spec: port(8080) })), withPods(node('b'), pod('y', { spec: port(9090) }))],
      fits: ['b'],
      message: "0/2 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
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
      message:
        "0/3 nodes are available: 1 node(s) didn't match pod affinity rules, 1 node(s) didn't match pod affinity/anti-affinity.",
    },
    {
      title: 'let the first of a group that wants to be together go anywhere',
      pod: pod('p', { labels: { app: 'db' }, spec: affinity('podAffinity', 'db', 'zone') }),
      nodes: [zone('a', 'x')],
      fits: ['a'],
      message: '0/1 nodes are available: .',
    },
    {
      title: 'let the first of a group go only where there is a place, and only if it is like all that it wants',
      pod: pod('p', { labels: { app: 'db' }, spec: affinity('podAffinity', 'db', 'zone') }),
      nodes: [withPods(node('a')), zone('b', 'x')],
      fits: ['b'],
      message:
        "0/2 nodes are available: 1 node(s) didn't match pod affinity rules, 1 node(s) didn't match pod affinity/anti-affinity.",
    },
    {
      title: 'keep a pod from places where pods are like only some of what it wants',
      pod: pod('p', {
        labels: { app: 'db' },
        spec: wantsBoth,
      }),
      nodes: [
        withPods(node('a', { labels: { zone: 'x' } }), pod('db', { labels: { app: 'db' } })),
        withPods(node('b', { labels: { zone: 'y' } }), pod('both', { labels: { app: 'db', tier: 'one' } })),
        withPods(node('c', { labels: { zone: 'z' } }), pod('tier', { labels: { tier: 'one' } })),
      ],
      fits: ['b'],
      message:
        "0/3 nodes are available: 2 node(s) didn't match pod affinity rules, 2 node(s) didn't match pod affinity/anti-affinity.",
    },
    {
      title: 'keep a pod that is like only some of what it wants from being the first',
      pod: pod('p', {
        labels: { app: 'db' },
        spec: wantsBoth,
      }),
      nodes: [zone('a', 'x')],
      fits: [],
      message:
        "0/1 nodes are available: 1 node(s) didn't match pod affinity rules, 1 node(s) didn't match pod affinity/anti-affinity.",
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
      message:
        "0/3 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 1 node(s) didn't satisfy existing pods anti-affinity rules, 2 node(s) didn't match pod affinity/anti-affinity.",
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
      message:
        "0/3 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) didn't match pod topology spread constraints (missing required label).",
    },
    {
      title: 'leave out every node for a claim that is not there',
      pod: pod('p', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'none' } }] as never } }),
      nodes: [withPods(node('a')), withPods(node('b'))],
      fits: [],
      message: '0/2 nodes are available: 2 persistentvolumeclaim "none" not found.',
    },
    {
      title: 'check CPU and memory of a node for a pod that asks for anything, as a node may be overcommitted',
      pod: pod('p', { requests: { memory: '1Mi' } }),
      nodes: [withPods(node('a', { allocatable: { cpu: '1' } }), pod('x', { requests: { cpu: '2' } }))],
      fits: [],
      message: '0/1 nodes are available: 1 Insufficient cpu.',
    },
    {
      title: 'let a pod that asks for nothing go to an overcommitted node',
      pod: pod('p'),
      nodes: [withPods(node('a', { allocatable: { cpu: '1' } }), pod('x', { requests: { cpu: '2' } }))],
      fits: ['a'],
      message: '0/1 nodes are available: .',
    },
    {
      title: 'count ephemeral storage, extended resources and overhead, to the last unit',
      pod: pod('p', {
        requests: { 'ephemeral-storage': '1Gi', 'x.org/gpu': '2' },
        spec: { overhead: { cpu: '500m' } },
      }),
      nodes: [
        withPods(node('a', { allocatable: { 'ephemeral-storage': '1Gi', 'x.org/gpu': '2', cpu: '500m' } })),
        withPods(node('b', { allocatable: { 'ephemeral-storage': '1073741823', 'x.org/gpu': '1', cpu: '499m' } })),
      ],
      fits: ['a'],
      message:
        '0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient ephemeral-storage, 1 Insufficient x.org/gpu.',
    },
    {
      title: 'take the largest init container where it needs more than all others together',
      pod: pod('p', {
        requests: { cpu: '1' },
        spec: { initContainers: [{ name: 'i', resources: { requests: { cpu: '3' } } }] as never },
      }),
      nodes: [withPods(node('a', { allocatable: { cpu: '3' } })), withPods(node('b', { allocatable: { cpu: '2' } }))],
      fits: ['a'],
      message: '0/2 nodes are available: 1 Insufficient cpu.',
    },
    {
      title: 'keep a pod that names its node there',
      pod: pod('p', { spec: { nodeName: 'b' } }),
      nodes: [withPods(node('a')), withPods(node('b'))],
      fits: ['b'],
      message: "0/2 nodes are available: 1 node(s) didn't match the requested hostname.",
    },
    {
      title: 'let a pod that tolerates it go to an unschedulable node',
      pod: pod('p', { spec: { tolerations: [{ key: 'node.cluster.io/unschedulable', operator: 'Exists' }] } }),
      nodes: [withPods(node('a', { spec: { unschedulable: true } }))],
      fits: ['a'],
      message: '0/1 nodes are available: .',
    },
    {
      title: 'leave out nodes where a disk is in use that can be mounted once',
      pod: pod('p', { spec: volume({ gcePersistentDisk: { pdName: 'd' } }) }),
      nodes: [
        withPods(node('a'), pod('x', { spec: volume({ gcePersistentDisk: { pdName: 'd' } }) })),
        withPods(node('b'), pod('y', { spec: volume({ gcePersistentDisk: { pdName: 'other' } }) })),
      ],
      fits: ['b'],
      message: '0/2 nodes are available: 1 node(s) had no available disk.',
    },
    {
      title: 'leave out nodes that can attach no more disks, those that are attached already counted once',
      pod: pod('p', { spec: volume({ awsElasticBlockStore: { volumeID: 'v' } }) }),
      nodes: [
        withPods(
          node('a', { allocatable: { 'attachable-volumes-aws-ebs': '1' } }),
          pod('x', { spec: volume({ awsElasticBlockStore: { volumeID: 'w' } }) }),
        ),
        withPods(node('b', { allocatable: { 'attachable-volumes-aws-ebs': '1' } })),
      ],
      fits: ['b'],
      message: '0/2 nodes are available: 1 node(s) exceed max volume count.',
    },
    {
      title: 'leave out every node for a claim that is not bound yet but could be',
      pod: pod('p', { spec: claimed }),
      nodes: [withPods(node('a'))],
      listers: { claim: () => claim({ storageClassName: 'now' }) },
      fits: [],
      message: '0/1 nodes are available: 1 pod has unbound immediate PersistentVolumeClaims.',
    },
    {
      title: 'leave out every node for a claim that is being deleted',
      pod: pod('p', { spec: claimed }),
      nodes: [withPods(node('a'))],
      listers: {
        claim: () => ({ ...bound, metadata: { ...bound.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }),
        volume: () => disk({}),
      },
      fits: [],
      message: '0/1 nodes are available: 1 persistentvolumeclaim "c" is being deleted.',
    },
    {
      title: 'leave out every node for a claim that names its volume but is not bound to it yet',
      pod: pod('p', { spec: claimed }),
      nodes: [withPods(node('a'))],
      listers: { claim: () => claim({ volumeName: 'pv' }), storageClass: () => late, volume: () => disk({}) },
      fits: [],
      message: '0/1 nodes are available: 1 pod has unbound immediate PersistentVolumeClaims.',
    },
    {
      title: 'keep a pod to nodes that its bound volume reaches',
      pod: pod('p', { spec: claimed }),
      nodes: [zone('a', 'x'), zone('b', 'y')],
      listers: { claim: () => bound, volume: () => disk(onlyIn('x')) },
      fits: ['a'],
      message: '0/2 nodes are available: 1 node(s) had volume node affinity conflict.',
    },
    {
      title: 'keep a pod to nodes where there are volumes for its delayed claims',
      pod: pod('p', { spec: claimed }),
      nodes: [zone('a', 'x'), zone('b', 'y')],
      listers: {
        claim: () => delayed,
        storageClass: () => late,
        volumesOfClass: () => [disk({ storageClassName: 'late', ...onlyIn('y') })],
      },
      fits: ['b'],
      message: "0/2 nodes are available: 1 node(s) didn't find available persistent volumes to bind.",
    },
    {
      title: 'leave volumes alone that are being bound for another pod',
      pod: pod('p', { spec: claimed }),
      nodes: [zone('a', 'x')],
      listers: {
        claim: () => delayed,
        storageClass: () => late,
        volumesOfClass: () => [disk({ storageClassName: 'late' })],
        assumed: { isTaken: () => true, nodeOf: () => undefined },
      },
      fits: [],
      message: "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.",
    },
    {
      title: 'make a volume only on the node that was selected for it, where topologies allow that',
      pod: pod('p', { spec: claimed }),
      nodes: [zone('a', 'x'), zone('b', 'x'), zone('c', 'y')],
      listers: {
        claim: () => ({
          ...delayed,
          metadata: { ...delayed.metadata, annotations: { 'volume.cluster.io/selected-node': 'b' } },
        }),
        storageClass: () => ({
          ...late,
          provisioner: 'x.org/disks',
          allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['x'] }] }],
        }),
      },
      fits: ['b'],
      message: "0/3 nodes are available: 2 node(s) didn't find available persistent volumes to bind.",
    },
    {
      title: 'keep a pod to the zone of its volume',
      pod: pod('p', { spec: claimed }),
      nodes: [
        labelled('a', { 'topology.cluster.io/zone': 'x' }),
        labelled('b', { 'topology.cluster.io/zone': 'y' }),
        labelled('c', {}),
      ],
      listers: { claim: () => bound, volume: () => disk({}, { 'topology.cluster.io/zone': 'x__z' }) },
      fits: ['a', 'c'],
      message: '0/3 nodes are available: 1 node(s) had no available volume zone.',
    },
    {
      title: 'count pods of a spread constraint in a place that counts, on nodes as well where the pod can not go',
      pod: pod('p', {
        labels: { app: 'web' },
        spec: { nodeSelector: { kind: 'fast' }, topologySpreadConstraints: [spread('zone')] },
      }),
      nodes: [
        labelled('a', { zone: 'x', kind: 'fast' }),
        withPods(node('b', { labels: { zone: 'x' } }), pod('w', { labels: { app: 'web' } })),
        labelled('c', { zone: 'y', kind: 'fast' }),
      ],
      fits: ['c'],
      message:
        "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity, 1 node(s) didn't match pod topology spread constraints.",
    },
    {
      title: 'count neither pods of other namespaces nor those that are being deleted',
      pod: pod('p', { labels: { app: 'web' }, spec: { topologySpreadConstraints: [spread('cluster.io/hostname')] } }),
      nodes: [
        withPods(
          node('a'),
          terminating(pod('w', { labels: { app: 'web' } })),
          pod('o', { labels: { app: 'web' }, namespace: 'other' }),
        ),
        withPods(node('b')),
      ],
      fits: ['a', 'b'],
      message: '0/2 nodes are available: .',
    },
    {
      title: 'count those that stay where others with the same labels are being deleted',
      pod: pod('p', { labels: { app: 'web' }, spec: { topologySpreadConstraints: [spread('cluster.io/hostname')] } }),
      nodes: [
        withPods(
          node('a'),
          terminating(pod('v', { labels: { app: 'web' } })),
          pod('w', { labels: { app: 'web' } }),
          terminating(pod('x', { labels: { app: 'web' } })),
        ),
        withPods(node('b'), terminating(pod('y', { labels: { app: 'web' } }))),
      ],
      fits: ['b'],
      message: "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints.",
    },
    {
      title: 'keep all pods to nodes with all of some labels',
      pod: pod('p'),
      nodes: [labelled('a', { good: '', fine: '' }), labelled('b', { good: '' }), labelled('c', { fine: '' })],
      optional: [nodeLabelOf({ present: ['good', 'fine'], absent: [], preferPresent: [], preferAbsent: [] })],
      fits: ['a'],
      message: "0/3 nodes are available: 2 node(s) didn't have the requested labels.",
    },
    {
      title: 'make a volume where one of several topologies allows that, with all of its labels',
      pod: pod('p', { spec: claimed }),
      nodes: [
        labelled('a', { zone: 'x', rack: '1' }),
        labelled('b', { zone: 'x', rack: '2' }),
        labelled('c', { zone: 'y' }),
        labelled('d', {}),
      ],
      listers: {
        claim: () => delayed,
        storageClass: () => ({
          ...late,
          provisioner: 'x.org/disks',
          allowedTopologies: [
            {
              matchLabelExpressions: [
                { key: 'zone', values: ['x'] },
                { key: 'rack', values: ['1', '3'] },
              ],
            },
            { matchLabelExpressions: [{ key: 'zone', values: ['y', 'z'] }] },
          ],
        }),
      },
      fits: ['a', 'c'],
      message: "0/4 nodes are available: 2 node(s) didn't find available persistent volumes to bind.",
    },
    {
      title: 'keep all pods to nodes with some labels and without others',
      pod: pod('p'),
      nodes: [labelled('a', { good: '' }), labelled('b', { good: '', bad: '' }), labelled('c', {})],
      optional: [nodeLabelOf({ present: ['good'], absent: ['bad'], preferPresent: [], preferAbsent: [] })],
      fits: ['a'],
      message: "0/3 nodes are available: 2 node(s) didn't have the requested labels.",
    },
    {
      title: 'keep pods of a service where the first of them is',
      pod: pod('p', { labels: { app: 'web' } }),
      nodes: [
        withPods(node('a', { labels: { rack: '1' } }), pod('w', { labels: { app: 'web' } })),
        labelled('b', { rack: '1' }),
        labelled('c', { rack: '2' }),
      ],
      optional: [serviceAffinityOf({ affinityLabels: ['rack'], antiAffinityLabels: [] })],
      listers: { servicesFor: () => [{ spec: { selector: { app: 'web' } } }] as never },
      fits: ['a', 'b'],
      message: "0/3 nodes are available: 1 node(s) didn't match service affinity.",
    },
    {
      title: 'let the first pod of a service go anywhere, and one that selects a rack only there',
      pod: pod('p', { labels: { app: 'web' }, spec: { nodeSelector: { rack: '2' } } }),
      nodes: [labelled('a', { rack: '1' }), labelled('b', { rack: '2' })],
      optional: [serviceAffinityOf({ affinityLabels: ['rack'], antiAffinityLabels: [] })],
      listers: { servicesFor: () => [{ spec: { selector: { app: 'web' } } }] as never },
      fits: ['b'],
      message: "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity.",
    },
  ];

  test.each(cases)('$title', ({ pod: wanted, nodes, fits, message, listers, optional }) => {
    expect(judge(wanted, nodes, listers, optional)).toEqual({ fits, message });
  });

  describe('that are all asked', () => {
    const small = pod('p', { spec: { ...port(8080), overhead: { cpu: '3' } } });
    const full = withPods(node('full'), pod('x', { requests: { cpu: '2' } }), pod('z', { spec: port(8080) }));
    const cordoned = withPods(
      node('cordoned', { spec: { unschedulable: true } }),
      pod('y', { requests: { cpu: '2' } }),
    );
    const free = withPods(node('free'));
    const rejected = (asksAll: boolean) => {
      const nodes = [full, cordoned, free];
      const { rejections } = filterNodes(Filters.prepare(plugins, cycle(small, nodes), asksAll), nodes, 0);
      return rejections.map(({ node: name, refusal }) => [name, refusal.reasons, refusal.resolvable === true]);
    };
    const [cpu, ports] = ['Insufficient cpu', "node(s) didn't have free ports for the requested pod ports"];

    test('tell every reason; pods can be pushed away only where no reason forbids it', () => {
      expect(rejected(true)).toEqual([
        ['full', expect.arrayContaining([cpu, ports]), true],
        ['cordoned', expect.arrayContaining(['node(s) were unschedulable', cpu]), false],
      ]);
    });

    test('tell one reason otherwise', () => {
      expect(rejected(false).map(([, reasons]) => (reasons as string[]).length)).toEqual([1, 1]);
    });
  });
});
