/** What the stateful set controller writes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  controllerRevisions,
  persistentVolumeClaims as claims,
  pods,
  statefulSets,
} from '../../../src/client/index.ts';
import { Lab, ownedBy, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const labels = { app: 'db' };
const set = (spec: Loose = {}, more: Loose = {}): Loose => ({
  metadata: { name: 'db', namespace: 'ns', generation: 1, ...more.metadata },
  spec: {
    ...{
      replicas: 2,
      serviceName: 'dbs',
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate' },
    },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
    ...spec,
  },
  status: { replicas: 0, ...more.status },
});
const claimed = {
  volumeClaimTemplates: [{ metadata: { name: 'data', labels: { own: 'x' } }, spec: { storageClassName: 'fast' } }],
};
/** Of what the set owns. */
const ownerReferences = [ownedBy('StatefulSet', { metadata: { name: 'db', uid: 'uid-db' } })];
const start = (): Promise<void> => lab.start(['statefulset']);
const ready = (name: string): void => {
  lab.server.change(pods, `ns/${name}`, {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
};
const statusOf = (): Loose => lab.server.get(statefulSets, 'ns/db').status;

describe('a new set', () => {
  test('gets a revision, then one pod after the other, each with its claims', async () => {
    lab.server.put(statefulSets, set(claimed));
    await start();
    const [revision, claim, pod, status, ...others] = await lab.writes();
    expect(revision).toEqual({
      body: {
        apiVersion: 'apps/v1',
        data: {
          spec: {
            template: {
              $patch: 'replace',
              metadata: {
                labels: {
                  app: 'db',
                },
              },
              spec: {
                containers: [
                  {
                    image: 'i:1',
                    name: 'c',
                  },
                ],
              },
            },
          },
        },
        kind: 'ControllerRevision',
        metadata: {
          labels: {
            app: 'db',
            'controller.cluster.io/hash': 'b4d5b6b8c',
          },
          name: 'db-b4d5b6b8c',
          namespace: 'ns',
          ownerReferences,
        },
        revision: 1,
      },
      method: 'POST',
      path: 'namespaces/ns/controllerrevisions',
    });
    expect(claim).toEqual({
      body: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          labels: {
            app: 'db',
            own: 'x',
          },
          name: 'data-db-0',
          namespace: 'ns',
        },
        spec: {
          storageClassName: 'fast',
        },
      },
      method: 'POST',
      path: 'namespaces/ns/persistentvolumeclaims',
    });
    expect(pod).toEqual({
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          generateName: 'db-',
          labels: {
            app: 'db',
            'controller-revision-hash': 'db-b4d5b6b8c',
            'statefulset.cluster.io/pod-name': 'db-0',
          },
          name: 'db-0',
          namespace: 'ns',
          ownerReferences,
        },
        spec: {
          containers: [
            {
              image: 'i:1',
              name: 'c',
            },
          ],
          hostname: 'db-0',
          subdomain: 'dbs',
          volumes: [
            {
              name: 'data',
              persistentVolumeClaim: {
                claimName: 'data-db-0',
                readOnly: false,
              },
            },
          ],
        },
      },
      method: 'POST',
      path: 'namespaces/ns/pods',
    });
    expect([status?.path, others]).toEqual(['namespaces/ns/statefulsets/db/status', []]);
    expect(status?.body.status).toEqual({
      collisionCount: 0,
      currentReplicas: 1,
      currentRevision: 'db-b4d5b6b8c',
      observedGeneration: 1,
      readyReplicas: 0,
      replicas: 1,
      updateRevision: 'db-b4d5b6b8c',
      updatedReplicas: 1,
    });
    expect(await lab.events()).toEqual([
      'StatefulSet ns/db: Normal SuccessfulCreate create Claim data-db-0 Pod db-0 in StatefulSet db success',
      'StatefulSet ns/db: Normal SuccessfulCreate create Pod db-0 in StatefulSet db successful',
    ]);
    ready('db-0');
    expect(await lab.requests()).toEqual([
      'POST namespaces/ns/persistentvolumeclaims',
      'POST namespaces/ns/pods',
      'PUT namespaces/ns/statefulsets/db/status',
    ]);
    ready('db-1');
    expect(await lab.requests()).toEqual(['PUT namespaces/ns/statefulsets/db/status']);
    expect(statusOf()).toMatchObject({ replicas: 2, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 2 });
  });

  test('with parallel management gets all pods at once', async () => {
    lab.server.put(statefulSets, set({ podManagementPolicy: 'Parallel', replicas: 3 }));
    await start();
    expect(lab.server.list(pods).map(({ metadata }) => metadata.name)).toEqual(['db-0', 'db-1', 'db-2']);
  });

  test('whose pod is refused says so and tries again', async () => {
    lab.server.put(statefulSets, set());
    lab.server.refuse('POST', /pods/, 403, 'Forbidden', 1);
    await start();
    expect(await lab.events()).toEqual([
      'StatefulSet ns/db: Warning FailedCreate create Pod db-0 in StatefulSet db failed error: Forbidden',
    ]);
    expect(statusOf()).toEqual({ replicas: 0 });
    await lab.pass(1);
    expect(await lab.events()).toEqual([
      'StatefulSet ns/db: Normal SuccessfulCreate create Pod db-0 in StatefulSet db successful',
    ]);
  });

  test('does not report a pod of its name that exists already', async () => {
    lab.server.put(statefulSets, set());
    lab.server.put(pods, { metadata: { name: 'db-0', namespace: 'ns' }, spec: {}, status: {} });
    await start();
    expect(await lab.events()).toEqual([]);
    expect(await lab.requests()).toContain('POST namespaces/ns/pods');
  });

  test.each<[string, templates: string[], events: string[]]>([
    [
      'one claim',
      ['a'],
      [
        'StatefulSet ns/db: Warning FailedCreate create Claim a-db-0 for Pod db-0 in StatefulSet db failed error: Forbidden',
        'StatefulSet ns/db: Warning FailedCreate create Pod db-0 in StatefulSet db failed error: failed to create PVC a-db-0: Forbidden',
      ],
    ],
    [
      'two claims',
      ['a', 'b'],
      [
        'StatefulSet ns/db: Warning FailedCreate create Claim a-db-0 for Pod db-0 in StatefulSet db failed error: Forbidden',
        'StatefulSet ns/db: Warning FailedCreate create Claim b-db-0 for Pod db-0 in StatefulSet db failed error: Forbidden',
        'StatefulSet ns/db: Warning FailedCreate create Pod db-0 in StatefulSet db failed error: [failed to create PVC a-db-0: Forbidden, failed to create PVC b-db-0: Forbidden]',
      ],
    ],
  ])('whose pod needs %s that is refused gets no pod', async (_, templates, events) => {
    lab.server.put(statefulSets, set({ volumeClaimTemplates: templates.map((name) => ({ metadata: { name } })) }));
    lab.server.refuse('POST', /claims/, 403, 'Forbidden');
    await start();
    expect(await lab.events()).toEqual(events);
    expect(lab.server.list(pods)).toEqual([]);
  });

  test('waits for a claim that is being deleted, and takes one that is there', async () => {
    lab.server.put(statefulSets, set(claimed));
    const metadata = { name: 'data-db-0', namespace: 'ns', deletionTimestamp: minute(0), finalizers: ['f'] };
    lab.server.put(claims, { metadata, spec: {}, status: {} });
    await start();
    expect(await lab.events()).toEqual([
      'StatefulSet ns/db: Warning FailedCreate create Pod db-0 in StatefulSet db failed error: pvc data-db-0 is being deleted',
    ]);
    lab.server.remove(claims, 'ns/data-db-0');
    lab.server.put(claims, { metadata: { name: 'data-db-0', namespace: 'ns' }, spec: {}, status: {} });
    await lab.pass(1);
    expect(await lab.events()).toEqual([
      'StatefulSet ns/db: Normal SuccessfulCreate create Pod db-0 in StatefulSet db successful',
    ]);
  });
});

