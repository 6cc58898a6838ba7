/** What the daemon set controller writes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { controllerRevisions, daemonSets, nodes, pods } from '../../../src/client/index.ts';
import { Lab, ownedBy, type Loose } from '../lab.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const labels = { app: 'd' };
const set = (spec: Loose = {}, more: Loose = {}): Loose => ({
  metadata: {
    name: 'd',
    namespace: 'ns',
    generation: 1,
    annotations: { 'deprecated.daemonset.template.generation': '1' },
    ...more.metadata,
  },
  spec: {
    ...{
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
    ...spec,
  },
  status: { ...more.status },
});
const node = (name: string, more: Loose = {}): Loose => ({
  metadata: { name, ...more.metadata },
  spec: { ...more.spec },
  status: {},
});
/** Of what the set owns. */
const ownerReferences = [ownedBy('DaemonSet', { metadata: { name: 'd', uid: 'uid-d' } })];
const start = (): Promise<void> => lab.start(['daemonset']);
const nodesOf = (pod: Loose): string =>
  pod.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0]
    .values[0];
const podOn = (name: string): Loose => lab.server.list(pods).find((pod) => nodesOf(pod) === name);
const run = (
  name: string,
  status: Loose = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
): void => {
  lab.server.change(pods, `ns/${podOn(name).metadata.name}`, { spec: { nodeName: name }, status });
};
const statusOf = (): Loose => lab.server.get(daemonSets, 'ns/d').status;
const image = (name: string): Loose => ({ spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } } });

test('a new set gets a revision and a pod for each node', async () => {
  lab.server.put(daemonSets, set());
  for (const name of ['a', 'b']) lab.server.put(nodes, node(name));
  await start();
  const [revision, pod, second, status, ...others] = await lab.writes();
  expect(revision).toEqual({
    body: {
      apiVersion: 'apps/v1',
      data: {
        spec: {
          template: {
            $patch: 'replace',
            metadata: {
              labels: {
                app: 'd',
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
        annotations: {
          'deprecated.daemonset.template.generation': '1',
        },
        labels: {
          app: 'd',
          'controller-revision-hash': '75f5468975',
        },
        name: 'd-75f5468975',
        namespace: 'ns',
        ownerReferences,
      },
      revision: 1,
    },
    method: 'POST',
    path: 'namespaces/ns/controllerrevisions',
  });
  expect(pod).toEqual({
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: 'd-',
        labels: {
          app: 'd',
          'controller-revision-hash': '75f5468975',
          'pod-template-generation': '1',
        },
        namespace: 'ns',
        ownerReferences,
      },
      spec: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                {
                  matchFields: [
                    {
                      key: 'metadata.name',
                      operator: 'In',
                      values: ['a'],
                    },
                  ],
                },
              ],
            },
          },
        },
        containers: [
          {
            image: 'i:1',
            name: 'c',
          },
        ],
        tolerations: [
          {
            effect: 'NoExecute',
            key: 'node.cluster.io/not-ready',
            operator: 'Exists',
          },
          {
            effect: 'NoExecute',
            key: 'node.cluster.io/unreachable',
            operator: 'Exists',
          },
          {
            effect: 'NoSchedule',
            key: 'node.cluster.io/disk-pressure',
            operator: 'Exists',
          },
          {
            effect: 'NoSchedule',
            key: 'node.cluster.io/memory-pressure',
            operator: 'Exists',
          },
          {
            effect: 'NoSchedule',
            key: 'node.cluster.io/pid-pressure',
            operator: 'Exists',
          },
          {
            effect: 'NoSchedule',
            key: 'node.cluster.io/unschedulable',
            operator: 'Exists',
          },
        ],
      },
    },
    method: 'POST',
    path: 'namespaces/ns/pods',
  });
  expect([nodesOf(second?.body), others]).toEqual(['b', []]);
  expect(status).toMatchObject({ method: 'PUT', path: 'namespaces/ns/daemonsets/d/status' });
  expect(status?.body.status).toEqual({
    currentNumberScheduled: 2,
    desiredNumberScheduled: 2,
    numberAvailable: 0,
    numberMisscheduled: 0,
    numberReady: 0,
    numberUnavailable: 2,
    observedGeneration: 1,
    updatedNumberScheduled: 2,
  });
  expect(await lab.events()).toEqual([
    'DaemonSet ns/d: Normal SuccessfulCreate Created pod: d-5',
    'DaemonSet ns/d: Normal SuccessfulCreate Created pod: d-6',
  ]);
});

