/** Single rules of the scheduler's plugins, by tables: ports, disks, limits, avoided owners, affinity and requests. */
import { describe, expect, it } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../src/client/index.ts';
import { ConfigurationError, Fields } from '../../src/scheduler/config/index.ts';
import { Decisions, preemptionDecisionOf, type Decision } from '../../src/scheduler/decisions.ts';
import { Filters } from '../../src/scheduler/framework/filters.ts';
import { podInfoOf, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { NodeList } from '../../src/scheduler/framework/nodeList.ts';
import { refuseForGood, type Listers, type Plugin } from '../../src/scheduler/framework/plugin.ts';
import { nonZeroRequestOf, nonZeroUseOf, requestOf, scoredRequestOf } from '../../src/scheduler/framework/resources.ts';
import { scoreNodes } from '../../src/scheduler/framework/run.ts';
import { AssumedVolumes } from '../../src/scheduler/assumedVolumes.ts';
import { Nominations } from '../../src/scheduler/nominations.ts';
import { checkNode } from '../../src/scheduler/place.ts';
import { nodeAffinity, nodeAffinityWith } from '../../src/scheduler/plugins/nodeAffinity.ts';
import { nodeLabelWith } from '../../src/scheduler/plugins/nodeLabel.ts';
import { nodePorts } from '../../src/scheduler/plugins/nodePorts.ts';
import { nodePreferAvoidPods } from '../../src/scheduler/plugins/nodePreferAvoidPods.ts';
import {
  azureDiskLimits,
  cinderLimits,
  gcePdLimits,
  nodeVolumeLimits,
} from '../../src/scheduler/plugins/nodeVolumeLimits.ts';
import { nodeResourcesFit } from '../../src/scheduler/plugins/resources/fit.ts';
import { serviceAffinityOf } from '../../src/scheduler/plugins/serviceAffinity.ts';
import { taintToleration } from '../../src/scheduler/plugins/taintToleration.ts';
import { bindingsFor } from '../../src/scheduler/plugins/volumeBinding.ts';
import { volumeRestrictions } from '../../src/scheduler/plugins/volumeRestrictions.ts';
import { cycle, node, pod, withPods } from './objects.ts';

/** What one plugin says of one node: its reasons, or that the pod fits. */
function verdict(plugin: Plugin, wanted: Pod, on: NodeInfo, listers: Partial<Listers> = {}): string {
  const refusal = Filters.prepare([plugin], cycle(wanted, [on], listers)).check(on)?.refusal;
  return refusal ? refusal.reasons.join(', ') : 'fits';
}
/** What it tells of the node. */
function facts(plugin: Plugin, wanted: Pod, on: NodeInfo, listers: Partial<Listers> = {}): unknown {
  const all = cycle(wanted, [on], listers);
  const [prepared] = Filters.prepare([plugin], all).prepared;
  return prepared?.plugin.facts?.(all, on, prepared.state);
}
const args = (value: object): Fields => new Fields(value, 'args');
const spec = (fields: object): Pod => pod('p', { spec: fields as never });
const volumes = (...sources: object[]): Pod =>
  spec({ volumes: sources.map((source, i) => ({ name: `v${i}`, ...source })) });

it('asks all filters of a node with the pods that are nominated for it, too, where it asks them all', () => {
  const wanted = spec({ containers: [{ name: 'c', ports: [{ hostPort: 80 }] }] });
  const on = withPods(node('n'));
  const never: Plugin = { name: 'Never', filter: () => refuseForGood('never') };
  const refusalOf = (asksAll: boolean): unknown => {
    const filters = Filters.prepare([nodePorts, never], cycle(wanted, [on]), asksAll);
    return checkNode(on, filters, [podInfoOf(wanted)])?.refusal;
  };
  const taken = "node(s) didn't have free ports for the requested pod ports";
  expect(refusalOf(false)).toEqual({ reasons: [taken], resolvable: true });
  expect(refusalOf(true)).toEqual({ reasons: [taken, 'never'], resolvable: false });
});

describe('a host port', () => {
  const ports = (...list: object[]): object => ({ containers: [{ name: 'c', ports: list }] });
  const TAKEN = "node(s) didn't have free ports for the requested pod ports";
  it.each<[string, object[], object[], string]>([
    ['of another number', [{ hostPort: 80 }], [{ hostPort: 81 }], 'fits'],
    ['of the same number', [{ hostPort: 80 }], [{ hostPort: 80 }], TAKEN],
    ['of another protocol', [{ hostPort: 80 }], [{ hostPort: 80, protocol: 'UDP' }], 'fits'],
    ['of the usual protocol, named', [{ hostPort: 80 }], [{ hostPort: 80, protocol: 'TCP' }], TAKEN],
    ['on another address', [{ hostPort: 80, hostIP: '1.1.1.1' }], [{ hostPort: 80, hostIP: '1.1.1.2' }], 'fits'],
    ['on the same address', [{ hostPort: 80, hostIP: '1.1.1.1' }], [{ hostPort: 80, hostIP: '1.1.1.1' }], TAKEN],
    ['on all addresses, one taken', [{ hostPort: 80 }], [{ hostPort: 80, hostIP: '1.1.1.1' }], TAKEN],
    ['on one address, all taken', [{ hostPort: 80, hostIP: '1.1.1.1' }], [{ hostPort: 80 }], TAKEN],
    ['on all addresses by an empty one', [{ hostPort: 80, hostIP: '' }], [{ hostPort: 80, hostIP: '1.1.1.1' }], TAKEN],
    ['beside others that are free', [{ hostPort: 1 }, { hostPort: 80 }], [{ hostPort: 80 }], TAKEN],
    ['that is none', [{ containerPort: 80 }], [{ containerPort: 80 }], 'fits'],
  ])('%s', (_, wanted, used, expected) => {
    const there = withPods(node('n'), pod('x', { spec: ports(...used) as never }));
    expect(verdict(nodePorts, spec(ports(...wanted)), there)).toBe(expected);
  });

  it('is told of with its protocol, address and whether it is taken', () => {
    const there = withPods(node('n'), pod('x', { spec: ports({ hostPort: 80 }) as never }));
    const wanted = spec(ports({ hostPort: 80, hostIP: '1.1.1.1' }, { hostPort: 81, protocol: 'UDP' }));
    expect(facts(nodePorts, wanted, there)).toEqual([
      { hostPort: 80, protocol: 'TCP', address: '1.1.1.1', taken: true },
      { hostPort: 81, protocol: 'UDP', address: '0.0.0.0', taken: false },
    ]);
  });
});

describe('a disk', () => {
  const rbd = (more: object = {}): object => ({ rbd: { monitors: ['m1', 'm2'], image: 'i', ...more } });
  const BUSY = 'node(s) had no available disk';
  it.each<[string, object, object, string]>([
    [
      'of Google that both only read',
      { gcePersistentDisk: { pdName: 'd', readOnly: true } },
      { gcePersistentDisk: { pdName: 'd', readOnly: true } },
      'fits',
    ],
    [
      'of Google that one writes',
      { gcePersistentDisk: { pdName: 'd' } },
      { gcePersistentDisk: { pdName: 'd', readOnly: true } },
      BUSY,
    ],
    [
      'of Amazon, even to be read',
      { awsElasticBlockStore: { volumeID: 'd', readOnly: true } },
      { awsElasticBlockStore: { volumeID: 'd', readOnly: true } },
      BUSY,
    ],
    [
      'of another cloud by the same name',
      { awsElasticBlockStore: { volumeID: 'd' } },
      { gcePersistentDisk: { pdName: 'd' } },
      'fits',
    ],
    ['by iSCSI', { iscsi: { iqn: 'q' } }, { iscsi: { iqn: 'q' } }, BUSY],
    [
      'by iSCSI that both only read',
      { iscsi: { iqn: 'q', readOnly: true } },
      { iscsi: { iqn: 'q', readOnly: true } },
      'fits',
    ],
    ['by another iSCSI name', { iscsi: { iqn: 'q' } }, { iscsi: { iqn: 'r' } }, 'fits'],
    ['of Ceph with one monitor in common', rbd({ monitors: ['m2', 'm3'] }), rbd(), BUSY],
    ['of Ceph with other monitors', rbd({ monitors: ['m3'] }), rbd(), 'fits'],
    ['of Ceph of another image', rbd({ image: 'j' }), rbd(), 'fits'],
    ['of Ceph of another pool', rbd({ pool: 'x' }), rbd(), 'fits'],
    ['of Ceph of the usual pool, named', rbd({ pool: 'rbd' }), rbd(), BUSY],
    ['of Ceph that both only read', rbd({ readOnly: true }), rbd({ readOnly: true }), 'fits'],
  ])('%s', (_, wanted, used, expected) => {
    const other = volumes(used);
    const there = withPods(node('n'), { ...other, metadata: { ...other.metadata, uid: 'other' } });
    expect(verdict(volumeRestrictions, volumes({ emptyDir: {} }, wanted), there)).toBe(expected);
  });
});

describe('the most disks of a node', () => {
  const FULL = 'node(s) exceed max volume count';
  const disks = (kind: string, key: string, from: number, to: number): Pod[] =>
    Array.from({ length: to - from }, (_, i) =>
      pod(`d${from + i}`, { spec: volumes({ [kind]: { [key]: `d${from + i}` } }).spec }),
    );
  it.each<[string, Plugin, string, string, string, number]>([
    ['Google', gcePdLimits, 'gcePersistentDisk', 'pdName', 'gce-pd', 16],
    ['Azure', azureDiskLimits, 'azureDisk', 'diskName', 'azure-disk', 16],
    ['Cinder', cinderLimits, 'cinder', 'volumeID', 'cinder', 256],
  ])('of %s: a usual number, or what it says', (_, plugin, kind, key, resource, usual) => {
    const wanted = volumes({ [kind]: { [key]: 'new' } });
    const full = disks(kind, key, 0, usual);
    expect(verdict(plugin, wanted, withPods(node('n'), ...full.slice(1)))).toBe('fits');
    expect(verdict(plugin, wanted, withPods(node('n'), ...full))).toBe(FULL);
    expect(verdict(plugin, volumes({ [kind]: { [key]: 'd3' } }), withPods(node('n'), ...full))).toBe('fits');
    const small = node('n', { allocatable: { [`attachable-volumes-${resource}`]: '2' } });
    expect(verdict(plugin, wanted, withPods(small, ...full.slice(0, 1)))).toBe('fits');
    expect(verdict(plugin, wanted, withPods(small, ...full.slice(0, 2)))).toBe(FULL);
  });

  const volumeOf = (name: string): object => ({
    metadata: { name },
    spec: { csi: { driver: name.startsWith('o') ? 'other' : 'fast', volumeHandle: name } },
  });
  const claiming = (name: string, ...claims: string[]): Pod =>
    pod(name, { spec: volumes(...claims.map((claimName) => ({ persistentVolumeClaim: { claimName } }))).spec });
  const listers = (count: number | undefined): Partial<Listers> => ({
    claim: (_, name) => ({ metadata: { name, namespace: 'ns' }, spec: { volumeName: name } }) as never,
    volume: (name) => volumeOf(name) as never,
    csiNode: () =>
      ({ spec: { drivers: [{ name: 'fast', ...(count !== undefined && { allocatable: { count } }) }] } }) as never,
  });
  it.each<[string, string[], string[], number | undefined, Record<string, string>, string]>([
    ['a driver that has room', ['a'], ['b'], 2, {}, 'fits'],
    ['a driver that has none left', ['a'], ['b', 'c'], 2, {}, FULL],
    ['a volume that is attached already', ['b'], ['b', 'c'], 2, {}, 'fits'],
    ['only what is attached already, though there is too much', ['b'], ['b', 'c'], 1, {}, 'fits'],
    ['one that is attached and one that is not', ['b', 'a'], ['b', 'c'], 2, {}, FULL],
    ['volumes of another driver', ['a'], ['o1', 'o2', 'o3'], 1, {}, 'fits'],
    ['a driver without a limit', ['a'], ['b', 'c'], undefined, {}, 'fits'],
    ['a driver that the node does not have', ['o1'], ['o2', 'o3'], 1, {}, 'fits'],
    ['the same volume twice', ['a', 'a'], ['b'], 2, {}, 'fits'],
    [
      'a limit that the node has as a resource',
      ['a'],
      ['b', 'c'],
      undefined,
      { 'attachable-volumes-csi-fast': '2' },
      FULL,
    ],
  ])('of a driver: %s', (_, wanted, there, count, allocatable, expected) => {
    const on = withPods(node('n', { allocatable }), claiming('x', ...there));
    expect(verdict(nodeVolumeLimits, claiming('p', ...wanted), on, listers(count))).toBe(expected);
  });
});

describe('a node that avoids the pods of some owner', () => {
  const owned = (kind: string | undefined): Pod => {
    const made = pod('p');
    const owner = { apiVersion: 'v1', kind: kind ?? '', name: 'o', uid: 'u', controller: true };
    return kind ? { ...made, metadata: { ...made.metadata, ownerReferences: [owner] } } : made;
  };
  const avoiding = (text: string | undefined): NodeInfo => {
    const made = node('n');
    const annotations = text === undefined ? {} : { 'scheduler.alpha.cluster.io/preferAvoidPods': text };
    return withPods({ ...made, metadata: { ...made.metadata, annotations } });
  };
  const of = (...owners: object[]): string =>
    JSON.stringify({ preferAvoidPods: owners.map((podController) => ({ podSignature: { podController } })) });
  it.each<[string, string | undefined, string | undefined, number]>([
    ['its set', 'ReplicaSet', of({ kind: 'ReplicaSet', uid: 'u' }), 0],
    [
      'its controller',
      'ReplicationController',
      of({ kind: 'x', uid: 'u' }, { kind: 'ReplicationController', uid: 'u' }),
      0,
    ],
    ['another kind', 'ReplicaSet', of({ kind: 'ReplicationController', uid: 'u' }), 100],
    ['another of the kind', 'ReplicaSet', of({ kind: 'ReplicaSet', uid: 'v' }), 100],
    ['a kind that is not asked about', 'Job', of({ kind: 'Job', uid: 'u' }), 100],
    ['a pod of nobody', undefined, of({ uid: 'u' }), 100],
    ['nobody', 'ReplicaSet', undefined, 100],
    ['what is no JSON', 'ReplicaSet', '{', 100],
    ['what is no list', 'ReplicaSet', '{"preferAvoidPods":{}}', 100],
    ['what is no object', 'ReplicaSet', 'null', 100],
    ['what says nothing', 'ReplicaSet', '{"preferAvoidPods":[{},{"podSignature":{}}]}', 100],
  ])('%s', (_, kind, text, expected) => {
    const nodes = [avoiding(text)];
    expect(scoreNodes([nodePreferAvoidPods], cycle(owned(kind), nodes), nodes).totals).toEqual([expected * 10_000]);
  });
});

describe('an affinity that is added to all pods', () => {
  const terms = (...nodeSelectorTerms: object[]): object => ({
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  });
  const ssd = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] };
  const plugin = nodeAffinityWith(args({ addedAffinity: terms(ssd) }));
  it.each<[string, Record<string, string>, object, string]>([
    [
      'holds for a pod that asks for nothing',
      { disk: 'hdd' },
      {},
      "node(s) didn't match scheduler-enforced node affinity",
    ],
    ['is met', { disk: 'ssd' }, {}, 'fits'],
    [
      'is met beside what the pod asks for',
      { disk: 'ssd' },
      { nodeSelector: { zone: 'x' } },
      "node(s) didn't match Pod's node affinity",
    ],
  ])('%s', (_, labels, wanted, expected) => {
    expect(verdict(plugin, spec(wanted), withPods(node('n', { labels })))).toBe(expected);
  });

  it('adds to what pods prefer', () => {
    const preferring = (weight: number): object => ({
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight, preference: ssd }],
    });
    const added = nodeAffinityWith(args({ addedAffinity: preferring(2) }));
    const nodes = [withPods(node('a', { labels: { disk: 'ssd' } })), withPods(node('b'))];
    const raw = (one: Plugin, wanted: Pod) => scoreNodes([one], cycle(wanted, nodes), nodes).columns[0]?.raw;
    expect(raw(added, pod('p'))).toEqual([2, 0]);
    expect(raw(added, spec({ affinity: { nodeAffinity: preferring(3) } }))).toEqual([5, 0]);
  });

  it.each<[unknown]>([
    [{}],
    [{ preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchFields: [] } }] }],
    [terms({ matchExpressions: [{ key: 'a', operator: 'Exists' }] })],
    [undefined],
  ])('%j is taken', (addedAffinity) => {
    expect(() => nodeAffinityWith(args({ addedAffinity }))).not.toThrow();
  });

  it.each<[unknown]>([
    ['text'],
    [[]],
    [{ requiredDuringSchedulingIgnoredDuringExecution: [] }],
    [{ requiredDuringSchedulingIgnoredDuringExecution: {} }],
    [terms('x' as never)],
    [terms({ matchExpressions: {} })],
    [terms({ matchFields: [{ key: 'a' }] })],
    [terms({ matchExpressions: [{ operator: 'In' }] })],
    [terms({ matchExpressions: [{ key: 'a', operator: 'In', values: 'x' }] })],
    [terms({ matchExpressions: [{ key: 'a', operator: 'In', values: [1] }] })],
    [terms({ matchExpressions: [null] })],
    [{ preferredDuringSchedulingIgnoredDuringExecution: {} }],
    [{ preferredDuringSchedulingIgnoredDuringExecution: [{ preference: {} }] }],
    [{ preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] }],
    [{ preferredDuringSchedulingIgnoredDuringExecution: [1] }],
  ])('%j is refused', (addedAffinity) => {
    expect(() => nodeAffinityWith(args({ addedAffinity }))).toThrow(ConfigurationError);
  });

  it('is told of label by label, and term by term', () => {
    const wanted = spec({
      nodeSelector: { disk: 'ssd', zone: 'x' },
      affinity: { nodeAffinity: terms(ssd, { matchExpressions: [] }) },
    });
    expect(facts(nodeAffinity, wanted, withPods(node('n', { labels: { disk: 'ssd' } })))).toEqual([
      { label: 'disk', wanted: 'ssd', found: 'ssd', matches: true },
      { label: 'zone', wanted: 'x', found: '', matches: false },
      { term: 0, matches: true },
      { term: 1, matches: false },
    ]);
  });
});

