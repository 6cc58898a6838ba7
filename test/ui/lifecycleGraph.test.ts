import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { World, type KnownObject } from '../../src/explain/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { layOutGraph } from '../../src/ui/panels/lifecycle/graphLayout.ts';
import { stateOfObject } from '../../src/ui/panels/lifecycle/objectState.ts';
import { relationsOf } from '../../src/ui/panels/lifecycle/relations.ts';

const shop = `
- {kind: Deployment, apiVersion: apps/v1, metadata: {name: web}}
- {kind: ReplicaSet, apiVersion: apps/v1, metadata: {name: web-1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web}]}}
- {kind: Pod, metadata: {name: p, labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1}]},
   spec: {volumes: [{configMap: {name: settings}}, {persistentVolumeClaim: {claimName: data}}], containers: [{env: [{valueFrom: {secretKeyRef: {name: password}}}]}]}}
- {kind: Pod, metadata: {name: stranger, labels: {app: other}}}
- {kind: ConfigMap, metadata: {name: settings}}
- {kind: ConfigMap, metadata: {name: unrelated}}
- {kind: Secret, metadata: {name: password}}
- {kind: PersistentVolumeClaim, metadata: {name: data}, spec: {volumeName: v}}
- {kind: PersistentVolume, metadata: {name: v, namespace: ''}}
- {kind: Service, metadata: {name: front}, spec: {selector: {app: web}}}
- {kind: Service, metadata: {name: headless}, spec: {}}
- {kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: everyone}, spec: {podSelector: {}}}
- {kind: HorizontalPodAutoscaler, apiVersion: autoscaling/v1, metadata: {name: scaler}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}
`;

function world(yaml: string, more: readonly KnownObject[] = []): World {
  const objects = [...(parse(yaml) as KnownObject[]), ...more];
  for (const object of objects) {
    object.apiVersion ??= 'v1';
    object.metadata.namespace ??= 'a';
    object.metadata.uid = `${object.kind} ${object.metadata.name}`;
    for (const owner of object.metadata.ownerReferences ?? []) owner.uid = `${owner.kind} ${owner.name}`;
  }
  return new World(objects, namesOf('k8s.io'));
}

const centerOf = (known: World, uid: string): KnownObject => {
  const object = known.get(uid);
  if (!object) throw new Error(`no ${uid}`);
  return object;
};

describe('what belongs to an object', () => {
  test('is its family, what its pods use, and what selects or scales them', () => {
    const known = world(shop);
    const { links } = relationsOf(centerOf(known, 'Deployment web'), known);
    expect(links.map(({ from, to, relation }) => `${from.metadata.uid} ${relation} ${to.metadata.uid}`).sort()).toEqual(
      [
        'Deployment web owns ReplicaSet web-1',
        'HorizontalPodAutoscaler scaler scales Deployment web',
        'NetworkPolicy everyone selects Pod p',
        'PersistentVolumeClaim data binds PersistentVolume v',
        'Pod p uses ConfigMap settings',
        'Pod p uses PersistentVolumeClaim data',
        'Pod p uses Secret password',
        'ReplicaSet web-1 owns Pod p',
        'Service front selects Pod p',
      ],
    );
  });

  test('leads from a pod up to its owners', () => {
    const known = world(shop);
    const { objects } = relationsOf(centerOf(known, 'Pod p'), known);
    expect(objects.map(({ kind }) => kind)).toContain('Deployment');
  });
});

describe('the layout of the graph', () => {
  const pods = (count: number): KnownObject[] =>
    Array.from({ length: count }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        creationTimestamp: '2026-01-01T00:00:00Z',
        name: `q${String(i).padStart(2, '0')}`,
        labels: { app: 'web' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: '' }],
      },
    }));

  test('goes from causes to effects, and nothing overlaps', () => {
    const known = world(shop);
    const center = centerOf(known, 'Deployment web');
    const { nodes, links } = layOutGraph(relationsOf(center, known), center);
    for (const { from, to } of links) expect(from.x).toBeLessThan(to.x);
    expect(new Set(nodes.map(({ x, y }) => `${x},${y}`)).size).toBe(nodes.length);
  });

  test('keeps every node where it is when a younger sibling comes', () => {
    const [few, more] = [world(shop, pods(2)), world(shop, pods(3))].map((known) => {
      const center = centerOf(known, 'Deployment web');
      const { nodes } = layOutGraph(relationsOf(center, known), center);
      return new Map(nodes.filter(({ object }) => object.kind === 'Pod').map(({ key, x, y }) => [key, `${x},${y}`]));
    });
    for (const [key, place] of few ?? []) expect(more?.get(key)).toBe(place);
  });

  test('lets one node stand for many siblings', () => {
    const known = world(shop, pods(30));
    const center = centerOf(known, 'Deployment web');
    const { nodes } = layOutGraph(relationsOf(center, known), center);
    const shown = nodes.filter(({ object }) => object.kind === 'Pod');
    expect(shown).toHaveLength(10);
    expect(shown.reduce((sum, { more }) => sum + more, 0)).toBe(21);
  });
});

test.each<[yaml: string, state: string, text: string]>([
  ['{kind: ConfigMap, metadata: {}}', 'completed', 'There'],
  ['{kind: ConfigMap, metadata: {deletionTimestamp: x, finalizers: [a, b]}}', 'deleted', 'Being deleted, 2 finalizers'],
  ['{kind: Deployment, metadata: {}, spec: {replicas: 3}, status: {readyReplicas: 1}}', 'pending', '1 of 3 ready'],
  ['{kind: Deployment, metadata: {}, spec: {replicas: 0}}', 'completed', 'Scaled to 0'],
  ['{kind: Pod, metadata: {}, status: {phase: Running}}', 'pending', 'Running, not ready'],
  [
    '{kind: Pod, metadata: {}, status: {phase: Running, conditions: [{type: Ready, status: "True"}]}}',
    'ready',
    'Running',
  ],
  [
    '{kind: Pod, metadata: {}, status: {containerStatuses: [{state: {waiting: {reason: CrashLoopBackOff}}}]}}',
    'failed',
    'CrashLoopBackOff',
  ],
])('%s is %s: %s', (yaml, state, text) => {
  expect(stateOfObject(parse(yaml) as KnownObject)).toEqual({ state, text });
});
