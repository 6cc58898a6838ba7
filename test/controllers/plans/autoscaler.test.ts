import { describe, expect, test } from 'vitest';
import type { HorizontalPodAutoscaler } from '../../../src/client/index.ts';
import { propose } from '../../../src/controllers/autoscaler/metrics.ts';
import {
  decide,
  firstMemory,
  withChange,
  withRecommendation,
  type Memory,
} from '../../../src/controllers/autoscaler/plan.ts';
import { groupPods, type Measured } from '../../../src/controllers/autoscaler/replicas.ts';
import { at, namesOf, NOON, pod, readyPod, type PodTraits } from './objects.ts';

const SECOND = 1000;
const WINDOW = 300 * SECOND;
const nothing: Memory = { recommendations: [], ups: [], downs: [] };

function autoscaler(spec: object = {}): HorizontalPodAutoscaler {
  return { metadata: { name: 'h' }, spec: { minReplicas: 1, maxReplicas: 100, ...spec }, status: {} } as never;
}

const rules = (scaleUp: object, scaleDown: object = {}): object => ({
  behavior: { scaleUp: { selectPolicy: 'Max', ...scaleUp }, scaleDown: { selectPolicy: 'Max', ...scaleDown } },
});
const pods = (value: number, periodSeconds = 60): object => ({ type: 'Pods', value, periodSeconds });
const percent = (value: number, periodSeconds = 60): object => ({ type: 'Percent', value, periodSeconds });
const ago = (seconds: number, replicas: number) => ({ at: NOON - seconds * SECOND, replicas });

/** The number that is decided on, why it is not the proposed one, and what limits it. */
function verdict(spec: object, current: number, proposed: number, memory: Partial<Memory> = {}): unknown[] {
  const question = { current, proposed, memory: { ...nothing, ...memory }, window: WINDOW, now: NOON };
  const { replicas, able, limited } = decide(autoscaler(spec), question);
  return [replicas, able[0], limited[0], limited[1]];
}

describe('an autoscaler without rules', () => {
  test.each<[string, object, current: number, proposed: number, Partial<Memory>, unknown[]]>([
    ['takes what is proposed', {}, 4, 6, {}, [6, 'ReadyForNewScale', 'False', 'DesiredWithinRange']],
    ['grows from one to four at most', {}, 1, 9, {}, [4, 'ReadyForNewScale', 'True', 'ScaleUpLimit']],
    ['grows to twice the number at most', {}, 5, 11, {}, [10, 'ReadyForNewScale', 'True', 'ScaleUpLimit']],
    ['may just double', {}, 5, 10, {}, [10, 'ReadyForNewScale', 'False', 'DesiredWithinRange']],
    ['keeps its maximum', { maxReplicas: 7 }, 5, 11, {}, [7, 'ReadyForNewScale', 'True', 'TooManyReplicas']],
    [
      'names the maximum where it equals the fastest',
      { maxReplicas: 10 },
      5,
      11,
      {},
      [10, 'ReadyForNewScale', 'True', 'TooManyReplicas'],
    ],
    ['keeps its minimum', { minReplicas: 3 }, 5, 2, {}, [3, 'ReadyForNewScale', 'True', 'TooFewReplicas']],
    ['has a minimum of one', { minReplicas: undefined }, 5, 0, {}, [1, 'ReadyForNewScale', 'True', 'TooFewReplicas']],
    [
      'does not shrink below a recent recommendation',
      {},
      5,
      2,
      { recommendations: [ago(299, 4)] },
      [4, 'ScaleDownStabilized', 'False', 'DesiredWithinRange'],
    ],
    [
      'counts a recommendation as old as the window',
      {},
      5,
      2,
      { recommendations: [ago(300, 4)] },
      [4, 'ScaleDownStabilized', 'False', 'DesiredWithinRange'],
    ],
    [
      'forgets an older one',
      {},
      5,
      2,
      { recommendations: [ago(301, 4)] },
      [2, 'ReadyForNewScale', 'False', 'DesiredWithinRange'],
    ],
    [
      'is not kept from growing',
      {},
      2,
      4,
      { recommendations: [ago(1, 2)] },
      [4, 'ReadyForNewScale', 'False', 'DesiredWithinRange'],
    ],
    [
      'applies the limit to the stable number',
      {},
      1,
      2,
      { recommendations: [ago(1, 9)] },
      [4, 'ScaleDownStabilized', 'True', 'ScaleUpLimit'],
    ],
  ])('%s', (_, spec, current, proposed, memory, expected) => {
    expect(verdict(spec, current, proposed, memory)).toEqual(expected);
  });
});