describe('labels of nodes', () => {
  it('are told of as they are wanted', () => {
    const plugin = nodeLabelWith(args({ presentLabels: ['a'], absentLabels: ['b', 'c'] }));
    expect(facts(plugin, pod('p'), withPods(node('n', { labels: { b: 'x' } })))).toEqual([
      { label: 'a', wanted: 'present', found: '', present: false },
      { label: 'b', wanted: 'absent', found: 'x', present: true },
      { label: 'c', wanted: 'absent', found: '', present: false },
    ]);
  });

  it.each<[object, string | undefined]>([
    [{ presentLabels: ['a'], absentLabels: ['a'] }, 'args: label "a" is in both the present and the absent list'],
    [{ presentLabelsPreference: ['b'], absentLabelsPreference: ['b'] }, 'args: label "b" is in both'],
    [{ presentLabels: ['a'], absentLabelsPreference: ['a'] }, undefined],
  ])('%j', (lists, problem) => {
    if (problem) expect(() => nodeLabelWith(args(lists))).toThrow(problem);
    else expect(() => nodeLabelWith(args(lists))).not.toThrow();
  });

  it.each<[object, Record<string, string>, number]>([
    [{ presentLabelsPreference: ['a'], absentLabelsPreference: ['b'] }, { a: '1' }, 100],
    [{ presentLabelsPreference: ['a'], absentLabelsPreference: ['b'] }, { a: '1', b: '1' }, 50],
    [{ presentLabelsPreference: ['a', 'c'], absentLabelsPreference: ['b'] }, { b: '1' }, 0],
    [{ presentLabelsPreference: ['a', 'c'], absentLabelsPreference: ['b'] }, { a: '1', b: '1' }, 33],
    [{}, { a: '1' }, 0],
  ])('%j score a node with %j by %i', (lists, labels, score) => {
    const nodes = [withPods(node('n', { labels }))];
    expect(scoreNodes([nodeLabelWith(args(lists))], cycle(pod('p'), nodes), nodes).totals).toEqual([score]);
  });
});

