import { describe, expect, test } from 'vitest';
import type { ReconcileEvent } from '../../src/trace/index.ts';
import { withEvents, type Reconcile } from '../../src/ui/panels/controllers/activity.ts';
import { findFights, type Write } from '../../src/ui/panels/controllers/fights.ts';

describe('fights over a field', () => {
  const scaled = (revision: number, by: string, replicas: number): Write => ({
    ...{ revision, by },
    value: { metadata: { resourceVersion: `${revision}` }, spec: { replicas, paused: true } },
  });

  test('are found where two writers bring back their own value, and both are named', () => {
    const writes = [3, 5, 3, 5, 3].map((replicas, i) => scaled(i, i % 2 === 0 ? 'anna' : 'scaler', replicas));
    expect(findFights(writes)).toEqual([
      { field: 'spec.replicas', between: ['scaler', 'anna'], values: ['5', '3'], returns: 3 },
    ]);
  });

  test.each([
    ['one writer changes its mind', [3, 5, 3, 5].map((replicas, i) => scaled(i, 'anna', replicas))],
    ['each value is new', [1, 2, 3, 4, 5].map((replicas, i) => scaled(i, i % 2 === 0 ? 'anna' : 'scaler', replicas))],
    ['it happened once', [scaled(1, 'anna', 3), scaled(2, 'scaler', 5), scaled(3, 'anna', 3)]],
    ['nothing but the revision changes', [1, 2, 3, 4].map((i) => scaled(i, i % 2 === 0 ? 'a' : 'b', 3))],
    ['there is nothing', []],
  ])('are not found where %s', (_, writes) => expect(findFights(writes)).toEqual([]));

  test('over a field that one of them removes', () => {
    const writes = [1, 2, 3, 4].map((i) => ({
      ...{ revision: i, by: i % 2 === 0 ? 'a' : 'b' },
      value: { metadata: { labels: i % 2 === 0 ? {} : { team: 'x' } } },
    }));
    expect(findFights(writes)).toMatchObject([{ field: 'metadata.labels.team', values: ['"x"', 'nothing'] }]);
  });
});

test('reconciles are put together from events: why woken, the plan, how it ended', () => {
  const event = (what: ReconcileEvent['what'], more: Partial<ReconcileEvent> = {}): ReconcileEvent => ({
    ...{ topic: 'reconcile', at: 1, controller: 'jobs', key: 'ns/a', what },
    ...more,
  });
  const first = [
    event('woken', { why: 'Job ns/a added' }),
    event('woken', { why: 'Pod ns/b changed' }),
    event('woken', { why: 'Pod ns/b changed' }),
    event('woken', { key: 'ns/other', why: 'x' }),
  ];
  const later = [event('planned', { plan: [{ create: 'pod' }] }), event('done', { why: 'again in 5 ms', at: 9 })];
  let runs: readonly Reconcile[] = withEvents([], first);
  runs = withEvents(runs, later);
  expect(runs.map(({ id: _, ...run }) => run)).toEqual([
    { loop: 'jobs', key: 'ns/other', at: 1, woken: ['x'], plan: [], outcome: 'waiting', note: '' },
    {
      ...{ loop: 'jobs', key: 'ns/a', at: 9, outcome: 'done', note: 'again in 5 ms' },
      ...{ woken: ['Job ns/a added', 'Pod ns/b changed'], plan: [{ create: 'pod' }] },
    },
  ]);
  // What wakes it again begins another run.
  expect(withEvents(runs, [event('woken', { why: 'y' })])).toHaveLength(3);
});