describe('an autoscaler with rules', () => {
  const up = (policies: object[], more: object = {}): object => rules({ policies, ...more });
  const down = (policies: object[], more: object = {}): object =>
    rules({ policies: [pods(100)] }, { stabilizationWindowSeconds: 0, policies, ...more });

  test.each<[string, object, current: number, proposed: number, Partial<Memory>, unknown[]]>([
    ['grows by so many pods', up([pods(3)]), 5, 20, {}, [8, 'ReadyForNewScale', 'True', 'ScaleUpLimit']],
    ['grows by a share, rounded up', up([percent(10)]), 5, 20, {}, [6, 'ReadyForNewScale', 'True', 'ScaleUpLimit']],
    [
      'takes the larger of two policies',
      up([pods(1), percent(100)]),
      5,
      20,
      {},
      [10, 'ReadyForNewScale', 'True', 'ScaleUpLimit'],
    ],
    [
      'takes the smaller where it says so',
      up([pods(1), percent(100)], { selectPolicy: 'Min' }),
      5,
      20,
      {},
      [6, 'ReadyForNewScale', 'True', 'ScaleUpLimit'],
    ],
    [
      'does not grow where that is disabled',
      up([pods(9)], { selectPolicy: 'Disabled' }),
      5,
      20,
      {},
      [5, 'ReadyForNewScale', 'True', 'ScaleUpLimit'],
    ],
    [
      'counts what it grew by in the period',
      up([pods(3)]),
      5,
      20,
      { ups: [ago(59, 2)] },
      [6, 'ReadyForNewScale', 'True', 'ScaleUpLimit'],
    ],
    [
      'forgets what it grew by before',
      up([pods(3)]),
      5,
      20,
      { ups: [ago(60, 2)] },
      [8, 'ReadyForNewScale', 'True', 'ScaleUpLimit'],
    ],
    [
      'never shrinks because it grew too fast',
      up([pods(1)]),
      9,
      20,
      { ups: [ago(1, 8)] },
      [9, 'ReadyForNewScale', 'True', 'ScaleUpLimit'],
    ],
    [
      'keeps its maximum',
      { ...up([pods(50)]), maxReplicas: 7 },
      5,
      20,
      {},
      [7, 'ReadyForNewScale', 'True', 'TooManyReplicas'],
    ],
    ['grows no further than asked', up([pods(50)]), 5, 7, {}, [7, 'ReadyForNewScale', 'False', 'DesiredWithinRange']],
    [
      'waits until a growth has lasted',
      up([pods(50)], { stabilizationWindowSeconds: 60 }),
      5,
      9,
      { recommendations: [ago(59, 6)] },
      [6, 'ScaleUpStabilized', 'False', 'DesiredWithinRange'],
    ],
    [
      'grows after that',
      up([pods(50)], { stabilizationWindowSeconds: 60 }),
      5,
      9,
      { recommendations: [ago(60, 6)] },
      [9, 'ReadyForNewScale', 'False', 'DesiredWithinRange'],
    ],
    ['shrinks by so many pods', down([pods(2)]), 9, 3, {}, [7, 'ReadyForNewScale', 'True', 'ScaleDownLimit']],
    [
      'shrinks by a share, rounded down',
      down([percent(50)]),
      9,
      1,
      {},
      [4, 'ReadyForNewScale', 'True', 'ScaleDownLimit'],
    ],
    [
      'takes the larger change',
      down([pods(1), percent(50)]),
      9,
      1,
      {},
      [4, 'ReadyForNewScale', 'True', 'ScaleDownLimit'],
    ],
    [
      'takes the smaller change where it says so',
      down([pods(1), percent(50)], { selectPolicy: 'Min' }),
      9,
      1,
      {},
      [8, 'ReadyForNewScale', 'True', 'ScaleDownLimit'],
    ],
    [
      'does not shrink where that is disabled',
      down([pods(5)], { selectPolicy: 'Disabled' }),
      9,
      1,
      {},
      [9, 'ReadyForNewScale', 'True', 'ScaleDownLimit'],
    ],
    [
      'counts what it shrank by in the period',
      down([pods(3)]),
      9,
      1,
      { downs: [ago(30, 2)] },
      [8, 'ReadyForNewScale', 'True', 'ScaleDownLimit'],
    ],
    [
      'never grows because it shrank too fast',
      down([pods(1)]),
      3,
      1,
      { downs: [ago(30, 8)] },
      [3, 'ReadyForNewScale', 'True', 'ScaleDownLimit'],
    ],
    [
      'keeps its minimum',
      { ...down([percent(100)]), minReplicas: 3 },
      9,
      1,
      {},
      [3, 'ReadyForNewScale', 'True', 'TooFewReplicas'],
    ],
    [
      'has the default window for shrinking',
      down([percent(100)], { stabilizationWindowSeconds: undefined }),
      9,
      1,
      { recommendations: [ago(299, 8)] },
      [8, 'ScaleDownStabilized', 'False', 'DesiredWithinRange'],
    ],
    [
      'has a window of its own for shrinking',
      down([percent(100)], { stabilizationWindowSeconds: 60 }),
      9,
      1,
      { recommendations: [ago(61, 8)] },
      [1, 'ReadyForNewScale', 'False', 'DesiredWithinRange'],
    ],
    [
      'stays where nothing is proposed',
      up([pods(1)]),
      5,
      5,
      {},
      [5, 'ReadyForNewScale', 'False', 'DesiredWithinRange'],
    ],
  ])('%s', (_, spec, current, proposed, memory, expected) => {
    expect(verdict(spec, current, proposed, memory)).toEqual(expected);
  });
});