describe('the nodes of a service', () => {
  const plugin = serviceAffinityOf({ affinityLabels: ['rack'], antiAffinityLabels: [] });
  const services = (...selectors: (object | undefined)[]): Partial<Listers> => ({
    servicesFor: () => selectors.map((selector) => ({ spec: { selector } })) as never,
  });
  const web = (name: string, more: object = {}): Pod => pod(name, { labels: { app: 'web' }, ...more });
  const racks = (...there: Pod[]): NodeInfo[] => [
    withPods(node('a', { labels: { rack: '1' } }), ...there),
    withPods(node('b', { labels: { rack: '2' } })),
  ];
  const fitting = (wanted: Pod, nodes: NodeInfo[], listers: Partial<Listers>): string[] => {
    const filters = Filters.prepare([plugin], cycle(wanted, nodes, listers));
    return nodes.filter((each) => !filters.check(each)).map(({ name }) => name);
  };
  it.each<[string, Pod, NodeInfo[], Partial<Listers>, string[]]>([
    ['are those of its first pod', web('p'), racks(web('w')), services({ app: 'web' }), ['a']],
    ['are all where no service selects the pod', web('p'), racks(web('w')), services({ app: 'db' }), ['a', 'b']],
    ['are all where a service selects nothing', web('p'), racks(web('w')), services({}, undefined), ['a', 'b']],
    ['are all while it has no pod', web('p'), racks(), services({ app: 'web' }), ['a', 'b']],
    [
      'are not those of pods in other namespaces',
      web('p'),
      racks(web('w', { namespace: 'x' })),
      services({ app: 'web' }),
      ['a', 'b'],
    ],
    [
      'are not those of pods with other labels',
      web('p'),
      racks(pod('w', { labels: { app: 'db' } })),
      services({ app: 'web' }),
      ['a', 'b'],
    ],
    [
      'are those that the pod selects',
      web('p', { spec: { nodeSelector: { rack: '2' } } }),
      racks(web('w')),
      services({ app: 'web' }),
      ['b'],
    ],
  ])('%s', (_, wanted, nodes, listers, expected) => {
    expect(fitting(wanted, nodes, listers)).toEqual(expected);
  });

  it('follow pods that are supposed to come and go', () => {
    const nodes = racks();
    const [a, b] = nodes as [NodeInfo, NodeInfo];
    const filters = Filters.prepare([plugin], cycle(web('p'), nodes, services({ app: 'web' })));
    const supposed = filters.suppose(a);
    supposed.add(podInfoOf(web('other', { namespace: 'x' })));
    supposed.add(podInfoOf(pod('db', { labels: { app: 'db' } })));
    expect(supposed.check()).toBeUndefined();
    const onB = filters.suppose(b);
    const first = podInfoOf(web('w'));
    onB.add(first);
    expect(onB.check()).toBeUndefined();
    onB.remove(first);
    expect(onB.check()).toBeUndefined();
    expect(filters.check(a)).toBeUndefined();
  });

  it('are told of with what is wanted', () => {
    const [, b] = racks(web('w')) as [NodeInfo, NodeInfo];
    const all = cycle(web('p'), racks(web('w')), services({ app: 'web' }));
    const [prepared] = Filters.prepare([plugin], all).prepared;
    expect(prepared?.plugin.facts?.(all, b, prepared.state)).toEqual([
      { label: 'rack', wanted: '1', found: '2', matches: false },
    ]);
  });
});

