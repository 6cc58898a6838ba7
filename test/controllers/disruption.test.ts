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

test('a budget counts the replicas of owners of any kind that can be scaled', async () => {
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
  ['can not be scaled', 'd', 'CalculateExpectedPodCountFailed'],
  ['was replaced under its name', 'gone', 'NoControllers'],
])('a budget whose pods have an owner that %s says so', async (_, name, reason) => {
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
