import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, type Loose } from './bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const DAEMONS = '/apis/apps/v1/namespaces/default/daemonsets';
const SCHEMA = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { replicas: { type: 'integer' } } } },
};
let budgets: string;
let bench: Bench;

beforeAll(async () => {
  // Its own credentials show whether its role allows what it does.
  bench = await Bench.start({ controllerManager: ['--use-service-account-credentials=true'] });
  budgets = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
  await bench.create(bench.cluster.names.fill('/apis/apiextensions.{domain}/v1/customresourcedefinitions'), {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: SCHEMA },
          subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        },
      ],
    },
  });
  await bench.until('/apis/example.com/v1', (list) => list.resources?.length > 0);
});
afterAll(() => bench.stop());

async function ownedPod(name: string, owner: Loose): Promise<void> {
  const { apiVersion, kind } = owner;
  await bench.create(PODS, {
    metadata: {
      ...{ name, labels: { app: owner.metadata.name } },
      ownerReferences: [{ apiVersion, kind, name: owner.metadata.name, uid: owner.metadata.uid, controller: true }],
    },
    spec: { containers: [{ name: 'c', image: 'nginx' }] },
  });
}

function budgetFor(app: string): Promise<Loose> {
  const spec = { maxUnavailable: 1, selector: { matchLabels: { app } } };
  return bench.create(budgets, { metadata: { name: app }, spec });
}

test('a budget counts the replicas of owners of any scalable kind', async () => {
  const widget = await bench.create(WIDGETS, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec: { replicas: 5 },
  });
  await ownedPod('w-1', widget);
  await ownedPod('w-2', widget);
  await budgetFor('w');
  const { status } = await bench.until(`${budgets}/w`, (budget) => budget.status.observedGeneration === 1);
  expect(status).toMatchObject({ expectedPods: 5, desiredHealthy: 4, currentHealthy: 0, disruptionsAllowed: 0 });
});

test.each([
  ['can not be scaled', 'd', 'NoControllers'],
  ['was replaced under its name', 'gone', 'NoControllers'],
])('a budget whose pods have an owner that %s reports it', async (_, name, reason) => {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  const owner =
    name === 'd'
      ? await bench.create(DAEMONS, { metadata: { name }, spec: { selector: { matchLabels: labels }, template } })
      : await bench.create(WIDGETS, {
          apiVersion: 'example.com/v1',
          kind: 'Widget',
          metadata: { name },
          spec: { replicas: 1 },
        });
  const uid = name === 'd' ? owner.metadata.uid : 'another';
  await ownedPod(`${name}-1`, { ...owner, metadata: { ...owner.metadata, uid } });
  await budgetFor(name);
  await bench.until('/api/v1/namespaces/default/events', (list) =>
    list.items.some((event: Loose) => event.reason === reason && event.involvedObject.name === name),
  );
});

test('budgets are reconciled sequentially without delay', async () => {
  const names = ['first', 'second', 'third'];
  const selector = { matchLabels: { app: 'nobody' } };
  for (const name of names) await bench.create(budgets, { metadata: { name }, spec: { minAvailable: 1, selector } });
  const seen = (list: Loose): boolean =>
    names.every((name) => list.items.find((b: Loose) => b.metadata.name === name)?.status.observedGeneration === 1);
  await bench.until(budgets, seen, 4_000);
});

test('a pod with two budgets causes a warning', async () => {
  const selector = { matchLabels: { app: 'shared' } };
  for (const name of ['one', 'other'])
    await bench.create(budgets, { metadata: { name }, spec: { minAvailable: 1, selector } });
  await bench.until(budgets, (list) => list.items.filter((b: Loose) => b.status.observedGeneration === 1).length >= 2);
  const containers = [{ name: 'c', image: 'nginx' }];
  await bench.create(PODS, { metadata: { name: 'shared', labels: { app: 'shared' } }, spec: { containers } });
  const events = '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dshared';
  await bench.until(events, (l) => l.items.some((e: Loose) => e.reason === 'MultiplePodDisruptionBudgets'));
});

test('a pod that leaves the selection does not wake the budget; its next selected pod does', async () => {
  const selector = { matchLabels: { app: 'leaving' } };
  const spec = { minAvailable: 1, selector };
  const podOf = (name: string): Loose => ({
    metadata: { name, labels: { app: 'leaving' } },
    spec: { containers: [{ name: 'c', image: 'nginx' }] },
  });
  const ready = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
  const healthy = (count: number): Promise<Loose> =>
    bench.until(`${budgets}/leaving`, (budget) => budget.status.currentHealthy === count);
  await bench.create(budgets, { metadata: { name: 'leaving' }, spec });
  for (const name of ['stays', 'leaves']) {
    await bench.create(PODS, podOf(name));
    await bench.patch(`${PODS}/${name}/status`, ready);
  }
  const before = await healthy(2);
  await bench.patch(`${PODS}/leaves`, { metadata: { labels: { app: 'elsewhere' } } });
  await bench.patch(`${PODS}/leaves`, { metadata: { annotations: { seen: 'again' } } });
  await bench.advance(1_000);
  expect((await bench.get(`${budgets}/leaving`)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  await bench.patch(`${PODS}/stays`, { metadata: { annotations: { seen: 'again' } } });
  await healthy(1);
});

test('a scaled owner does not wake the budget; its next changed pod does', async () => {
  const labels = { app: 'scaled' };
  const SETS = '/apis/apps/v1/namespaces/default/statefulsets';
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  const set = { serviceName: 's', replicas: 1, selector: { matchLabels: labels }, template };
  await bench.create(SETS, { metadata: { name: 'scaled' }, spec: set });
  await bench.until(`${PODS}/scaled-0`, (pod) => pod.kind === 'Pod');
  await budgetFor('scaled');
  await bench.until(`${budgets}/scaled`, (budget) => budget.status.expectedPods === 1);
  // In order, a second pod is made only when the first is ready.
  await bench.patch(`${SETS}/scaled`, { spec: { replicas: 2 } });
  await bench.until(`${SETS}/scaled`, (scaled) => scaled.status.observedGeneration === 2);
  await bench.advance(1_000);
  expect((await bench.get(`${budgets}/scaled`)).status.expectedPods).toBe(1);
  await bench.patch(`${PODS}/scaled-0`, { metadata: { annotations: { seen: 'again' } } });
  await bench.until(`${budgets}/scaled`, (budget) => budget.status.expectedPods === 2);
});