describe('taints', () => {
  const tainted = (...taints: object[]): NodeInfo => withPods(node('n', { spec: { taints } as never }));
  it.each<[string, object[], object[], string]>([
    [
      'that keep away',
      [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
      [],
      "node(s) had taint {a: b}, that the pod didn't tolerate",
    ],
    [
      'that drive away, without a value',
      [{ key: 'a', effect: 'NoExecute' }],
      [],
      "node(s) had taint {a: }, that the pod didn't tolerate",
    ],
    [
      'of which the second is not tolerated',
      [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'b', effect: 'NoSchedule' },
      ],
      [{ key: 'a', operator: 'Exists' }],
      "node(s) had taint {b: }, that the pod didn't tolerate",
    ],
    ['that only ask', [{ key: 'a', effect: 'PreferNoSchedule' }], [], 'fits'],
  ])('%s', (_, taints, tolerations, expected) => {
    expect(verdict(taintToleration, spec({ tolerations }), tainted(...taints))).toBe(expected);
  });

  it.each<[string, object[], number[]]>([
    ['without tolerations', [], [1, 2]],
    ['with one of every effect', [{ key: 'a', operator: 'Exists' }], [0, 1]],
    ['with one of this effect', [{ key: 'a', operator: 'Exists', effect: 'PreferNoSchedule' }], [0, 1]],
    ['with one of another effect', [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }], [1, 2]],
  ])('that only ask are counted %s', (_, tolerations, raw) => {
    const soft = (key: string): object => ({ key, effect: 'PreferNoSchedule' });
    const nodes = [tainted(soft('a')), tainted(soft('a'), soft('b'), { key: 'c', effect: 'NoSchedule' })];
    expect(scoreNodes([taintToleration], cycle(spec({ tolerations }), nodes), nodes).columns[0]?.raw).toEqual(raw);
  });
});

