import { describe, expect, test } from 'vitest';
import type { PodDisruptionBudget } from '../../../src/client/index.ts';
import { expectationOf, planStatus } from '../../../src/controllers/disruption/plan.ts';
import { at, minute, pod, readyPod } from './objects.ts';

const budget = (spec: object, status: object = {}): PodDisruptionBudget =>
  ({ metadata: { name: 'b', namespace: 'ns', generation: 3 }, spec, status }) as unknown as PodDisruptionBudget;

describe('with seven pods whose owners want ten', () => {
  test.each<[string, object, expected: number, desired: number]>([
    ['at most 2 may be missing', { maxUnavailable: 2 }, 10, 8],
    ['at most a quarter, rounded up, may be missing', { maxUnavailable: '25%' }, 10, 7],
    ['more may be missing than there are', { maxUnavailable: 12 }, 10, 0],
    ['at least 2 have to be there', { minAvailable: 2 }, 7, 2],
    ['at least a quarter, rounded up, has to be there', { minAvailable: '25%' }, 10, 3],
    ['there is no bound', {}, 0, 0],
  ])('%s', async (_, spec, expected, desired) => {
    expect(await expectationOf(budget(spec), 7, () => Promise.resolve(10))).toEqual({ expected, desired });
  });

  test.each([{ minAvailable: 2 }, {}])('owners are not asked for %j', async (spec) => {
    const ask = (): Promise<number> => Promise.reject(new Error('asked'));
    await expect(expectationOf(budget(spec), 7, ask)).resolves.toBeDefined();
  });
});

describe('the status of a budget', () => {
  test.each<[string, ready: number, unready: number, expected: number, desired: number, allowed: number]>([
    ['allows what is above the desired number', 5, 0, 5, 3, 2],
    ['counts ready pods only', 3, 2, 5, 3, 0],
    ['never allows less than none', 1, 0, 5, 3, 0],
    ['allows none where no pods are expected', 2, 0, 0, 0, 0],
  ])('%s', (_, ready, unready, expected, desired, allowed) => {
    const pods = [
      ...Array.from({ length: ready }, (_, i) => readyPod(`ready-${i}`)),
      ...Array.from({ length: unready }, (_, i) => pod(`unready-${i}`, { ready: false })),
    ];
    const { status, again } = planStatus(budget({}), pods, { expected, desired }, at(0));
    expect(status).toMatchObject({
      observedGeneration: 3,
      currentHealthy: ready,
      desiredHealthy: desired,
      expectedPods: expected,
      disruptionsAllowed: allowed,
    });
    expect(again).toBeUndefined();
  });

  test.each<[string, disrupted: Record<string, string>, kept: string[], healthy: number, again: number | undefined]>([
    ['an eviction that is under way', { a: minute(0) }, ['a'], 1, 60_000],
    ['the soonest of two', { a: minute(0), b: minute(-0.5) }, ['a', 'b'], 0, 30_000],
    ['no eviction after two minutes', { a: minute(-1) }, [], 2, undefined],
    ['no eviction of a pod that is gone', { gone: minute(0) }, [], 2, undefined],
  ])('keeps %s', (_, disruptedPods, kept, healthy, again) => {
    const pods = [readyPod('a'), readyPod('b')];
    const plan = planStatus(budget({}, { disruptedPods }), pods, { expected: 2, desired: 0 }, at(1));
    expect(Object.keys(plan.status.disruptedPods ?? {})).toEqual(kept);
    expect([plan.status.currentHealthy, plan.again]).toEqual([healthy, again]);
  });

  test('names the pods whose eviction did not happen in time', () => {
    const pods = [readyPod('a'), readyPod('b'), readyPod('c', { leaving: true })];
    const disruptedPods = { a: minute(-1), b: minute(0), c: minute(-1), gone: minute(-1) };
    const { notDeleted } = planStatus(budget({}, { disruptedPods }), pods, { expected: 2, desired: 0 }, at(1));
    expect(notDeleted.map(({ metadata }) => metadata.name)).toEqual(['a']);
  });

  test('leaves out a pod that is being deleted, and forgets its eviction', () => {
    const pods = [readyPod('a', { leaving: true }), readyPod('b')];
    const plan = planStatus(budget({}, { disruptedPods: { a: minute(1) } }), pods, { expected: 2, desired: 1 }, at(1));
    expect(plan.status).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0, disruptedPods: {} });
  });
});
