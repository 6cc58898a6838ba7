/** An autoscaler without readings: bounds, targets that can't be read or resized, and what it says of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, deployment, template, type Loose } from './bench.ts';

const AUTOSCALERS = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.stop());

async function told(name: string): Promise<string[][]> {
  await bench.advance(200);
  const events = await bench.items('/api/v1/namespaces/default/events');
  return events
    .filter((e) => e.involvedObject.name === name && e.involvedObject.kind === 'HorizontalPodAutoscaler')
    .map((e) => [e.type, e.reason, e.message]);
}

/** An autoscaler of a deployment of the same name; when it has looked at it. */
async function scaled(name: string, replicas: number, bounds: object): Promise<Loose> {
  await bench.create(DEPLOYMENTS, deployment(name, replicas));
  await bench.until(`${DEPLOYMENTS}/${name}`, ({ status }) => status.observedGeneration === 1);
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
  await bench.create(AUTOSCALERS, { metadata: { name }, spec: { scaleTargetRef, maxReplicas: 5, ...bounds } });
  return bench.until(`${AUTOSCALERS}/${name}`, ({ status }) => status.conditions?.length > 0);
}

const conditions = ({ status }: Loose): string[][] =>
  status.conditions.map((c: Loose) => [c.type, c.status, c.reason, c.message]);
const FOUND = [
  'AbleToScale',
  'True',
  'SucceededGetScale',
  "the HPA controller was able to get the target's current scale",
];

test.each([
  ['above the maximum', 'over', 8, {}, 5, 'Current number of replicas above Spec.MaxReplicas'],
  ['below the minimum', 'under', 1, { minReplicas: 3 }, 3, 'Current number of replicas below Spec.MinReplicas'],
])('a target %s is scaled', async (_what, name, replicas, bounds, expected, why) => {
  const { status } = await scaled(name, replicas, bounds);
  expect((await bench.get(`${DEPLOYMENTS}/${name}`)).spec.replicas).toBe(expected);
  expect(status).toMatchObject({ currentReplicas: replicas, desiredReplicas: expected });
  expect(status.lastScaleTime).toMatch(/^\d{4}-/);
  const message = `the HPA controller was able to update the target scale to ${expected}`;
  expect(conditions({ status })).toEqual([['AbleToScale', 'True', 'SucceededRescale', message]]);
  expect(await told(name)).toContainEqual(['Normal', 'SuccessfulRescale', `New size: ${expected}; reason: ${why}`]);
});

test('a target scaled to zero is not changed', async () => {
  const { status } = await scaled('off', 0, {});
  const disabled = 'scaling is disabled since the replica count of the target is zero';
  expect(conditions({ status })).toEqual([FOUND, ['ScalingActive', 'False', 'ScalingDisabled', disabled]]);
  expect(status).toMatchObject({ currentReplicas: 0, desiredReplicas: 0 });
  await bench.advance(40_000, 1000);
  expect((await bench.get(`${DEPLOYMENTS}/off`)).spec.replicas).toBe(0);
  expect(await told('off')).toEqual([]);
});

test('a target within its bounds but without metrics keeps its size', async () => {
  const name = 'quiet';
  const { status } = await scaled(name, 3, { minReplicas: 2 });
  const [able, active, ...others] = conditions({ status });
  expect([able, others]).toEqual([FOUND, []]);
  expect(active?.slice(0, 3)).toEqual(['ScalingActive', 'False', 'FailedGetResourceMetric']);
  expect(active?.[3]).toMatch(
    /^the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: /,
  );
  expect(status).toMatchObject({ currentReplicas: 3, desiredReplicas: 0 });
  const events = await told(name);
  expect(events.map(([type, reason]) => [type, reason])).toEqual([
    ['Warning', 'FailedGetResourceMetric'],
    ['Warning', 'FailedComputeMetricsReplicas'],
  ]);
  expect(events[1]?.[2]).toMatch(
    /^invalid metrics \(1 invalid out of 1\), first error is: failed to get cpu utilization: /,
  );
});

