import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  namespaceHolds,
  partiesOf,
  previewDeletion,
  waitsOf,
  World,
  type KnownObject,
} from '../../src/explain/index.ts';
import { namesOf } from '../../src/names/index.ts';

const names = namesOf('k8s.io');
const everything = (): boolean => true;

/** Objects of a YAML list; each one's uid is its kind and name, where it has none. */
function world(yaml: string): World {
  const objects = parse(yaml) as KnownObject[];
  for (const object of objects) {
    object.apiVersion ??= 'v1';
    object.metadata.uid ??= `${object.kind} ${object.metadata.name}`;
    for (const owner of object.metadata.ownerReferences ?? []) owner.uid = `${owner.kind} ${owner.name}`;
  }
  return new World(objects, names);
}

const uids = (objects: readonly KnownObject[]): (string | undefined)[] => objects.map(({ metadata }) => metadata.uid);

function preview(
  yaml: string,
  uid: string,
  runs: (party: string) => boolean = everything,
): ReturnType<typeof previewDeletion> {
  const known = world(yaml);
  const target = known.get(uid);
  if (!target) throw new Error(`no ${uid}`);
  return previewDeletion([target], 'Background', known, runs);
}

describe('the preview of a deletion, beyond owners', () => {
  test.each<[title: string, yaml: string, target: string, goes: readonly string[], waits: readonly string[]]>([
    [
      'a service takes its endpoints along',
      `- {kind: Service, metadata: {name: web, namespace: a}}
- {kind: Endpoints, metadata: {name: web, namespace: a}}
- {kind: Endpoints, metadata: {name: web, namespace: b, uid: Endpoints b/web}}`,
      'Service web',
      ['Service web', 'Endpoints web'],
      [],
    ],
    [
      'a service account takes its tokens along',
      `- {kind: ServiceAccount, metadata: {name: robot, namespace: a}}
- {kind: Secret, metadata: {name: token, namespace: a, annotations: {kubernetes.io/service-account.uid: ServiceAccount robot}}}
- {kind: Secret, metadata: {name: other, namespace: a}}`,
      'ServiceAccount robot',
      ['ServiceAccount robot', 'Secret token'],
      [],
    ],
    [
      'a namespace goes after everything in it',
      `- {kind: Namespace, metadata: {name: a}}
- {kind: ConfigMap, metadata: {name: one, namespace: a}}
- {kind: ConfigMap, metadata: {name: two, namespace: b}}`,
      'Namespace a',
      ['ConfigMap one', 'Namespace a'],
      [],
    ],
    [
      'a namespace waits for what a finalizer holds in it',
      `- {kind: Namespace, metadata: {name: a}}
- {kind: ConfigMap, metadata: {name: one, namespace: a, finalizers: [example.com/hold]}}`,
      'Namespace a',
      [],
      ['Namespace a', 'ConfigMap one'],
    ],
    [
      'a claim waits for the pod that uses it',
      `- {kind: PersistentVolumeClaim, metadata: {name: data, namespace: a, finalizers: [kubernetes.io/pvc-protection]}}
- {kind: Pod, metadata: {name: p, namespace: a}, spec: {nodeName: n, volumes: [{persistentVolumeClaim: {claimName: data}}]}}`,
      'PersistentVolumeClaim data',
      [],
      ['PersistentVolumeClaim data'],
    ],
    [
      'a claim that no pod uses goes, and its volume with it',
      `- {kind: PersistentVolumeClaim, metadata: {name: data, namespace: a, finalizers: [kubernetes.io/pvc-protection]}}
- {kind: Pod, metadata: {name: p, namespace: a}, spec: {volumes: [{persistentVolumeClaim: {claimName: data}}]}}
- {kind: PersistentVolume, metadata: {name: v}, spec: {persistentVolumeReclaimPolicy: Delete, claimRef: {uid: PersistentVolumeClaim data}}}
- {kind: PersistentVolume, metadata: {name: w}, spec: {persistentVolumeReclaimPolicy: Retain, claimRef: {uid: PersistentVolumeClaim data}}}`,
      'PersistentVolumeClaim data',
      ['PersistentVolumeClaim data', 'PersistentVolume v'],
      [],
    ],
    [
      'a definition takes its objects along',
      `- {kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: beds, finalizers: [customresourcecleanup.apiextensions.k8s.io]}, spec: {group: g.io, names: {kind: Bed}}}
- {kind: Bed, apiVersion: g.io/v1, metadata: {name: rose, namespace: a}}`,
      'CustomResourceDefinition beds',
      ['Bed rose', 'CustomResourceDefinition beds'],
      [],
    ],
    [
      'a node takes the pods that are placed on it along',
      `- {kind: Node, metadata: {name: n}}
- {kind: Pod, metadata: {name: p, namespace: a}, spec: {nodeName: n}}
- {kind: Pod, metadata: {name: q, namespace: a}, spec: {nodeName: m}}`,
      'Node n',
      ['Node n', 'Pod p'],
      [],
    ],
  ])('%s', (_, yaml, target, goes, waits) => {
    const result = preview(yaml, target);
    expect(uids(result.goes)).toEqual(goes);
    expect(uids(result.waits)).toEqual(waits);
  });

  const owned = `- {kind: ReplicaSet, apiVersion: apps/v1, metadata: {name: web, namespace: a}}
- {kind: Pod, metadata: {name: p, namespace: a, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, controller: true}]}}`;

  test('names the controller that makes another object', () => {
    expect(preview(owned, 'Pod p').replaced.get('Pod p')?.metadata.name).toBe('web');
    expect(preview(owned, 'ReplicaSet web').replaced.size).toBe(0);
  });

  test('keeps dependants while the collector is switched off', () => {
    const result = preview(owned, 'ReplicaSet web', partiesOf(['--controllers=*,-garbagecollector']));
    expect(uids(result.goes)).toEqual(['ReplicaSet web']);
  });
});

