/** How many pods a replica set makes or deletes, and what its status says. */
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../src/client/index.ts';
import { planReplicas, statusOf, type ReplicaOwner } from '../../../src/controllers/replicas/replicas.ts';
import type { Loose } from '../lab.ts';
import { minute, namesOf, NOON, pod, readyPod } from './objects.ts';

const many = (count: number): Pod[] => Array.from({ length: count }, (_, i) => readyPod(`p${i}`, { node: 'n' }));

test.each<[wanted: number, active: number, create: number, remove: number]>([
  [3, 0, 3, 0],
  [3, 3, 0, 0],
  [0, 0, 0, 0],
  [2, 3, 0, 1],
  [501, 0, 500, 0],
  [500, 0, 500, 0],
  [0, 501, 0, 500],
])('%i wanted, %i there: %i are made, %i deleted', (wanted, active, create, remove) => {
  const plan = planReplicas(wanted, many(active), () => []);
  expect([plan.create, plan.remove.length]).toEqual([create, remove]);
});

test('related pods are asked for only where some have to go', () => {
  const fail = (): never => {
    throw new Error('asked');
  };
  expect(planReplicas(1, many(1), fail).remove).toEqual([]);
  expect(() => planReplicas(0, many(1), fail)).toThrow('asked');
});

test('of equal pods those go first whose node has more related ones', () => {
  const [a, b] = [readyPod('a', { node: 'n' }), readyPod('b', { node: 'm' })];
  expect(namesOf(planReplicas(1, [a, b], () => [a, b, readyPod('c', { node: 'm' })]).remove)).toEqual(['b']);
  expect(namesOf(planReplicas(1, [a, b], () => [a, b, readyPod('c', { node: 'n' })]).remove)).toEqual(['a']);
});

describe('the status', () => {
  const owner = (spec: Loose = {}, status?: Loose): ReplicaOwner => ({
    metadata: { name: 'web', namespace: 'ns', generation: 4, creationTimestamp: minute(0) },
    spec: { replicas: 2, template: { metadata: { labels: { a: 'x', b: 'y' } } }, ...spec } as NonNullable<
      ReplicaOwner['spec']
    >,
    ...(status && { status: status }),
  });
  const labels = { a: 'x', b: 'y' };

  test('counts pods, those with all labels of the template, ready and available ones', () => {
    const all = [
      readyPod('old', { labels: { ...labels, c: 'z' }, since: -1 }),
      readyPod('new', { labels: { a: 'x' }, since: 0 }),
      pod('unready', { labels: { a: 'x', b: 'other' } }),
    ];
    expect(statusOf(owner({ minReadySeconds: 60 }), all, NOON, undefined)).toEqual({
      ...{ replicas: 3, fullyLabeledReplicas: 1, readyReplicas: 2, availableReplicas: 1, observedGeneration: 4 },
    });
    expect(statusOf(owner(), all, NOON, undefined).availableReplicas).toBe(2);
    expect(statusOf(owner({ template: {} }), all, NOON, undefined).fullyLabeledReplicas).toBe(3);
    expect(statusOf(owner({ template: undefined }), all, NOON, undefined).fullyLabeledReplicas).toBe(3);
  });

  const failure = (reason: string, message = 'no'): object => ({
    ...{ type: 'ReplicaFailure', status: 'True', reason, message, lastTransitionTime: minute(0) },
  });
  const other = { type: 'Other', status: 'True' };

  test.each<[string, before: object[] | undefined, active: number, failure: unknown, after: object[] | undefined]>([
    ['too few', undefined, 1, new Error('no'), [failure('FailedCreate')]],
    ['enough', undefined, 2, new Error('no'), [failure('FailedDelete')]],
    ['too many, beside others', [other], 3, 'no', [other, failure('FailedDelete')]],
    [
      'a failure that is known',
      [failure('FailedDelete', 'old'), other],
      1,
      new Error('no'),
      [failure('FailedDelete', 'old'), other],
    ],
    ['no failure any more', [failure('FailedCreate'), other], 2, undefined, [other]],
    ['no failure and nothing else', [failure('FailedCreate')], 2, undefined, undefined],
  ])('has a condition for %s', (_, before, active, problem, after) => {
    const given = owner({}, { replicas: 9, extra: 'kept', ...(before && { conditions: before }) });
    const status = statusOf(given, many(active), NOON, problem);
    expect(status.conditions).toEqual(after);
    expect(status).toMatchObject({ replicas: active, extra: 'kept' });
    expect('conditions' in status).toBe(after !== undefined);
  });

  test('of what has no wish has failed to delete', () => {
    expect(statusOf(owner({ replicas: undefined }), [], NOON, 'no').conditions).toEqual([failure('FailedDelete')]);
  });
});
