/** What the autoscaler writes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deployments, horizontalPodAutoscalers as autoscalers, pods } from '../../../src/client/index.ts';
import { Lab, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
  lab.server.serve(deployments, ['scale']);
});
afterEach(() => lab.stop());

const labels = { app: 'web' };
const autoscaler = (spec: Loose = {}, more: Loose = {}): Loose => ({
  metadata: { name: 'h', namespace: 'ns', ...more.metadata },
  spec: {
    ...{ scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 1, maxReplicas: 10 },
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
    ...spec,
  },
  status: { currentReplicas: 0, desiredReplicas: 0, ...more.status },
});
/** A deployment with that many pods, each of which uses so much of its request of one CPU. */
function target(replicas: number, cpu: string | undefined, selector = 'app=web'): void {
  lab.server.put(deployments, {
    metadata: { name: 'web', namespace: 'ns' },
    spec: { replicas },
    status: { replicas, selector },
  });
  for (let i = 0; i < replicas; i++)
    lab.server.put(pods, {
      metadata: {
        name: `p${i}`,
        namespace: 'ns',
        labels,
        creationTimestamp: minute(-60),
        annotations: cpu === undefined ? {} : { 'simulation.vitrine.dev/cpu': cpu },
      },
      spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
      status: {
        phase: 'Running',
        startTime: minute(-60),
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: minute(-50) }],
      },
    });
}
const start = async (...flags: string[]): Promise<void> => {
  await lab.start(['horizontalpodautoscaling'], { flags });
  await lab.pass(15);
};
const sizeOf = (): number => lab.server.get(deployments, 'ns/web').spec.replicas;
/** What was written of the status: in v1, where conditions are an annotation. */
async function written(): Promise<{ status: Loose; conditions: string[]; resized: Loose[] }> {
  const writes = await lab.writes();
  const own = writes.filter(({ path }) => path.includes('autoscalers')).at(-1)?.body as Loose;
  const text =
    Object.entries<string>(own?.metadata.annotations ?? {}).find(([key]) => key.endsWith('conditions'))?.[1] ?? '[]';
  return {
    status: own?.status,
    conditions: JSON.parse(text).map(
      ({ type, status, reason, message }: Loose) => `${type} ${status} ${reason}: ${message}`,
    ),
    resized: writes.filter(({ path }) => path.endsWith('scale')).map(({ path, body }) => [path, body.spec]),
  };
}

test('a target above its usage grows, at most by its doubled size or four', async () => {
  target(2, '800m');
  lab.server.put(autoscalers, autoscaler());
  await lab.start(['horizontalpodautoscaling']);
  await lab.pass(14);
  expect(await lab.requests()).toEqual([]);
  await lab.pass(1);
  const { status, conditions, resized } = await written();
  expect(resized).toEqual([['namespaces/ns/deployments/web/scale', { replicas: 4 }]]);
  expect(status).toEqual({
    currentCPUUtilizationPercentage: 80,
    currentReplicas: 2,
    desiredReplicas: 4,
    lastScaleTime: '2026-01-01T12:00:15Z',
  });
  expect(conditions).toEqual([
    'AbleToScale True SucceededRescale: the HPA controller was able to update the target scale to 4',
    'ScalingActive True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
    'ScalingLimited False DesiredWithinRange: the desired count is within the acceptable range',
  ]);
  expect(await lab.events()).toEqual([
    'HorizontalPodAutoscaler ns/h: Normal SuccessfulRescale New size: 4; reason: cpu resource utilization (percentage of request) above target',
  ]);
});

test('a target below its usage shrinks after five minutes', async () => {
  target(4, '100m');
  lab.server.put(autoscalers, autoscaler());
  await start();
  expect(sizeOf()).toBe(4);
  expect((await written()).conditions).toEqual([
    'AbleToScale True ScaleDownStabilized: recent recommendations were higher than current one, applying the highest recent recommendation',
    'ScalingActive True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
    'ScalingLimited False DesiredWithinRange: the desired count is within the acceptable range',
  ]);
  await lab.pass(330);
  expect(sizeOf()).toBe(1);
  expect(await lab.events()).toEqual([
    'HorizontalPodAutoscaler ns/h: Normal SuccessfulRescale New size: 1; reason: All metrics below target',
  ]);
});

test('a target at its usage stays', async () => {
  target(2, '500m');
  lab.server.put(autoscalers, autoscaler());
  await start();
  const { status, conditions, resized } = await written();
  expect([resized, await lab.events()]).toEqual([[], []]);
  expect([status, conditions]).toEqual([
    {
      currentCPUUtilizationPercentage: 50,
      currentReplicas: 2,
      desiredReplicas: 2,
    },
    [
      'AbleToScale True ReadyForNewScale: recommended size matches current size',
      'ScalingActive True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
      'ScalingLimited False DesiredWithinRange: the desired count is within the acceptable range',
    ],
  ]);
});