describe('what an object waits for', () => {
  const stuck = `- {kind: ConfigMap, metadata: {name: m, namespace: a, deletionTimestamp: 2026-01-01T00:00:00Z, finalizers: [example.com/hold, foregroundDeletion],
    managedFields: [{manager: my-operator, fieldsV1: {f:metadata: {f:finalizers: {'v:"example.com/hold"': {}}}}}]}}
- {kind: Secret, metadata: {name: s, namespace: a, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: m, blockOwnerDeletion: true}]}}`;

  test('names each finalizer, who removes it, and how a person does', () => {
    const known = world(stuck);
    const waits = waitsOf(known.objects[0] as KnownObject, known, partiesOf(['--controllers=-garbagecollector,*']));
    expect(waits).toMatchObject([
      {
        finalizer: 'example.com/hold',
        party: 'set by my-operator',
        state: 'unknown',
        byHand: { finalizers: ['foregroundDeletion'] },
      },
      {
        finalizer: 'foregroundDeletion',
        party: 'controller garbagecollector',
        state: 'off',
        heldBy: [{ kind: 'Secret', name: 's' }],
      },
    ]);
  });

  test('is nothing before it is deleted', () => {
    const known = world(`- {kind: ConfigMap, metadata: {name: m, namespace: a, finalizers: [example.com/hold]}}`);
    expect(waitsOf(known.objects[0] as KnownObject, known, everything)).toEqual([]);
  });

  test('leads from the conditions of a namespace to the objects that hold it', () => {
    const known = world(`- kind: Namespace
  metadata: {name: a, deletionTimestamp: 2026-01-01T00:00:00Z}
  spec: {finalizers: [kubernetes]}
  status: {conditions: [{type: NamespaceDeletionDiscoveryFailure, status: 'False'}, {type: NamespaceFinalizersRemaining, status: 'True', message: held}]}
- {kind: ConfigMap, metadata: {name: free, namespace: a}}
${stuck}`);
    const [hold, ...more] = namespaceHolds(known.objects[0] as KnownObject, known, everything);
    expect(more).toEqual([]);
    expect(hold).toMatchObject({ condition: 'NamespaceFinalizersRemaining', message: 'held' });
    expect(hold?.objects.map(({ name }) => name)).toEqual(['ConfigMap m']);
  });
});

test.each<[args: string, party: string, runs: boolean]>([
  ['', 'namespace', true],
  ['', 'tokencleaner', false],
  ['--controllers=*,tokencleaner', 'tokencleaner', true],
  ['--controllers=*,-namespace', 'namespace', false],
  ['--controllers=job', 'namespace', false],
  ['--controllers=job', 'apiserver', true],
  ['--enable-garbage-collector=false', 'garbagecollector', false],
])('with %s, %s runs: %s', (args, party, runs) => {
  expect(partiesOf(args === '' ? [] : [args])(party)).toBe(runs);
});