it('volumes of claims: the smallest claim gets the smallest volume that suits it, each volume once', () => {
  const claim = (name: string, storage: string): PersistentVolumeClaim =>
    ({
      metadata: { name, namespace: 'ns' },
      spec: { storageClassName: 'late', accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    }) as never;
  const claims = new Map([claim('large', '2Gi'), claim('small', '1Gi')].map((each) => [each.metadata.name, each]));
  const volume = (name: string, storage: string): PersistentVolume =>
    ({
      metadata: { name },
      spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], storageClassName: 'late' },
    }) as never;
  const wanted = volumes(...['large', 'small'].map((claimName) => ({ persistentVolumeClaim: { claimName } })));
  const bound = (provisioner: string, ...all: PersistentVolume[]): unknown => {
    const listers: Partial<Listers> = {
      claim: (_, name) => claims.get(name),
      storageClass: () => ({ volumeBindingMode: 'WaitForFirstConsumer', provisioner }) as never,
      volumesOfClass: () => all,
    };
    const on = withPods(node('n'));
    return bindingsFor(cycle(wanted, [on], listers), on).map((each) => [
      each.claim.metadata.name,
      each.volume?.metadata.name,
    ]);
  };
  const none = 'cluster.io/no-provisioner';
  expect(bound(none, volume('v5', '5Gi'), volume('v2', '2Gi'))).toEqual([
    ['small', 'v2'],
    ['large', 'v5'],
  ]);
  expect(() => bound(none, volume('v2', '2Gi'))).toThrow('the volumes that were found are gone');
  expect(bound('x.io/disks', volume('v2', '2Gi'))).toEqual([
    ['small', 'v2'],
    ['large', undefined],
  ]);
});