test.each<[string, size: number, spec: Loose, expected: number, event: string]>([
  [
    'above its bounds',
    5,
    { maxReplicas: 3 },
    3,
    'New size: 3; reason: Current number of replicas above Spec.MaxReplicas',
  ],
  [
    'below its bounds',
    1,
    { minReplicas: 2 },
    2,
    'New size: 2; reason: Current number of replicas below Spec.MinReplicas',
  ],
])('a target %s is brought into them', async (_, size, spec, expected, event) => {
  target(size, '500m');
  lab.server.put(autoscalers, autoscaler(spec));
  await start();
  expect(sizeOf()).toBe(expected);
  expect(await lab.events()).toEqual([`HorizontalPodAutoscaler ns/h: Normal SuccessfulRescale ${event}`]);
  expect((await written()).conditions).toEqual([
    `AbleToScale True SucceededRescale: the HPA controller was able to update the target scale to ${expected}`,
  ]);
});

test('a target without replicas is left alone', async () => {
  target(0, undefined);
  lab.server.put(autoscalers, autoscaler());
  await start();
  const { status, conditions, resized } = await written();
  expect([resized, status, conditions]).toEqual([
    [],
    {
      currentReplicas: 0,
      desiredReplicas: 0,
    },
    [
      "AbleToScale True SucceededGetScale: the HPA controller was able to get the target's current scale",
      'ScalingActive False ScalingDisabled: scaling is disabled since the replica count of the target is zero',
    ],
  ]);
});

describe('an autoscaler that can not do its work says so', () => {
  const noScale = "AbleToScale False FailedGetScale: the HPA controller was unable to get the target's current scale: ";
  const selectors = "couldn't convert selector into a corresponding internal selector object: ";
  test.each<[string, prepare: () => void, event: string, condition: string]>([
    ['without its target', () => undefined, 'FailedGetScale NotFound', `${noScale}NotFound`],
    [
      'where the target has an unknown kind',
      () => lab.server.change(autoscalers, 'ns/h', { spec: { scaleTargetRef: { kind: 'Robot' } } }),
      'FailedGetScale no matches for kind "Robot" in group "apps"',
      `${noScale}no matches for kind "Robot" in group "apps"`,
    ],
    [
      'where the version of the target is none',
      () => lab.server.change(autoscalers, 'ns/h', { spec: { scaleTargetRef: { apiVersion: 'a/b/c' } } }),
      'FailedGetScale unexpected GroupVersion string: a/b/c',
      `${noScale}unexpected GroupVersion string: a/b/c`,
    ],
    [
      'without a selector',
      () => target(2, '800m', ''),
      'FailedComputeMetricsReplicas selector is required',
      "ScalingActive False InvalidSelector: the HPA target's scale is missing a selector",
    ],
    [
      'with an invalid selector',
      () => target(2, '800m', '!!'),
      `FailedComputeMetricsReplicas ${selectors}unable to parse requirement: found '!', expected: identifier`,
      `ScalingActive False InvalidSelector: ${selectors}unable to parse requirement: found '!', expected: identifier`,
    ],
    [
      'without any usage',
      () => target(2, undefined),
      'FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API',
      'ScalingActive False FailedGetResourceMetric: the HPA was unable to compute the replica count: ',
    ],
    [
      'where the target can not be resized',
      () => {
        target(2, '800m');
        lab.server.refuse('PUT', /scale/, 403, 'Forbidden');
      },
      'FailedRescale New size: 4; reason: cpu resource utilization (percentage of request) above target; error: Forbidden',
      'AbleToScale False FailedUpdateScale: the HPA controller was unable to update the target scale: Forbidden',
    ],
  ])('%s', async (_, prepare, event, condition) => {
    lab.server.put(autoscalers, autoscaler());
    prepare();
    await start();
    expect((await lab.events()).at(-1)).toBe(`HorizontalPodAutoscaler ns/h: Warning ${event}`);
    const { status, conditions } = await written();
    expect(conditions.join('\n')).toContain(condition);
    expect(status.desiredReplicas).toBe(0);
  });
});

test('one metric of two is enough to grow, and the other is reported', async () => {
  target(2, '800m');
  const missing = {
    type: 'Resource',
    resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } },
  };
  const [cpu] = autoscaler().spec.metrics;
  lab.server.put(autoscalers, autoscaler({ metrics: [missing, cpu] }));
  await start();
  expect(sizeOf()).toBe(4);
  expect(await lab.events()).toEqual([
    'HorizontalPodAutoscaler ns/h: Warning FailedGetResourceMetric failed to get memory utilization: unable to get metrics for resource memory: no metrics returned from resource metrics API',
    'HorizontalPodAutoscaler ns/h: Normal SuccessfulRescale New size: 4; reason: cpu resource utilization (percentage of request) above target',
  ]);
});

test('an autoscaler that is gone is forgotten', async () => {
  target(2, '800m');
  lab.server.put(autoscalers, autoscaler());
  await lab.start(['horizontalpodautoscaling']);
  lab.server.remove(autoscalers, 'ns/h');
  await lab.pass(30);
  expect(await lab.requests()).toEqual([]);
});