describe('a set with its pods', () => {
  beforeEach(async () => {
    lab.server.put(statefulSets, set());
    await start();
    ready('db-0');
    await lab.settle();
    ready('db-1');
    await lab.writes();
    await lab.events();
  });

  test('loses the last pod first', async () => {
    lab.server.change(statefulSets, 'ns/db', { spec: { replicas: 0 } });
    expect((await lab.requests()).filter((each) => each.startsWith('DELETE'))).toEqual([
      'DELETE namespaces/ns/pods/db-1',
      'DELETE namespaces/ns/pods/db-0',
    ]);
    expect(await lab.events()).toEqual([
      'StatefulSet ns/db: Normal SuccessfulDelete delete Pod db-1 in StatefulSet db successful',
      'StatefulSet ns/db: Normal SuccessfulDelete delete Pod db-0 in StatefulSet db successful',
    ]);
    expect(statusOf()).toMatchObject({ replicas: 0, readyReplicas: 0 });
  });

  test('updates the last pod first, and keeps the revision that pods have', async () => {
    lab.server.change(statefulSets, 'ns/db', {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'i:2' }] } } },
    });
    expect(await lab.requests()).toEqual([
      'POST namespaces/ns/controllerrevisions',
      'DELETE namespaces/ns/pods/db-1',
      'PUT namespaces/ns/statefulsets/db/status',
      'POST namespaces/ns/pods',
      'PUT namespaces/ns/statefulsets/db/status',
    ]);
    expect(lab.server.list(controllerRevisions).map(({ revision }) => revision)).toEqual([1, 2]);
    const { currentRevision, updateRevision } = statusOf();
    expect(currentRevision).not.toBe(updateRevision);
    const revisionOf = (name: string): Loose =>
      lab.server.get(pods, `ns/${name}`).metadata.labels['controller-revision-hash'];
    expect([revisionOf('db-0'), revisionOf('db-1')]).toEqual([currentRevision, updateRevision]);
    ready('db-1');
    await lab.settle();
    ready('db-0');
    await lab.settle();
    expect(statusOf()).toMatchObject({ currentRevision: updateRevision, updateRevision, updatedReplicas: 2 });
  });

  test('goes back to an earlier template with a new number of its revision', async () => {
    const image = (name: string): Loose => ({
      spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } },
    });
    lab.server.change(statefulSets, 'ns/db', image('i:2'));
    await lab.settle();
    lab.server.change(statefulSets, 'ns/db', image('i:1'));
    await lab.settle();
    expect(lab.server.list(controllerRevisions).map(({ revision }) => revision)).toEqual([3, 2]);
  });

  test('replaces a failed pod', async () => {
    lab.server.change(pods, 'ns/db-1', { status: { phase: 'Failed' } });
    expect((await lab.requests()).slice(0, 2)).toEqual(['DELETE namespaces/ns/pods/db-1', 'POST namespaces/ns/pods']);
    expect(await lab.events()).toEqual([
      'StatefulSet ns/db: Warning RecreatingFailedPod StatefulSet ns/db is recreating failed Pod db-1',
      'StatefulSet ns/db: Normal SuccessfulDelete delete Pod db-1 in StatefulSet db successful',
      'StatefulSet ns/db: Normal SuccessfulCreate create Pod db-1 in StatefulSet db successful',
    ]);
  });

  test('repairs a pod that lost its name label', async () => {
    lab.server.change(pods, 'ns/db-1', { metadata: { labels: { 'statefulset.cluster.io/pod-name': null } } });
    const [repaired, ...others] = await lab.writes();
    expect([repaired?.method, repaired?.path, others]).toEqual(['PUT', 'namespaces/ns/pods/db-1', []]);
    expect(repaired?.body.metadata.labels['statefulset.cluster.io/pod-name']).toBe('db-1');
    expect(await lab.events()).toEqual([
      'StatefulSet ns/db: Normal SuccessfulUpdate update Pod db-1 in StatefulSet db successful',
    ]);
  });

  test('reports a pod that can not be deleted', async () => {
    lab.server.refuse('DELETE', /pods/, 403, 'Forbidden', 1);
    lab.server.change(statefulSets, 'ns/db', { spec: { replicas: 1 } });
    expect(await lab.events()).toEqual([
      'StatefulSet ns/db: Warning FailedDelete delete Pod db-1 in StatefulSet db failed error: Forbidden',
    ]);
  });

  test('releases a pod that it no longer selects, and adopts one that it selects', async () => {
    lab.server.change(pods, 'ns/db-1', { metadata: { labels: { app: 'other' } } });
    const [released] = await lab.writes();
    expect(released).toEqual({
      method: 'PATCH',
      path: 'namespaces/ns/pods/db-1',
      body: { metadata: { ownerReferences: [{ $patch: 'delete', uid: 'uid-db' }], uid: 'uid-db-1' } },
    });
    lab.server.change(pods, 'ns/db-1', { metadata: { labels } });
    const owner = ownedBy('StatefulSet', lab.server.get(statefulSets, 'ns/db'));
    expect((await lab.writes())[0]).toEqual({
      method: 'PATCH',
      path: 'namespaces/ns/pods/db-1',
      body: { metadata: { ownerReferences: [owner], uid: 'uid-db-1' } },
    });
  });

  test('of another name, or that is gone, does not matter', async () => {
    lab.server.put(pods, { metadata: { name: 'dbx-0', namespace: 'ns', labels }, spec: {}, status: {} });
    lab.server.put(pods, { metadata: { name: 'db-one', namespace: 'ns', labels }, spec: {}, status: {} });
    expect(await lab.requests()).toEqual([]);
    lab.server.remove(statefulSets, 'ns/db');
    expect(await lab.requests()).toEqual([]);
  });
});

test('a set keeps as many old revisions as its limit says', async () => {
  const owner = lab.server.put(statefulSets, set({ replicas: 0, revisionHistoryLimit: 1 }));
  for (const revision of [1, 2, 3])
    lab.server.put(controllerRevisions, {
      metadata: { name: `r${revision}`, namespace: 'ns', labels, ownerReferences: [ownedBy('StatefulSet', owner)] },
      ...{ revision, data: { spec: { template: { n: revision } } } },
    });
  await start();
  expect(lab.server.list(controllerRevisions).map(({ revision }) => revision)).toEqual([3, 4]);
});

test('a revision of the same name and another template counts as a collision', async () => {
  lab.server.put(statefulSets, set({ replicas: 0 }));
  await start();
  const [{ metadata }] = lab.server.list(controllerRevisions);
  await lab.stop();
  lab = new Lab();
  lab.server.put(statefulSets, set({ replicas: 0 }));
  lab.server.put(controllerRevisions, { metadata: { name: metadata.name, namespace: 'ns' }, revision: 1, data: {} });
  await start();
  await lab.pass(1);
  expect(statusOf().collisionCount).toBe(1);
  expect(lab.server.list(controllerRevisions)).toHaveLength(2);
});