describe('what a pod requests', () => {
  const container = (requests: object | undefined): object => ({ name: 'c', resources: { requests } });
  const MB = 1024 * 1024;
  it.each<[string, object, [cpu: number, memory: number], [cpu: number, memory: number]]>([
    ['nothing', { containers: [container(undefined)] }, [0, 0], [100, 200 * MB]],
    ['zero', { containers: [container({ cpu: '0', memory: '0' })] }, [0, 0], [0, 0]],
    [
      'of several containers is their sum',
      { containers: [container({ cpu: '1' }), container({ memory: '5Mi' })] },
      [1000, 5 * MB],
      [1100, 205 * MB],
    ],
    [
      'of containers that run first is the largest',
      {
        containers: [container({ cpu: '1', memory: '5Mi' })],
        initContainers: [container({ cpu: '2', memory: '1Mi' }), container({ cpu: '3', memory: '9Mi' })],
      },
      [3000, 9 * MB],
      [3000, 9 * MB],
    ],
    [
      'of containers that run first, no less than of the others',
      {
        containers: [container({ cpu: '4', memory: '9Mi' })],
        initContainers: [container({ cpu: '1', memory: '1Mi' })],
      },
      [4000, 9 * MB],
      [4000, 9 * MB],
    ],
    ['without containers', {}, [0, 0], [0, 0]],
  ])('%s', (_, fields, request, nonZero) => {
    const one = { ...pod('p'), spec: fields as Pod['spec'] };
    const { cpu, memory } = requestOf(one);
    expect([cpu, memory]).toEqual(request);
    const counted = nonZeroRequestOf(one);
    expect([counted.cpu, counted.memory]).toEqual(nonZero);
    expect(nonZeroUseOf(one)).toEqual(counted);
    expect(scoredRequestOf(one)).toEqual(counted);
  });

  it('grows by its overhead', () => {
    const one = pod('p', {
      requests: { cpu: '1', memory: '1Mi', 'x.io/a': '2' },
      spec: { overhead: { cpu: '1500m', memory: '2Mi', 'x.io/a': '1', 'x.io/b': '4' } } as never,
    });
    const { cpu, memory, scalars } = requestOf(one);
    expect([cpu, memory, [...scalars]]).toEqual([
      2500,
      3 * MB,
      [
        ['x.io/a', 3],
        ['x.io/b', 4],
      ],
    ]);
    expect(nonZeroUseOf(one)).toEqual({ cpu: 2500, memory: 3 * MB });
    expect(scoredRequestOf(one)).toEqual({ cpu: 1002, memory: 3 * MB });
    const some = pod('p', { requests: { cpu: '1', memory: '1Mi' }, spec: { overhead: { 'x.io/a': '1' } } as never });
    expect(scoredRequestOf(some)).toEqual({ cpu: 1000, memory: MB });
  });

  it.each<[string, Record<string, string>, string]>([
    ['to the last unit', { cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi' }, 'fits'],
    ['CPU over it', { cpu: '2001m' }, 'Insufficient cpu'],
    ['memory over it', { memory: '1073741825' }, 'Insufficient memory'],
    ['storage over it', { 'ephemeral-storage': '1073741825' }, 'Insufficient ephemeral-storage'],
    ['what the node lacks', { 'x.io/a': '1' }, 'Insufficient x.io/a'],
    ['none of what the node lacks', { 'x.io/a': '0' }, 'fits'],
    [
      'everything over it',
      { cpu: '3', memory: '2Gi', 'ephemeral-storage': '2Gi' },
      'Insufficient cpu, Insufficient memory, Insufficient ephemeral-storage',
    ],
  ])('fits: %s', (_, requests, expected) => {
    const allocatable = { cpu: '3', memory: '2Gi', 'ephemeral-storage': '2Gi', pods: '2' };
    const there = withPods(
      node('n', { allocatable }),
      pod('x', { requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' } }),
    );
    expect(verdict(nodeResourcesFit, pod('p', { requests }), there)).toBe(expected);
  });
});

describe('nominations', () => {
  const of = (name: string, priority: number, nominatedNodeName = ''): Pod =>
    pod(name, { spec: { priority } as never, status: { nominatedNodeName } as never });
  const [low, high] = [of('low', 1), of('high', 9)];
  const uids = (found: readonly { readonly uid: string }[]): string[] => found.map(({ uid }) => uid);

  it('reserve a node against pods of lower or equal priority, until they are gone', () => {
    const nominations = new Nominations();
    nominations.set(low, 'a');
    nominations.set(high, 'a');
    const asked = (priority: number) => uids(nominations.reservedOn('a', podInfoOf(of('p', priority))));
    expect([asked(0), asked(1), asked(5), asked(9), asked(10)]).toEqual([
      ['uid-low', 'uid-high'],
      ['uid-low', 'uid-high'],
      ['uid-high'],
      ['uid-high'],
      [],
    ]);
    expect(uids(nominations.reservedOn('a', podInfoOf(high)))).toEqual([]);
    expect(nominations.lessImportantOn('a', podInfoOf(high)).map(({ metadata }) => metadata.name)).toEqual(['low']);
    expect(nominations.lessImportantOn('a', podInfoOf(low))).toEqual([]);
    nominations.set(low, 'b');
    expect([...nominations.all()].map(([on, there]) => [on, uids(there)])).toEqual([
      ['a', ['uid-high']],
      ['b', ['uid-low']],
    ]);
    nominations.remove(high);
    nominations.remove(high);
    expect([...nominations.all().keys()]).toEqual(['b']);
    expect(nominations.reservedOn('a', podInfoOf(of('p', 0)))).toEqual([]);
  });

  it('follow what the status says; what is not written yet stays', () => {
    const nominations = new Nominations();
    const nodes = (): string[] => [...nominations.all().keys()];
    nominations.follow(of('p', 1, 'a'));
    expect(nodes()).toEqual(['a']);
    nominations.follow(of('p', 1));
    nominations.follow(of('p', 1), of('p', 1));
    expect(nodes()).toEqual(['a']);
    nominations.follow(of('p', 1), of('p', 1, 'a'));
    expect(nodes()).toEqual([]);
  });
});

describe('volumes that are being bound', () => {
  const claim = (name: string) => ({ metadata: { name, namespace: 'ns' } }) as never;
  const volume = { metadata: { name: 'v' } } as never;
  it('are taken for others, and have their node, until that is over', () => {
    const assumed = new AssumedVolumes();
    const bindings = [
      { claim: claim('c'), volume },
      { claim: claim('d'), volume: undefined },
    ] as never;
    assumed.assume(bindings, 'n');
    expect([assumed.isTaken(volume, claim('c')), assumed.isTaken(volume, claim('d'))]).toEqual([false, true]);
    expect([assumed.nodeOf(claim('c')), assumed.nodeOf(claim('d')), assumed.nodeOf(claim('e'))]).toEqual([
      'n',
      'n',
      undefined,
    ]);
    assumed.forget(bindings);
    expect([assumed.isTaken(volume, claim('d')), assumed.nodeOf(claim('c')), assumed.nodeOf(claim('d'))]).toEqual([
      false,
      undefined,
      undefined,
    ]);
  });
});

describe('decisions', () => {
  const decision = (name: string, more: Partial<Decision> = {}): Decision => ({
    ...{ pod: pod(name), at: 0, nodes: NodeList.of([]), start: 0, reserved: new Map() },
    ...more,
  });
  it('are kept for the 256 pods that were tried last', () => {
    const decisions = new Decisions();
    decisions.note(decision('first'));
    for (let i = 0; i < 255; i++) decisions.note(decision(`p${i}`));
    expect(decisions.of('uid-first')).toBeDefined();
    decisions.note(decision('first', { at: 1 }));
    decisions.note(decision('last'));
    expect(decisions.of('uid-first')?.at).toBe(1);
    expect(decisions.of('uid-p0')).toBeUndefined();
    expect(decisions.of('uid-p1')).toBeDefined();
  });

  it('remember the one by which room was made last', () => {
    const decisions = new Decisions();
    decisions.note(decision('p', { at: 1, nominated: 'a' }));
    expect(preemptionDecisionOf(decisions.of('uid-p'))?.at).toBe(1);
    decisions.note(decision('p', { at: 2 }));
    decisions.note(decision('p', { at: 3, node: 'a' }));
    expect([decisions.of('uid-p')?.at, preemptionDecisionOf(decisions.of('uid-p'))?.at]).toEqual([3, 1]);
    decisions.note(decision('p', { at: 4, nominated: 'b' }));
    expect([preemptionDecisionOf(decisions.of('uid-p'))?.at, decisions.of('uid-p')?.preemption]).toEqual([
      4,
      undefined,
    ]);
    expect(preemptionDecisionOf(undefined)).toBeUndefined();
  });
});