describe('the state of an autoscaler', () => {
  test('starts with the current size', () => {
    expect(firstMemory(3, NOON)).toEqual({ recommendations: [{ at: NOON, replicas: 3 }], ups: [], downs: [] });
  });

  test.each([
    ['the default window', {}, [ago(301, 9), ago(300, 8), ago(1, 7)], [8, 7, 5]],
    [
      'the longer window of its rules',
      rules({ stabilizationWindowSeconds: 600 }, { stabilizationWindowSeconds: 0 }),
      [ago(601, 9), ago(600, 8)],
      [8, 5],
    ],
  ])('reaches back as far as %s', (_, spec, recommendations, left) => {
    const memory = withRecommendation({ ...nothing, recommendations }, autoscaler(spec), 5, WINDOW, NOON);
    expect(memory.recommendations.map(({ replicas }) => replicas)).toEqual(left);
    expect(memory.recommendations.at(-1)).toEqual({ at: NOON, replicas: 5 });
  });

  test('keeps growth and shrinking separately, for half an hour', () => {
    const old = { ...nothing, ups: [ago(1800, 1), ago(1799, 2)], downs: [ago(1800, 3)] };
    const grown = withChange(old, 3, 7, NOON);
    expect([grown.ups.map((m) => m.replicas), grown.downs]).toEqual([[2, 4], []]);
    const shrunk = withChange(grown, 7, 5, NOON);
    expect([shrunk.ups.map((m) => m.replicas), shrunk.downs.map((m) => m.replicas)]).toEqual([[2, 4], [2]]);
    expect(withChange(nothing, 5, 5, NOON)).toEqual(nothing);
  });
});

const warmUp = { initialization: 300 * SECOND, readinessDelay: 30 * SECOND };

function measured(traits: readonly PodTraits[], current = traits.length): Measured {
  const all = traits.map((t, i) => readyPod(`p${i}`, { requests: { cpu: '1', memory: '1Gi' }, ...t }));
  const known = { served: UNSERVED, readings: new Map(), namespace: 'ns' };
  return { pods: all, ...known, current, present: current, tolerance: 0.1, now: at(60), warmUp };
}

const UNSERVED = new Error('the server could not find the requested resource');

const uses = (...cpus: (string | undefined)[]): PodTraits[] => cpus.map((cpu) => (cpu ? { uses: { cpu } } : {}));
const pending: PodTraits = { phase: 'Pending' };
const unready: PodTraits = { ready: false, since: 0, started: 0, uses: { cpu: '1' } };

/** A metric with a target in percent of the requests, or in absolute terms. */
function resource(target: object, name = 'cpu'): never {
  return { type: 'Resource', resource: { name, target } } as never;
}
const half = resource({ type: 'Utilization', averageUtilization: 50 });
const halfCore = resource({ type: 'AverageValue', averageValue: '500m' });

