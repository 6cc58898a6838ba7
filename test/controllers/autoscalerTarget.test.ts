import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, deployment, type Loose } from './bench.ts';

const AUTOSCALERS = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({
    apiserver: ['--authorization-mode=Node,RBAC'],
    controllerManager: ['--use-service-account-credentials=true'],
  });
  await bench.create('/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
});
afterAll(() => bench.stop());

async function able(name: string, target: object, metrics: readonly object[] = []): Promise<Loose> {
  const spec = { scaleTargetRef: { name: 'web', ...target }, maxReplicas: 4, metrics };
  await bench.create(AUTOSCALERS, { metadata: { name }, spec });
  const told = await bench.until(`${AUTOSCALERS}/${name}`, ({ status }) => status.conditions?.length > 0);
  return told.status.conditions;
}

test.each([
  ['any version of its group', { apiVersion: 'apps/v9', kind: 'Deployment' }, 'True', /was able/],
  ['no other group', { apiVersion: 'extra/v1', kind: 'Deployment' }, 'False', /"Deployment" in group "extra"$/],
  ['a kind of the group', { apiVersion: 'v1', kind: 'Nope' }, 'False', /no matches for kind "Nope" in group ""$/],
])('a target is found at %s', async (what, target, status, message) => {
  const [condition] = await able(what.replaceAll(' ', '-'), target);
  expect(condition).toMatchObject({ type: 'AbleToScale', status });
  expect(condition.message).toMatch(message);
});

test('a forbidden external metric is requested and reported', async () => {
  const metric = { type: 'External', external: { metric: { name: 'e' }, target: { type: 'Value', value: '3' } } };
  const conditions = await able('outside', { apiVersion: 'apps/v1', kind: 'Deployment' }, [metric]);
  const active = conditions.find(({ type }: Loose) => type === 'ScalingActive');
  expect(active.reason).toBe('FailedGetExternalMetric');
  expect(active.message).toMatch(/metrics API: e\.external\.metrics\.\S+ is forbidden: User "system:serviceaccount:/);
});

test('pod and object metrics are found by discovery', async () => {
  const pods = { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } } };
  const conditions = await able('inside', { apiVersion: 'apps/v1', kind: 'Deployment' }, [pods]);
  const active = conditions.find(({ type }: Loose) => type === 'ScalingActive');
  expect(active.reason).toBe('FailedGetPodsMetric');
  expect(active.message).toBe(
    'the HPA was unable to compute the replica count: unable to get metric m: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.cluster.io) registered',
  );
});

test('a status is written in v1, so its field owner has the conditions as an annotation', async () => {
  await able('owned', { apiVersion: 'apps/v1', kind: 'Nope' });
  const { metadata } = await bench.get(`${AUTOSCALERS}/owned`);
  const entry = metadata.managedFields.find(({ manager }: Loose) => manager.endsWith('controller-manager'));
  expect(entry.apiVersion).toBe('autoscaling/v1');
  const annotations = { 'f:autoscaling.alpha.cluster.io/conditions': {} };
  expect(entry.fieldsV1['f:metadata']['f:annotations']).toMatchObject(annotations);
});
