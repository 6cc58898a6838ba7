/** Metrics of pods, of an object and from outside: how they are asked for, and what they propose. */
import { describe, expect, test } from 'vitest';
import { propose } from '../../../src/controllers/autoscaler/metrics.ts';
import { readMetrics, type MetricSpec, type Reading } from '../../../src/controllers/autoscaler/readings.ts';
import type { Measured } from '../../../src/controllers/autoscaler/replicas.ts';
import { namesOf } from '../../../src/names/index.ts';
import { status } from '../../../src/schema/index.ts';
import { at, readyPod, type PodTraits } from './objects.ts';

const selector = {
  matchLabels: { b: 'c', a: 'b' },
  matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }],
};
const printed =
  '&LabelSelector{MatchLabels:map[string]string{a: b,b: c,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}';

const ofPods = (averageValue: string, more: object = {}): MetricSpec =>
  ({ type: 'Pods', pods: { metric: { name: 'm', ...more }, target: { type: 'AverageValue', averageValue } } }) as never;
const ofObject = (target: object, described: object = { kind: 'Service', name: 's', apiVersion: 'v1' }): MetricSpec =>
  ({ type: 'Object', object: { describedObject: described, metric: { name: 'o' }, target } }) as never;
const fromOutside = (target: object, more: object = {}): MetricSpec =>
  ({ type: 'External', external: { metric: { name: 'e', ...more }, target } }) as never;

/** Pods, ready unless their traits say otherwise; `current` are wanted and `present` are there. */
function measured(
  traits: readonly PodTraits[],
  sizes: { current?: number; present?: number } = {},
): Omit<Measured, 'readings'> {
  const pods = traits.map((t, i) => readyPod(`p${i}`, t));
  const { current = pods.length, present = current } = sizes;
  const warmUp = { initialization: 300_000, readinessDelay: 30_000 };
  const served = new Error('not asked');
  return { pods, served, namespace: 'ns', current, present, tolerance: 0.1, now: at(60), warmUp };
}

const proposal = (metric: MetricSpec, reading: Reading, of: Omit<Measured, 'readings'>) =>
  propose(metric, { ...of, readings: new Map([[metric, reading]]) });
/** In thousandths; undefined where nothing is known of a pod. */
const perPod = (...values: (number | undefined)[]): Reading =>
  values.flatMap((value, i) => (value === undefined ? [] : [{ of: `p${i}`, value }]));
const outside = (...values: number[]): Reading => values.map((value) => ({ of: undefined, value }));
const ready = (count: number): PodTraits[] => Array.from({ length: count }, () => ({}));
const pending: PodTraits = { phase: 'Pending' };

describe('a metric of pods', () => {
  test.each<[string, Reading, PodTraits[], current: number, replicas: number]>([
    ['asks for as many as bring the average to the target', perPod(2000, 2000), ready(2), 2, 4],
    ['rounds up', perPod(1200, 1200, 1200), ready(3), 3, 4],
    ['asks for fewer where it is less', perPod(200, 200, 200, 200), ready(4), 4, 1],
    ['changes nothing within its tolerance', perPod(1090, 1090), ready(2), 2, 2],
    [
      'takes pods without a value as idle where it grows',
      perPod(4000, undefined, undefined, undefined),
      ready(4),
      4,
      4,
    ],
    [
      'takes pods without a value as idle where the others are just at the target',
      perPod(1000, 1000, undefined),
      ready(3),
      3,
      2,
    ],
    ['takes pods without a value as at the target where it shrinks', perPod(100, undefined, undefined), ready(3), 3, 3],
    ['takes pending pods as idle where it grows', perPod(2000, 2000), [...ready(2), pending], 3, 4],
    ['counts no pod that leaves', perPod(1000, 9000), [{}, { leaving: true }], 1, 1],
    ['counts no pod that has failed', perPod(1000, 9000), [{}, { phase: 'Failed' }], 1, 1],
    [
      'may grow beyond what is wanted where fewer are needed than are there',
      perPod(500, 500, 500, undefined),
      ready(4),
      2,
      3,
    ],
  ])('%s', (_, reading, traits, current, replicas) => {
    expect(proposal(ofPods('1'), reading, measured(traits, { current })).replicas).toBe(replicas);
  });

  test('reports the average', () => {
    const { name, status: told } = proposal(ofPods('1', { selector }), perPod(1000, 2500), measured(ready(2)));
    expect(name).toBe('pods metric m');
    expect(told).toEqual({
      type: 'Pods',
      pods: { metric: { name: 'm', selector }, current: { averageValue: '1750m' } },
    });
  });
});