test('a target is checked once in each period of fifteen seconds', async () => {
  await scaled('again', 8, {});
  const resize = (replicas: number): Promise<Loose> => bench.patch(`${DEPLOYMENTS}/again`, { spec: { replicas } });
  await resize(9);
  await bench.advance(10_000, 1000);
  expect((await bench.get(`${DEPLOYMENTS}/again`)).spec.replicas).toBe(9);
  await bench.until(`${DEPLOYMENTS}/again`, ({ spec }) => spec.replicas === 5, 10_000);
});

const UNREADABLE =
  "couldn't convert selector into a corresponding internal selector object: " +
  "unable to parse requirement: found '', expected: ',', ')' or identifier";

test.each([
  ['is empty', '', 'SelectorRequired', 'selector is required', "the HPA target's scale is missing a selector"],
  ['can not be read', 'a in (', 'InvalidSelector', UNREADABLE, UNREADABLE],
])('a target whose selector %s has no metrics', async (_what, selector, reason, message, condition) => {
  const name = reason.toLowerCase();
  const scale = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  };
  const plural = `${name}s`;
  await bench.create('/apis/apiextensions.cluster.io/v1/customresourcedefinitions', {
    metadata: { name: `${plural}.extra.io` },
    spec: {
      group: 'extra.io',
      scope: 'Namespaced',
      names: { plural, singular: name, kind: reason },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true, subresources: { scale } },
          schema: { openAPIV3Schema: { type: 'object', 'x-cluster-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  const path = `/apis/extra.io/v1/namespaces/default/${plural}`;
  await bench.until(path, ({ kind }) => kind === `${reason}List`);
  await bench.create(path, {
    ...{ apiVersion: 'extra.io/v1', kind: reason, metadata: { name } },
    ...{ spec: { replicas: 2 }, status: { replicas: 2, selector } },
  });
  const scaleTargetRef = { apiVersion: 'extra.io/v1', kind: reason, name };
  await bench.create(AUTOSCALERS, { metadata: { name }, spec: { scaleTargetRef, maxReplicas: 5 } });
  const { status } = await bench.until(`${AUTOSCALERS}/${name}`, (now) => now.status.conditions?.length > 1);
  expect(conditions({ status })).toEqual([FOUND, ['ScalingActive', 'False', 'InvalidSelector', condition]]);
  expect(await told(name)).toEqual([
    ['Warning', reason, message],
    ['Warning', 'FailedComputeMetricsReplicas', message],
  ]);
});

test('a target whose API version has no group and version is reported', async () => {
  const scaleTargetRef = { apiVersion: 'a/b/c', kind: 'Deployment', name: 'odd' };
  await bench.create(AUTOSCALERS, { metadata: { name: 'odd' }, spec: { scaleTargetRef, maxReplicas: 5 } });
  const { status } = await bench.until(`${AUTOSCALERS}/odd`, (now) => now.status.conditions?.length > 0);
  const message = 'unexpected GroupVersion string: a/b/c';
  expect(conditions({ status })[0]?.slice(2)).toEqual([
    'FailedGetScale',
    `the HPA controller was unable to get the target's current scale: ${message}`,
  ]);
  expect(await told('odd')).toEqual([['Warning', 'FailedGetScale', message]]);
});

test('a missing target is reported', async () => {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'gone' };
  await bench.create(AUTOSCALERS, { metadata: { name: 'gone' }, spec: { scaleTargetRef, maxReplicas: 5 } });
  const { status } = await bench.until(`${AUTOSCALERS}/gone`, (now) => now.status.conditions?.length > 0);
  const message = 'deployments/scale.apps "gone" not found';
  expect(conditions({ status })).toEqual([
    [
      'AbleToScale',
      'False',
      'FailedGetScale',
      `the HPA controller was unable to get the target's current scale: ${message}`,
    ],
  ]);
  expect(await told('gone')).toEqual([['Warning', 'FailedGetScale', message]]);
  // It is found once it comes, and the condition says since when.
  await bench.advance(5000, 1000);
  await bench.create(DEPLOYMENTS, {
    ...deployment('gone', 7),
    spec: { ...deployment('gone', 7).spec, template: template({ app: 'gone' }) },
  });
  const later = await bench.until(`${AUTOSCALERS}/gone`, (now) => now.status.conditions[0].status === 'True');
  expect(later.status.conditions[0].lastTransitionTime > status.conditions[0].lastTransitionTime).toBe(true);
});