test('a node that comes, or that becomes fit, gets a pod; one that is no longer fit loses it', async () => {
  lab.server.put(
    daemonSets,
    set({ template: { metadata: { labels }, spec: { nodeSelector: { disk: 'ssd' }, containers: [] } } }),
  );
  lab.server.put(daemonSets, {
    ...set(),
    metadata: { name: 'e', namespace: 'ns' },
    spec: {
      ...set().spec,
      selector: { matchLabels: { app: 'e' } },
      template: { metadata: { labels: { app: 'e' } }, spec: { nodeSelector: { disk: 'other' } } },
    },
  });
  lab.server.put(nodes, node('a'));
  await start();
  await lab.writes();
  lab.server.put(nodes, node('b', { metadata: { labels: { disk: 'ssd' } } }));
  lab.server.put(nodes, node('c'));
  expect(await lab.requests()).toEqual(['POST namespaces/ns/pods', 'PUT namespaces/ns/daemonsets/d/status']);
  lab.server.change(nodes, 'a', { metadata: { labels: { disk: 'ssd' } } });
  expect(await lab.requests()).toEqual(['POST namespaces/ns/pods', 'PUT namespaces/ns/daemonsets/d/status']);
  lab.server.change(nodes, 'a', { status: { conditions: [] }, metadata: { annotations: { x: 'y' } } });
  expect(await lab.requests()).toEqual([]);
  const taints = [{ key: 'k', effect: 'NoExecute' }];
  lab.server.change(nodes, 'a', { spec: { taints } });
  expect((await lab.requests()).filter((each) => each.startsWith('DELETE'))).toHaveLength(1);
  lab.server.remove(nodes, 'b');
  expect(await lab.requests()).toEqual([]);
});

test.each<[string, change: Loose]>([
  ['is cordoned', { spec: { unschedulable: true } }],
  ['gets a taint that keeps new pods away', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }],
])('a node that %s keeps its pod', async (_, change) => {
  lab.server.put(daemonSets, set());
  lab.server.put(nodes, node('a'));
  await start();
  lab.server.change(nodes, 'a', change);
  await lab.settle();
  expect(lab.server.list(pods)).toHaveLength(1);
});