describe.each<[string, (target: object) => MetricSpec]>([
  ['a metric of an object', ofObject],
  ['a metric from outside', fromOutside],
])('%s', (_, metric) => {
  test.each<[string, number, PodTraits[], current: number, replicas: number]>([
    ['as often its target as pods are ready', 6000, [...ready(2), { ready: false }, pending], 4, 4],
    ['below its target', 1000, ready(4), 4, 2],
    ['within the tolerance', 3290, ready(2), 5, 5],
    ['beyond the tolerance', 3400, ready(2), 2, 3],
    ['any, and there is no pod yet', 7000, [], 0, 3],
  ])('is %s', (_what, value, traits, current, replicas) => {
    const target = { type: 'Value', value: '3' };
    expect(proposal(metric(target), outside(value), measured(traits, { current })).replicas).toBe(replicas);
  });

  test.each<[string, number, present: number, replicas: number]>([
    ['gives each pod its share', 9000, 2, 3],
    ['rounds up', 7000, 2, 3],
    ['changes nothing within the tolerance', 6500, 2, 2],
    ['counts the pods that are there, not those that are wanted', 6000, 3, 2],
  ])('%s by the average', (_what, value, present, replicas) => {
    const target = { type: 'AverageValue', averageValue: '3' };
    const of = measured(ready(1), { current: 9, present });
    expect(proposal(metric(target), outside(value), of).replicas).toBe(replicas);
  });
});

test.each<[string, MetricSpec, name: string, told: object]>([
  [
    'an object',
    ofObject({ value: '3' }),
    'Service metric o',
    {
      describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
      metric: { name: 'o' },
      current: { value: '3500m' },
    },
  ],
  [
    'an object by the average, without its name as in the reference',
    ofObject({ averageValue: '3' }),
    'external metric o(nil)',
    { describedObject: { kind: '', name: '' }, metric: { name: 'o' }, current: { averageValue: '1750m' } },
  ],
  [
    'what is outside',
    fromOutside({ value: '3' }),
    'external metric e(nil)',
    { metric: { name: 'e' }, current: { value: '3500m' } },
  ],
  [
    'what is outside by the average',
    fromOutside({ averageValue: '3' }, { selector }),
    `external metric e(${printed})`,
    { metric: { name: 'e', selector }, current: { averageValue: '1750m' } },
  ],
])('the value of %s is reported', (_, metric, name, told) => {
  const of = metric.type === 'Object' ? [{ of: 's', value: 3500 }] : outside(1500, 2000);
  const proposed = proposal(metric, of, measured(ready(2)));
  expect(proposed.name).toBe(name);
  expect(Object.values(proposed.status)).toContainEqual(told);
});

