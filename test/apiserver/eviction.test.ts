/** Which evictions are refused before and by disruption budgets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PodDisruptionBudget } from '../../src/client/index.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import { asRoot, Call, smallCluster } from './flowCluster.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
let cluster: Cluster;

/** Its clock stands still, and with it its controllers: no budget is counted. */
beforeAll(async () => {
  cluster = await smallCluster('--disable-admission-plugins=ServiceAccount');
});
afterAll(() => cluster.stop());

async function runningPod(name: string, labels: Record<string, string>, ready = 'True'): Promise<void> {
  const containers = [{ name: 'c', image: 'i' }];
  await asRoot(cluster, 'POST', PODS, { metadata: { name, labels }, spec: { containers, nodeName: 'n' } });
  const pod = (await asRoot(cluster, 'GET', `${PODS}/${name}`)) as object;
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] };
  await asRoot(cluster, 'PUT', `${PODS}/${name}/status`, { ...pod, status });
}

/** The code of the answer, and why, where it says so. */
async function evict(name: string, metadata: object = { name }): Promise<unknown> {
  const body = JSON.stringify({ apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata });
  const { answered } = new Call(cluster, 'root', `${PODS}/${name}/eviction`, { method: 'POST', body });
  const { code, details } = (await (await answered).json()) as Answer;
  return details?.causes ? [code, details.causes.map(({ reason }) => reason), details.retryAfterSeconds] : code;
}

interface Answer {
  readonly code: number;
  readonly details?: { readonly causes?: readonly { readonly reason: string }[]; readonly retryAfterSeconds?: number };
}

test('an eviction has to name its pod', async () => {
  await runningPod('named', {});
  expect(await evict('named', {})).toBe(400);
  expect(await evict('named', { name: 'other' })).toBe(400);
  expect(await evict('named')).toBe(201);
});

test('invalid options are refused if the pod exists; a missing pod is reported as missing', async () => {
  await runningPod('optioned', {});
  const withOptions = async (name: string): Promise<number> => {
    const deleteOptions = { propagationPolicy: 'Sideways' };
    const eviction = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name }, deleteOptions };
    const init = { method: 'POST', body: JSON.stringify(eviction) };
    return (await new Call(cluster, 'root', `${PODS}/${name}/eviction`, init).answered).status;
  };
  expect(await withOptions('missing')).toBe(404);
  expect(await withOptions('optioned')).toBe(422);
  expect(await asRoot(cluster, 'GET', `${PODS}/optioned`)).toMatchObject({ kind: 'Pod' });
});

test('a budget with an empty selector covers nothing, and one without a status allows nothing', async () => {
  await asRoot(cluster, 'POST', BUDGETS, { metadata: { name: 'all' }, spec: { minAvailable: 5, selector: {} } });
  await runningPod('free', { app: 'x' });
  expect(await evict('free')).toBe(201);
  const selector = { matchLabels: { app: 'y' } };
  await asRoot(cluster, 'POST', BUDGETS, { metadata: { name: 'some' }, spec: { minAvailable: 5, selector } });
  await runningPod('held', { app: 'y' });
  expect(await evict('held')).toEqual([429, ['DisruptionBudget'], undefined]);
});

test('an unready pod does not use a budget if enough others are healthy', async () => {
  const selector = { matchLabels: { app: 'z' } };
  await asRoot(cluster, 'POST', BUDGETS, { metadata: { name: 'spare' }, spec: { minAvailable: 2, selector } });
  const count = async (currentHealthy: number, desiredHealthy = 2): Promise<void> => {
    const budget = (await asRoot(cluster, 'GET', `${BUDGETS}/spare`)) as object;
    const counted = { observedGeneration: 1, disruptionsAllowed: 0, expectedPods: 3, currentHealthy, desiredHealthy };
    await asRoot(cluster, 'PUT', `${BUDGETS}/spare/status`, { ...budget, status: counted });
  };
  const refused = [429, ['DisruptionBudget'], undefined];
  for (const [name, ready] of [
    ['ready', 'True'],
    ['unready', 'False'],
  ] as const)
    await runningPod(name, { app: 'z' }, ready);
  await count(1);
  expect([await evict('ready'), await evict('unready')]).toEqual([refused, refused]);
  await count(0, 0);
  expect(await evict('unready')).toEqual(refused);
  await count(2);
  expect([await evict('ready'), await evict('unready')]).toEqual([refused, 201]);
});

test('the API server owns what an eviction writes into the budget', async () => {
  const selector = { matchLabels: { app: 'owned' } };
  await asRoot(cluster, 'POST', BUDGETS, { metadata: { name: 'owned' }, spec: { minAvailable: 1, selector } });
  await runningPod('owned', { app: 'owned' });
  const budget = (await asRoot(cluster, 'GET', `${BUDGETS}/owned`)) as object;
  const counted = {
    observedGeneration: 1,
    disruptionsAllowed: 1,
    expectedPods: 2,
    currentHealthy: 2,
    desiredHealthy: 1,
  };
  await asRoot(cluster, 'PUT', `${BUDGETS}/owned/status`, { ...budget, status: counted });
  expect(await evict('owned')).toBe(201);
  const { metadata } = (await asRoot(cluster, 'GET', `${BUDGETS}/owned`)) as PodDisruptionBudget;
  const entry = metadata.managedFields?.find(({ manager }) => manager === 'kube-apiserver');
  expect(entry?.fieldsV1).toEqual({
    'f:status': { 'f:disruptedPods': { '.': {}, 'f:owned': {} }, 'f:disruptionsAllowed': {} },
  });
});