describe('an update', () => {
  beforeEach(async () => {
    lab.server.put(daemonSets, set());
    for (const name of ['a', 'b', 'c']) lab.server.put(nodes, node(name));
    await start();
    for (const name of ['a', 'b', 'c']) run(name);
    await lab.settle();
    await lab.writes();
    await lab.events();
  });

  test('replaces one pod after the other', async () => {
    expect(statusOf()).toMatchObject({
      currentNumberScheduled: 3,
      numberReady: 3,
      numberAvailable: 3,
      updatedNumberScheduled: 3,
    });
    lab.server.change(daemonSets, 'ns/d', image('i:2'));
    const requests = await lab.requests();
    expect(
      requests.filter((each) => /^(POST|DELETE)/.test(each)).map((each) => each.replace(/pods\/.*/, 'pods/NAME')),
    ).toEqual(['POST namespaces/ns/controllerrevisions', 'DELETE namespaces/ns/pods/NAME', 'POST namespaces/ns/pods']);
    expect(statusOf()).toMatchObject({ numberReady: 2, numberUnavailable: 1, updatedNumberScheduled: 1 });
    expect((await lab.events()).map((text) => text.replace(/d-\d+/, 'NAME'))).toEqual([
      'DaemonSet ns/d: Normal SuccessfulDelete Deleted pod: NAME',
      'DaemonSet ns/d: Normal SuccessfulCreate Created pod: NAME',
    ]);
    for (let i = 0; i < 3; i++) {
      for (const name of ['a', 'b', 'c']) if (podOn(name).status.phase === undefined) run(name);
      await lab.settle();
    }
    expect(statusOf()).toMatchObject({ updatedNumberScheduled: 3, numberAvailable: 3 });
  });

  test('on deletion waits until somebody deletes a pod', async () => {
    lab.server.change(daemonSets, 'ns/d', {
      spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null }, ...image('i:2').spec },
    });
    expect((await lab.requests()).filter((each) => each.startsWith('DELETE'))).toEqual([]);
    lab.server.remove(pods, `ns/${podOn('a').metadata.name}`);
    expect((await lab.requests()).filter((each) => each.startsWith('POST'))).toEqual(['POST namespaces/ns/pods']);
    expect(statusOf().updatedNumberScheduled).toBe(1);
  });

  test('to what an older revision has takes that revision again', async () => {
    lab.server.change(daemonSets, 'ns/d', image('i:2'));
    await lab.settle();
    lab.server.change(daemonSets, 'ns/d', image('i:1'));
    await lab.settle();
    expect(lab.server.list(controllerRevisions).map(({ revision }) => revision)).toEqual([3, 2]);
  });

  test('keeps as many old revisions as the limit says, and those in use', async () => {
    lab.server.change(daemonSets, 'ns/d', {
      spec: { revisionHistoryLimit: 0, updateStrategy: { type: 'OnDelete', rollingUpdate: null } },
    });
    for (const each of ['i:2', 'i:3', 'i:4']) {
      lab.server.change(daemonSets, 'ns/d', image(each));
      await lab.settle();
    }
    expect(lab.server.list(controllerRevisions).map(({ revision }) => revision)).toEqual([1, 4]);
  });

  test('deletes failed pods, and waits a second, then two, for the next', async () => {
    run('a', { phase: 'Failed' });
    expect((await lab.requests()).filter((each) => /^(POST|DELETE)/.test(each))).toHaveLength(2);
    expect((await lab.events()).map((text) => text.replace(/d-\d+/, 'NAME'))).toEqual([
      'DaemonSet ns/d: Warning FailedDaemonPod Found failed daemon pod ns/NAME on node a, will try to kill it',
      'DaemonSet ns/d: Normal SuccessfulDelete Deleted pod: NAME',
      'DaemonSet ns/d: Normal SuccessfulCreate Created pod: NAME',
    ]);
    for (const seconds of [1, 2, 4]) {
      run('a', { phase: 'Failed' });
      await lab.pass(seconds - 0.1);
      expect((await lab.requests()).filter((each) => each.startsWith('DELETE'))).toEqual([]);
      await lab.pass(0.1);
      expect((await lab.requests()).filter((each) => each.startsWith('DELETE'))).toHaveLength(1);
    }
  });

  test('deletes what is to be deleted even where a pod can not be created', async () => {
    lab.server.refuse('POST', /pods/, 403, 'Forbidden', 1);
    lab.server.put(nodes, node('e'));
    lab.server.change(nodes, 'a', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } });
    const requests = await lab.requests();
    expect(requests.filter((each) => each.startsWith('DELETE'))).toHaveLength(1);
    expect((await lab.events())[0]).toBe('DaemonSet ns/d: Warning FailedCreate Error creating: Forbidden');
    await lab.pass(1);
    expect(podOn('e')).toBeDefined();
  });
});

test('two revisions of the same template become one, and a revision without its label gets one', async () => {
  const owner = lab.server.put(daemonSets, set());
  lab.server.put(nodes, node('a'));
  await start();
  const [made] = lab.server.list(controllerRevisions);
  await lab.writes();
  const { 'controller-revision-hash': _, ...bare } = made.metadata.labels;
  lab.server.put(controllerRevisions, {
    ...made,
    metadata: { ...made.metadata, name: 'twin', uid: 'twin', labels: bare },
    revision: 7,
  });
  lab.server.change(daemonSets, 'ns/d', { metadata: { annotations: { x: 'y' } } });
  expect(await lab.requests()).toEqual([
    'PUT namespaces/ns/controllerrevisions/twin',
    `PUT namespaces/ns/pods/${podOn('a').metadata.name}`,
    `DELETE namespaces/ns/controllerrevisions/${made.metadata.name}`,
  ]);
  expect(podOn('a').metadata.labels['controller-revision-hash']).toBe('twin');
  expect(lab.server.get(controllerRevisions, 'ns/twin').metadata.labels).toEqual({
    ...labels,
    'controller-revision-hash': 'twin',
  });
  expect(podOn('a').metadata.ownerReferences).toEqual([ownedBy('DaemonSet', owner)]);
});

test('a set that is being deleted is left alone', async () => {
  lab.server.put(daemonSets, set({}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }));
  lab.server.put(nodes, node('a'));
  await start();
  expect(await lab.requests()).toEqual([]);
});

test('a pod becomes available after its time, without another change', async () => {
  lab.server.put(daemonSets, set({ minReadySeconds: 10 }));
  lab.server.put(nodes, node('a'));
  await start();
  run('a', {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T12:00:00Z' }],
  });
  await lab.settle();
  expect(statusOf()).toMatchObject({ numberReady: 1, numberAvailable: 0, numberUnavailable: 1 });
  await lab.pass(9);
  expect(statusOf().numberAvailable).toBe(0);
  await lab.pass(1);
  expect(statusOf()).toMatchObject({ numberAvailable: 1, numberUnavailable: 0 });
});