describe('an unavailable metric', () => {
  const why = new Error('nobody knows');
  test.each<[what: string, metric: MetricSpec, reason: string, message: string, where: string]>([
    [
      'of pods',
      ofPods('1'),
      'FailedGetPodsMetric',
      'unable to get metric m: nobody knows',
      'failed to get pods metric value',
    ],
    [
      'of an object, by its value',
      ofObject({ value: '1' }),
      'FailedGetObjectMetric',
      'unable to get metric o: Service on ns s/nobody knows',
      'failed to get object metric value',
    ],
    [
      'of an object, by the average',
      ofObject({ averageValue: '1' }),
      'FailedGetObjectMetric',
      'unable to get metric o: Service on ns s/nobody knows',
      'failed to get object metric value: failed to get o object metric',
    ],
    [
      'from outside, by its value',
      fromOutside({ value: '1' }),
      'FailedGetExternalMetric',
      'unable to get external metric ns/e/nil: nobody knows',
      'failed to get external metric e',
    ],
    [
      'from outside, by the average of what is selected',
      fromOutside({ averageValue: '1' }, { selector }),
      'FailedGetExternalMetric',
      `unable to get external metric ns/e/${printed}: nobody knows`,
      'failed to get e external metric',
    ],
  ])('%s is reported as in the reference', (_, metric, reason, message, where) => {
    const told = expect.objectContaining({ reason, message, summary: `${where}: ${message}` }) as Error;
    expect(() => proposal(metric, why, measured(ready(1)))).toThrow(told);
  });

  test.each<[string, MetricSpec, Reading, string]>([
    [
      'of pods where there are none',
      ofPods('1'),
      perPod(1000),
      'no pods returned by selector while calculating replica count',
    ],
    [
      'of an object where there is no pod to multiply',
      ofObject({ value: '1' }),
      outside(5000),
      'unable to calculate ready pods: no pods returned by selector while calculating replica count',
    ],
  ])('%s', (_, metric, reading, message) => {
    expect(() => proposal(metric, reading, measured([], { current: 2 }))).toThrow(message);
  });
});

