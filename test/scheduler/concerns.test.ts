/** Which filters look at a pod, what they tell of a node, and which events may help a pod that they refuse. */
import { describe, expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '../../src/client/index.ts';
import { Fields } from '../../src/scheduler/config/index.ts';
import { Filters } from '../../src/scheduler/framework/filters.ts';
import type { NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import type { Facts, Listers, Plugin } from '../../src/scheduler/framework/plugin.ts';
import { plugins, registry } from '../../src/scheduler/plugins/index.ts';
import { interPodAffinity } from '../../src/scheduler/plugins/interPodAffinity.ts';
import { nodeAffinityWith } from '../../src/scheduler/plugins/nodeAffinity.ts';
import { nodeLabelOf } from '../../src/scheduler/plugins/nodeLabel.ts';
import { ebsLimits } from '../../src/scheduler/plugins/nodeVolumeLimits.ts';
import { podTopologySpread, podTopologySpreadOf } from '../../src/scheduler/plugins/podTopologySpread.ts';
import { nodeUnschedulable } from '../../src/scheduler/plugins/nodeUnschedulable.ts';
import { serviceAffinityOf } from '../../src/scheduler/plugins/serviceAffinity.ts';
import { taintToleration } from '../../src/scheduler/plugins/taintToleration.ts';
import { volumeBinding } from '../../src/scheduler/plugins/volumeBinding.ts';
import { wakingEvents } from '../../src/scheduler/questions/wakingEvents.ts';
import { cycle, node, pod, withPods } from './objects.ts';

/** Those that look at every pod. */
const ALWAYS = ['InterPodAffinity', 'NodeResourcesFit', 'NodeUnschedulable', 'TaintToleration'];
const looking = (wanted: Pod, listers: Partial<Listers> = {}, among: readonly Plugin[] = plugins): string[] =>
  Filters.prepare(among, cycle(wanted, [], listers)).prepared.map(({ plugin: { name } }) => name);
const spec = (fields: object): Pod => pod('p', { spec: fields as never });
const volumes = (...sources: object[]): Pod =>
  spec({ volumes: sources.map((source, i) => ({ name: `v${i}`, ...source })) });
const web = (name: string, fields: object = {}): Pod => pod(name, { labels: { app: 'web' }, spec: fields as never });

const claim = (fields: object, name = 'c'): PersistentVolumeClaim =>
  ({
    metadata: { name, namespace: 'ns', annotations: { 'pv.cluster.io/bind-completed': 'yes' } },
    spec: fields,
  }) as never;
const volume = (fields: object, name = 'pv'): PersistentVolume =>
  ({ metadata: { name }, spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...fields } }) as never;
const claiming = volumes({ persistentVolumeClaim: { claimName: 'c' } });
const claimed = (fields: object): Partial<Listers> => ({
  claim: () => claim({ volumeName: 'pv' }),
  volume: () => volume(fields),
});

const nodeTerms = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }] };
const constraint = (whenUnsatisfiable: string): object => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable, labelSelector: { matchLabels: { app: 'web' } } },
  ],
});

