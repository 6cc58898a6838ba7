import { describe, expect, test } from 'vitest';
import type { ReconcileEvent } from '../../src/trace/index.ts';
import type { LoggedRequest } from '../../src/ui/stores/requests.ts';
import { withEvents, writesOf, type Reconcile } from '../../src/ui/panels/controllers/activity.ts';
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
  const later = [
    event('planned', { plan: [{ create: 'pod' }] }),
    event('done', { why: 'again in 5 ms', read: { '/api/v1/pods': '7' }, at: 9 }),
  ];
  let runs: readonly Reconcile[] = withEvents([], first);
  runs = withEvents(runs, later);
  expect(runs.map(({ id: _, ...run }) => run)).toEqual([
    { loop: 'jobs', key: 'ns/other', from: 1, at: 1, woken: ['x'], plan: [], outcome: 'waiting', note: '', read: {} },
    {
      ...{
        loop: 'jobs',
        key: 'ns/a',
        from: 1,
        at: 9,
        outcome: 'done',
        note: 'again in 5 ms',
        read: { '/api/v1/pods': '7' },
      },
      ...{ woken: ['Job ns/a added', 'Pod ns/b changed'], plan: [{ create: 'pod' }] },
    },
  ]);
  // What wakes it again begins another run.
  expect(withEvents(runs, [event('woken', { why: 'y' })])).toHaveLength(3);
});

describe('what a run wrote', () => {
  const run: Reconcile = {
    ...{ id: 1, loop: 'jobs', key: 'ns/a', from: 10, at: 20, outcome: 'done', note: '' },
    ...{ woken: [], plan: [], read: {} },
  };
  const request = (id: string, at: number, causes: readonly (readonly [string, string])[], revision?: number) => {
    const received: LoggedRequest['stages'][number] = {
      ...{ topic: 'request', request: id, at, method: 'POST', url: '/', headers: [], origin: 'x' },
      stage: 'received',
      causes: causes.map(([controller, key]) => ({ controller, key, woken: [] })),
    };
    const of: LoggedRequest = {
      ...{ id, at, method: 'POST', url: '/', verb: 'create', sender: 'component', user: '', status: 201, ms: 1 },
      ...{ revision, line: '', stages: [received] },
    };
    return of;
  };

  test('are the writes that it alone can have sent', () => {
    const own = ['jobs', 'ns/a'] as const;
    const requests = [
      request('own', 12, [own], 5),
      request('before', 9, [own], 4),
      request('after', 21, [own], 8),
      request('another key', 12, [['jobs', 'ns/b']], 6),
      request('another loop', 12, [['cronjobs', 'ns/a']], 6),
      request('one of two', 12, [own, ['jobs', 'ns/b']], 7),
      request('only read', 12, [own]),
      request('a person', 12, [], 9),
    ];
    expect(writesOf(run, requests).map(({ id }) => id)).toEqual(['own']);
  });
});