describe('the metrics APIs', () => {
  const GROUP = 'custom.metrics.k8s.io';
  const served = (versions: readonly string[], preferred = versions[0]): object => ({
    groups: [
      { name: GROUP, versions: versions.map((version) => ({ version })), preferredVersion: { version: preferred } },
    ],
  });

  /** What is asked of a server that answers `/apis` with `apis` and everything else with `items`; and the reading. */
  async function asked(
    metric: MetricSpec,
    apis: object,
    items: readonly object[] | Error,
  ): Promise<[string[], Reading]> {
    const paths: string[] = [];
    const json = (path: string, { query = {} }: { query?: object } = {}): Promise<unknown> => {
      if (path === '/apis') return Promise.resolve(apis);
      paths.push([path, ...Object.entries(query).map(([key, text]) => `${key}=${text as string}`)].join(' '));
      return items instanceof Error ? Promise.reject(items) : Promise.resolve({ items });
    };
    const resourceInGroup = (group: string, kind: string): Promise<{ resource: string }> =>
      kind === 'Nope'
        ? Promise.reject(new Error(`no matches for kind "${kind}" in group "${group}"`))
        : Promise.resolve({ resource: `${kind.toLowerCase()}s` });
    const reader = { client: { json, names: namesOf('k8s.io') }, served: { resourceInGroup }, namespace: 'ns' };
    const readings = await readMetrics({ ...reader, podSelector: 'app=web' }, [metric]);
    return [paths, readings.get(metric) as Reading];
  }

  const BETA2 = `/apis/${GROUP}/v1beta2/namespaces/ns`;
  const one = [{ describedObject: { name: 's' }, value: '2500m' }];
  test.each<[string, MetricSpec, apis: object, path: string]>([
    ['pods, all that the target selects', ofPods('1'), served(['v1beta2']), `${BETA2}/pods/*/m labelSelector=app=web`],
    [
      'pods, of some of the values',
      ofPods('1', { selector: { matchLabels: { a: 'b' } } }),
      served(['v1beta2']),
      `${BETA2}/pods/*/m metricLabelSelector=a=b labelSelector=app=web`,
    ],
    ['an object', ofObject({ value: '1' }), served(['v1beta2']), `${BETA2}/services/s/o`],
    [
      'an object of a group',
      ofObject({ value: '1' }, { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }),
      served(['v1beta2']),
      `${BETA2}/deployments.apps/d/o`,
    ],
    [
      'its own namespace',
      ofObject({ value: '1' }, { kind: 'Namespace', name: 'other' }),
      served(['v1beta2']),
      `${BETA2}/metrics/o`,
    ],
    [
      'the version that is preferred',
      ofObject({ value: '1' }),
      served(['v1beta2', 'v1beta1'], 'v1beta1'),
      `/apis/${GROUP}/v1beta1/namespaces/ns/services/s/o`,
    ],
    ['a version that is known', ofObject({ value: '1' }), served(['v7', 'v1beta2']), `${BETA2}/services/s/o`],
    [
      'what is outside',
      fromOutside({ value: '1' }, { selector: { matchLabels: { a: 'b' } } }),
      {},
      '/apis/external.metrics.k8s.io/v1beta1/namespaces/ns/e labelSelector=a=b',
    ],
  ])('are queried for %s', async (_, metric, apis, path) => {
    const [paths, reading] = await asked(metric, apis, one);
    expect(paths).toEqual([path]);
    expect(reading).toEqual([{ of: 's', value: 2500 }]);
  });

  test('are discovered once, however many metrics are read', async () => {
    const paths: string[] = [];
    const json = (path: string): Promise<unknown> => {
      paths.push(path);
      return Promise.resolve(path === '/apis' ? served(['v1beta2']) : { items: one });
    };
    const resourceInGroup = (): Promise<{ resource: string }> => Promise.resolve({ resource: 'services' });
    const reader = { client: { json, names: namesOf('k8s.io') }, served: { resourceInGroup }, namespace: 'ns' };
    await readMetrics({ ...reader, podSelector: 'app=web' }, [ofPods('1'), ofObject({ value: '1' })]);
    expect(paths.filter((path) => path === '/apis')).toHaveLength(1);
    expect(paths).toHaveLength(3);
  });

  const missing = status.failure(404, 'NotFound', 'gone');
  const CUSTOM = 'unable to fetch metrics from custom metrics API';
  const OUTSIDE = 'unable to fetch metrics from external metrics API';
  const nope = { kind: 'Nope', name: 'n', apiVersion: 'extra/v1' };
  test.each<[string, MetricSpec, apis: object, items: readonly object[] | Error, message: string]>([
    ['are not served', ofPods('1'), { groups: [] }, [], `${CUSTOM}: no custom metrics API (${GROUP}) registered`],
    [
      'are served at unknown versions',
      ofPods('1'),
      served(['v7']),
      [],
      `${CUSTOM}: no known available metric versions found`,
    ],
    ['know nothing of pods', ofPods('1'), served(['v1beta2']), [], 'no metrics returned from custom metrics API'],
    [
      'know nothing of what is outside',
      fromOutside({ value: '1' }),
      {},
      [],
      'no metrics returned from external metrics API',
    ],
    [
      'know several values of an object',
      ofObject({ value: '1' }),
      served(['v1beta2']),
      [...one, ...one],
      `${CUSTOM}: the custom metrics API server returned 2 results when we asked for exactly one`,
    ],
    [
      'are asked for an unknown kind',
      ofObject({ value: '1' }, nope),
      served(['v1beta2']),
      one,
      `${CUSTOM}: unable to map kind Nope.extra to resource: no matches for kind "Nope" in group "extra"`,
    ],
    [
      'do not find an object',
      ofObject({ value: '1' }),
      served(['v1beta2']),
      missing,
      `${CUSTOM}: the server could not find the requested resource (get services.${GROUP} s)`,
    ],
    [
      'do not find what is outside',
      fromOutside({ value: '1' }),
      {},
      missing,
      `${OUTSIDE}: the server could not find the requested resource (get e.external.metrics.k8s.io)`,
    ],
    ['refuse', ofPods('1'), served(['v1beta2']), new Error('you may not'), `${CUSTOM}: you may not`],
  ])('%s', async (_, metric, apis, items, message) => {
    const [, reading] = await asked(metric, apis, items);
    expect(reading).toEqual(new Error(message));
  });
});