describe('the filters that look at a pod', () => {
  test.each<[string, Pod, more: string[], Partial<Listers>?]>([
    ['of which nothing is known', pod('p'), []],
    ['that has a node', spec({ nodeName: 'n' }), ['NodeName']],
    ['whose node is empty', spec({ nodeName: '' }), []],
    ['with a host port', spec({ containers: [{ name: 'c', ports: [{ hostPort: 80 }] }] }), ['NodePorts']],
    ['with a port that is none of the host', spec({ containers: [{ name: 'c', ports: [{ containerPort: 80 }] }] }), []],
    ['with a node selector', spec({ nodeSelector: { a: 'b' } }), ['NodeAffinity']],
    ['with an empty node selector', spec({ nodeSelector: {} }), []],
    [
      'with an affinity to nodes',
      spec({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: nodeTerms } } }),
      ['NodeAffinity'],
    ],
    [
      'that prefers nodes',
      spec({ affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } }),
      [],
    ],
    ['with a spread constraint', web('p', constraint('DoNotSchedule')), ['PodTopologySpread']],
    ['with a soft spread constraint', web('p', constraint('ScheduleAnyway')), []],
    ['with a volume that is no disk', volumes({ emptyDir: {} }, { configMap: { name: 'c' } }), []],
    ['with a disk of Google', volumes({ gcePersistentDisk: { pdName: 'd' } }), ['GCEPDLimits', 'VolumeRestrictions']],
    [
      'with a disk of Amazon',
      volumes({ awsElasticBlockStore: { volumeID: 'd' } }),
      ['EBSLimits', 'VolumeRestrictions'],
    ],
    ['with a disk of Azure', volumes({ azureDisk: { diskName: 'd' } }), ['AzureDiskLimits']],
    ['with a disk by iSCSI', volumes({ iscsi: { iqn: 'q' } }), ['VolumeRestrictions']],
    ['with a disk of Ceph', volumes({ rbd: { monitors: ['m'], image: 'i' } }), ['VolumeRestrictions']],
    ['with a disk of Ceph without monitors', volumes({ rbd: { image: 'i' } }), []],
    ['with a claim that has a volume', claiming, ['VolumeBinding', 'VolumeZone'], claimed({ nfs: {} })],
    [
      'with a claim that has a volume of a driver',
      claiming,
      ['NodeVolumeLimits', 'VolumeBinding', 'VolumeZone'],
      claimed({ csi: { driver: 'd', volumeHandle: 'h' } }),
    ],
    [
      'with a claim that has a disk',
      claiming,
      ['EBSLimits', 'VolumeBinding', 'VolumeZone'],
      claimed({ awsElasticBlockStore: { volumeID: 'd' } }),
    ],
    [
      'with a claim whose volume is made later',
      claiming,
      ['VolumeBinding'],
      {
        claim: () => claim({ storageClassName: 'late' }),
        storageClass: () => ({ volumeBindingMode: 'WaitForFirstConsumer' }) as StorageClass,
      },
    ],
  ])('%s', (_, wanted, more, listers) => {
    expect(looking(wanted, listers).sort()).toEqual([...ALWAYS, ...more].sort());
  });

  test('leave out the mark of an unschedulable node where the pod tolerates it', () => {
    const tolerations = [{ key: 'node.cluster.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }];
    expect(looking(spec({ tolerations }), {}, [nodeUnschedulable])).toEqual([]);
    expect(looking(spec({ tolerations: [{ ...tolerations[0], key: 'x' }] }), {}, [nodeUnschedulable])).toHaveLength(1);
  });

  const label = (lists: object): Plugin =>
    nodeLabelOf({ present: [], absent: [], preferPresent: [], preferAbsent: [], ...lists });
  const added = (affinity: object): Plugin => nodeAffinityWith(new Fields({ addedAffinity: affinity }, 'args'));
  test.each<[string, Plugin, looks: boolean]>([
    ['labels that nodes need', label({ present: ['a'] }), true],
    ['labels that nodes may not have', label({ absent: ['a'] }), true],
    ['labels that are preferred', label({ preferPresent: ['a'], preferAbsent: ['b'] }), false],
    ['labels of services', serviceAffinityOf({ affinityLabels: ['a'], antiAffinityLabels: [] }), true],
    ['labels over which services spread', serviceAffinityOf({ affinityLabels: [], antiAffinityLabels: ['a'] }), false],
    ['an affinity for all pods', added({ requiredDuringSchedulingIgnoredDuringExecution: nodeTerms }), true],
    ['a preference for all pods', added({ preferredDuringSchedulingIgnoredDuringExecution: [] }), false],
  ])('of a profile with %s', (_, plugin, looks) => {
    expect(looking(pod('p'), {}, [plugin])).toHaveLength(looks ? 1 : 0);
  });

  test('of a profile with constraints of its own look at pods that a service selects', () => {
    const plugin = podTopologySpreadOf([{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }]);
    const servicesFor = () => [{ spec: { selector: { app: 'web' } } }] as never;
    const look = (wanted: Pod): number => looking(wanted, { servicesFor }, [plugin]).length;
    expect([look(web('p')), look(pod('p')), look(web('p', constraint('ScheduleAnyway')))]).toEqual([1, 0, 0]);
  });

  test('do not look up the claims of placed pods where a node has room for all', () => {
    const looked: string[] = [];
    const claims = (namespace: string, name: string) => {
      looked.push(`${namespace}/${name}`);
      return claim({ volumeName: 'pv' });
    };
    const listers = { claim: claims, volume: () => volume({ awsElasticBlockStore: { volumeID: 'd' } }) };
    const using = (name: string): Pod =>
      pod(name, { spec: volumes({ persistentVolumeClaim: { claimName: name } }, { configMap: { name } }).spec });
    const fits = (limit: string): boolean => {
      const small = node('n', { allocatable: { 'attachable-volumes-aws-ebs': limit } });
      const all = cycle(using('p'), [withPods(small, using('a'), using('b'))], listers);
      const filters = Filters.prepare([ebsLimits], all);
      looked.splice(0);
      return filters.check(all.snapshot.nodes[0] as NodeInfo) === undefined;
    };
    expect([fits('3'), looked]).toEqual([true, []]);
    expect([fits('2'), looked]).toEqual([true, ['ns/a', 'ns/b']]);
  });
});