describe('a resource metric', () => {
  test.each<[string, PodTraits[], current: number, replicas: number]>([
    ['asks for as many as bring usage to the target', uses('1', '1'), 2, 4],
    ['asks for fewer where less is used', uses('100m', '100m', '100m', '100m'), 4, 1],
    ['rounds up', uses('600m', '600m', '600m'), 3, 4],
    ['changes nothing within its tolerance above', uses('549m', '549m'), 2, 2],
    ['changes nothing within its tolerance below', uses('450m', '450m'), 2, 2],
    ['changes something beyond it', uses('560m', '560m'), 2, 3],
    ['takes pods without a metric as idle where it grows', uses('1', undefined, undefined, undefined), 4, 4],
    ['grows all the same where the others use enough', uses('1', '1', '1', undefined), 4, 6],
    ['takes pods without a metric as busy where it shrinks', uses('100m', undefined, undefined), 3, 3],
    ['shrinks all the same where the others use little enough', uses('10m', '10m', '10m', '10m', undefined), 5, 2],
    ['takes pending pods as idle where it grows', [...uses('1', '1'), pending], 3, 4],
    ['leaves pending pods out where it shrinks', [...uses('100m', '100m'), pending], 3, 1],
    ['leaves out pods that were never ready', [...uses('1', '1'), unready], 3, 4],
    ['leaves out pods that have failed', [...uses('1', '1'), { phase: 'Failed' }], 3, 4],
    ['leaves out pods that are going', [...uses('1', '1'), { leaving: true }], 3, 4],
    ['counts measured pods, not those that should be there', uses('1', '1'), 3, 4],
  ])('%s', (_, traits, current, replicas) => {
    expect(propose(half, measured(traits, current)).replicas).toBe(replicas);
    expect(propose(halfCore, measured(traits, current)).replicas).toBe(replicas);
  });

  test('returns the current usage', () => {
    expect(propose(half, measured(uses('1', '500m'))).status).toEqual({
      type: 'Resource',
      resource: { name: 'cpu', current: { averageUtilization: 75, averageValue: '750m' } },
    });
    expect(propose(halfCore, measured(uses('1', '500m'))).status).toEqual({
      type: 'Resource',
      resource: { name: 'cpu', current: { averageValue: '750m' } },
    });
    expect(propose(half, measured(uses('1'))).name).toBe('cpu resource utilization (percentage of request)');
    expect(propose(halfCore, measured(uses('1'))).name).toBe('cpu resource');
  });

  test.each<[string, never, PodTraits[], reason: string, message: RegExp]>([
    [
      'no pod says what it uses',
      half,
      uses(undefined),
      'FailedGetResourceMetric',
      /unable to get metrics for resource cpu/,
    ],
    ['there is no pod', half, [], 'FailedGetResourceMetric', /unable to get metrics/],
    [
      'no pod that counts says it',
      half,
      [unready],
      'FailedGetResourceMetric',
      /did not receive metrics for any ready pods/,
    ],
    [
      'a container requests nothing',
      half,
      [{ requests: {}, uses: { cpu: '1' } }],
      'FailedGetResourceMetric',
      /missing request for cpu/,
    ],
    [
      'requests are zero',
      half,
      [{ requests: { cpu: '0' }, uses: { cpu: '1' } }],
      'FailedGetResourceMetric',
      /no metrics returned matched known pods/,
    ],
    ['it is of no known type', { type: 'constructor' } as never, uses('1'), 'InvalidMetricSourceType', /unknown/],
  ])('is unavailable if %s', (_, metric, traits, reason, message) => {
    expect(() => propose(metric, measured(traits))).toThrow(
      expect.objectContaining({ reason, message: expect.stringMatching(message) as string }) as Error,
    );
  });
});

describe('answers of the metrics API', () => {
  const served = new Map([
    ['p0', { cpu: 1000 }],
    ['p1', { cpu: 500 }],
  ]);

  test('are used for pods without annotations', () => {
    expect(propose(half, { ...measured([{}, {}]), served }).replicas).toBe(3);
    expect(propose(half, { ...measured(uses('500m', '500m')), served }).replicas).toBe(2);
  });

  test('an answer without any of the pods is an error', () => {
    const nothing = { ...measured([{}]), served: new Map() };
    expect(() => propose(half, nothing)).toThrow(/no metrics returned from resource metrics API/);
  });
});

describe('groups of pods by the state of their metrics', () => {
  const group = (traits: PodTraits, name = 'cpu'): string => {
    const one = pod('p', { uses: { cpu: '1' }, ...traits });
    const usage = new Map(traits.uses === undefined && one.status.phase === 'Running' ? [[one, 1] as const] : []);
    const { ready, ignored, missing } = groupPods(usage, name, { ...measured([], 1), pods: [one] });
    return ready === 1
      ? 'ready'
      : namesOf(ignored).length === 1
        ? 'ignored'
        : missing.length === 1
          ? 'missing'
          : 'left out';
  };

  test.each<[string, PodTraits, string]>([
    ['ready', { ready: true, started: 0, since: 0 }, 'ready'],
    ['unready for the first time', { ready: false, started: 0, since: 0 }, 'ignored'],
    ['unready after it was ready', { ready: false, started: 0, since: 1 }, 'ready'],
    ['young and unready', { ready: false, started: 56, since: 57 }, 'ignored'],
    ['young and ready', { ready: true, started: 56, since: 57 }, 'ready'],
    ['without a start', { ready: true, since: 0 }, 'ignored'],
    ['without a condition', { started: 0 }, 'ignored'],
    ['pending', { phase: 'Pending' }, 'ignored'],
    ['without a metric', { ready: true, started: 0, uses: {} }, 'missing'],
    ['failed', { phase: 'Failed' }, 'left out'],
    ['going', { ready: true, started: 0, leaving: true }, 'left out'],
  ])('a pod that is %s', (_, traits, expected) => {
    expect(group(traits)).toBe(expected);
  });

  test('other resources than CPU need no warm-up', () => {
    expect(group({ started: 0 }, 'memory')).toBe('ready');
  });
});