describe('what filters tell of a node', () => {
  const told = (plugin: Plugin, wanted: Pod, nodes: NodeInfo[], on: number, listers: Partial<Listers> = {}): Facts => {
    const all = cycle(wanted, nodes, listers);
    const [prepared] = Filters.prepare([plugin], all).prepared;
    return prepared?.plugin.facts?.(all, nodes[on] as NodeInfo, prepared.state) ?? [];
  };
  const inZone = (name: string, zone: string, ...pods: Pod[]): NodeInfo =>
    withPods(node(name, { labels: { zone } }), ...pods);

  test('spreading: the counted pods of the place, and the skew with the pod there', () => {
    const nodes = [inZone('a', 'x', web('1'), web('2')), inZone('b', 'y'), withPods(node('c'))];
    const row = (place: string, matching: number, skew: number): object => ({
      ...{ topologyKey: 'zone', place, matching, least: 0, skew, maxSkew: 1 },
    });
    const wanted = web('p', constraint('DoNotSchedule'));
    expect([0, 1, 2].map((i) => told(podTopologySpread, wanted, nodes, i))).toEqual([
      [row('x', 2, 3)],
      [row('y', 0, 1)],
      [row('', 0, 1)],
    ]);
    const other = pod('p', { labels: { app: 'db' }, spec: constraint('DoNotSchedule') as never });
    expect(told(podTopologySpread, other, nodes, 0)).toEqual([row('x', 2, 2)]);
  });

  test('affinity: each term, with the pods in its place, and whether pods there keep it away', () => {
    const term = (app: string, topologyKey: string): object => ({
      labelSelector: { matchLabels: { app } },
      topologyKey,
    });
    const required = (...terms: object[]): object => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });
    const shy = web('shy', { affinity: { podAntiAffinity: required(term('p', 'zone')) } });
    const nodes = [inZone('a', 'x', web('1'), web('2'), pod('d', { labels: { app: 'db' } })), inZone('b', 'y', shy)];
    const wanted = pod('p', {
      labels: { app: 'p' },
      spec: {
        affinity: {
          podAffinity: required(term('web', 'zone')),
          podAntiAffinity: required(term('db', 'rack'), term('db', 'zone')),
        },
      } as never,
    });
    expect([0, 1].map((i) => told(interPodAffinity, wanted, nodes, i))).toEqual([
      [
        { rule: 'affinity', selector: 'app=web', topologyKey: 'zone', place: 'x', pods: 2 },
        { rule: 'anti-affinity', selector: 'app=db', topologyKey: 'rack', place: '', pods: 0 },
        { rule: 'anti-affinity', selector: 'app=db', topologyKey: 'zone', place: 'x', pods: 1 },
        { rule: 'anti-affinity of pods there', repelled: false },
      ],
      [
        { rule: 'affinity', selector: 'app=web', topologyKey: 'zone', place: 'y', pods: 1 },
        { rule: 'anti-affinity', selector: 'app=db', topologyKey: 'rack', place: '', pods: 0 },
        { rule: 'anti-affinity', selector: 'app=db', topologyKey: 'zone', place: 'y', pods: 0 },
        { rule: 'anti-affinity of pods there', repelled: true },
      ],
    ]);
  });

  test('taints: each, and whether the pod tolerates it', () => {
    const taints = [
      { key: 'a', value: 'b', effect: 'NoSchedule' },
      { key: 'c', effect: 'PreferNoSchedule' },
    ];
    const tainted = [withPods(node('n', { spec: { taints } as never })), withPods(node('m'))];
    expect(told(taintToleration, spec({ tolerations: [{ key: 'a', operator: 'Exists' }] }), tainted, 0)).toEqual([
      { taint: 'a=b:NoSchedule', tolerated: true },
      { taint: 'c=:PreferNoSchedule', tolerated: false },
    ]);
    expect(told(taintToleration, pod('p'), tainted, 0).map(({ tolerated }) => tolerated)).toEqual([false, false]);
    expect(told(taintToleration, pod('p'), tainted, 1)).toEqual([]);
  });

  test('cordons', () => {
    const nodes = [withPods(node('a', { spec: { unschedulable: true } })), withPods(node('b'))];
    expect([0, 1].map((i) => told(nodeUnschedulable, pod('p'), nodes, i))).toEqual([
      [{ unschedulable: true }],
      [{ unschedulable: false }],
    ]);
  });

  test('volumes: whether bound ones reach it, how many there are for a claim, and whether one can be made', () => {
    const only = (place: string): object => ({
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [place] }] }] },
      },
    });
    const late = {
      storageClassName: 'late',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    };
    const listers = (provisioner: string): Partial<Listers> => ({
      claim: (_, name) => (name === 'bound' ? claim({ volumeName: 'pv' }, name) : claim(late, name)),
      volume: () => volume(only('x')),
      storageClass: () => ({ volumeBindingMode: 'WaitForFirstConsumer', provisioner }) as StorageClass,
      volumesOfClass: () => [
        volume({ storageClassName: 'late', ...only('x') }, 'one'),
        volume({ storageClassName: 'late' }, 'two'),
        volume({ storageClassName: 'late', capacity: { storage: '1Mi' } }, 'small'),
      ],
    });
    const wanted = volumes(
      { persistentVolumeClaim: { claimName: 'bound' } },
      { persistentVolumeClaim: { claimName: 'late' } },
    );
    const nodes = [inZone('a', 'x'), inZone('b', 'y')];
    expect([0, 1].map((i) => told(volumeBinding, wanted, nodes, i, listers('x.io/disks')))).toEqual([
      [
        { volume: 'pv', reaches: true },
        { claim: 'late', volumes: 2, canProvision: true },
      ],
      [
        { volume: 'pv', reaches: false },
        { claim: 'late', volumes: 1, canProvision: true },
      ],
    ]);
    expect(told(volumeBinding, wanted, nodes, 0, listers('cluster.io/no-provisioner'))[1]).toMatchObject({
      canProvision: false,
    });
  });
});

describe('the events that may help a pod', () => {
  const NODE_LABELS = ['NodeAdd', 'NodeLabelChange'];
  const PODS_LEAVE = ['AssignedPodDelete', 'NodeAdd'];
  const LIMITS = [...PODS_LEAVE, 'NodeAllocatableChange'];
  const VOLUMES = ['PvAdd', 'PvUpdate', 'PvcAdd', 'PvcUpdate', 'StorageClassAdd', ...NODE_LABELS];
  const NEIGHBOURS = ['AssignedPodAdd', 'AssignedPodDelete', 'AssignedPodUpdate', ...NODE_LABELS];
  const HELP: Readonly<Record<string, readonly string[]>> = {
    NodeUnschedulable: ['NodeAdd', 'NodeSpecUnschedulableChange'],
    NodeName: ['NodeAdd'],
    TaintToleration: ['NodeAdd', 'NodeTaintChange'],
    NodeAffinity: NODE_LABELS,
    NodeLabel: NODE_LABELS,
    NodePorts: PODS_LEAVE,
    NodeResourcesFit: LIMITS,
    VolumeRestrictions: PODS_LEAVE,
    EBSLimits: LIMITS,
    GCEPDLimits: LIMITS,
    AzureDiskLimits: LIMITS,
    CinderLimits: LIMITS,
    NodeVolumeLimits: [...PODS_LEAVE, 'CSINodeAdd', 'CSINodeUpdate'],
    VolumeBinding: VOLUMES,
    VolumeZone: VOLUMES,
    PodTopologySpread: NEIGHBOURS,
    InterPodAffinity: NEIGHBOURS,
    ServiceAffinity: ['AssignedPodDelete', 'ServiceAdd', 'ServiceDelete', 'ServiceUpdate', ...NODE_LABELS],
  };
  const always = ['PodUpdate', 'UnschedulableTimeout'];

  test.each(Object.entries(HELP))('that %s refuses', (plugin, helps) => {
    expect(wakingEvents([plugin])).toEqual([...helps, ...always].sort());
  });

  test('are known for every filter', () => {
    const filters = registry.filter(({ plugin }) => plugin.filter).map(({ plugin }) => plugin.name);
    expect(Object.keys(HELP).sort()).toEqual(filters.sort());
  });

  test('that several refuse are those of each', () => {
    expect(wakingEvents(['NodeName', 'NodePorts'])).toEqual([...PODS_LEAVE, ...always]);
    expect(wakingEvents(['https://extender'])).toEqual(always);
  });
});
