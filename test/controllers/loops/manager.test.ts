/** How controllers are started, shown, paused and stepped. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clusterRoles, namespaces, nodes, serviceAccounts } from '../../../src/client/index.ts';
import { Loop } from '../../../src/controllers/runtime/loop.ts';
import { Wakings } from '../../../src/controllers/runtime/wakings.ts';
import { sameStatus } from '../../../src/controllers/runtime/status.ts';
import { inGrowingBatches } from '../../../src/controllers/runtime/pods.ts';
import { isEnabled } from '../../../src/controllers/runtime/controller.ts';
import { manualClock, settle } from '../../../src/std/index.ts';
import { createTracer, type TraceEvent } from '../../../src/trace/index.ts';
import { StatusError } from '../../../src/schema/index.ts';
import { Lab, type Loose } from '../lab.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const space = (name: string): Loose => ({ metadata: { name }, spec: {}, status: { phase: 'Active' } });

test.each<[list: string[], name: string, offByDefault: boolean, always: boolean, enabled: boolean]>([
  [['*'], 'a', false, false, true],
  [['*'], 'a', true, false, false],
  [['a'], 'a', true, false, true],
  [['*', '-a'], 'a', false, false, false],
  [['-a', '*'], 'a', false, false, false],
  [['b'], 'a', false, false, false],
  [['-a', 'a'], 'a', false, false, false],
  [['a', '-a'], 'a', false, false, true],
  [['-a'], 'a', false, true, true],
])('--controllers=%s: %s (off by default %s, always %s) runs: %s', (list, name, offByDefault, always, enabled) => {
  expect(isEnabled({ name, offByDefault, always, start: () => undefined }, list)).toBe(enabled);
});

describe('the manager', () => {
  test('shows the controllers with their users, loops and caches', async () => {
    lab.server.put(namespaces, space('ns'));
    await lab.start(['serviceaccount', 'ttl']);
    const { controllers, informers } = lab.running?.view() as Loose;
    const user = 'system:cluster-controller-manager';
    expect(controllers).toMatchObject([
      {
        ...{
          name: 'serviceaccount',
          user,
          notStarted: false,
          loops: [{ name: 'serviceaccount', workers: 1, waiting: 0 }],
        },
        reads: ['/api/v1/namespaces', '/api/v1/serviceaccounts'],
      },
      { name: 'ttl', user, notStarted: false, loops: [{ name: 'ttl' }], reads: ['/api/v1/nodes'] },
    ]);
    expect(informers.map(({ path }: Loose) => path)).toContain('/api/v1/namespaces');
  });

  test('pauses a controller and lets it do one thing at a time', async () => {
    await lab.start(['serviceaccount']);
    let changes = 0;
    const end = lab.running?.follow(() => (changes += 1));
    lab.running?.setPaused('serviceaccount', true);
    expect(changes).toBe(1);
    for (const name of ['a', 'b']) lab.server.put(namespaces, space(name));
    expect(await lab.requests()).toEqual([]);
    const waiting = (): Loose => (lab.running?.view() as Loose).controllers[0].loops[0];
    expect([waiting().waiting, waiting().paused]).toEqual([2, true]);
    expect(changes).toBeGreaterThan(1);
    lab.running?.step('serviceaccount');
    expect(await lab.requests()).toEqual(['POST namespaces/a/serviceaccounts']);
    end?.();
    const before = changes;
    lab.running?.setPaused('serviceaccount', false);
    expect(await lab.requests()).toEqual(['POST namespaces/b/serviceaccounts']);
    expect(changes).toBe(before);
  });

  test('writes as the accounts of the controllers if that is asked for, and creates them', async () => {
    lab.server.put(serviceAccounts, { metadata: { name: 'service-account-controller', namespace: 'cluster-system' } });
    await lab.start(['serviceaccount', 'ttl'], { flags: ['--use-service-account-credentials=true'] });
    expect([...lab.identities]).toEqual([
      'system:cluster-controller-manager',
      'system:serviceaccount:cluster-system:service-account-controller',
      'system:serviceaccount:cluster-system:ttl-controller',
    ]);
    expect(await lab.requests()).toEqual([
      'POST namespaces/cluster-system/serviceaccounts',
      'POST namespaces/cluster-system/serviceaccounts',
    ]);
    expect(lab.server.get(serviceAccounts, 'cluster-system/ttl-controller')).toBeDefined();
  });

  test('tells what causes a write, and what was planned', async () => {
    const events: TraceEvent[] = [];
    lab.tracer.listen((event) => events.push(event), ['reconcile', 'request']);
    lab.server.put(namespaces, space('ns'));
    await lab.start(['serviceaccount']);
    const told = events.map((event: Loose) => [event.what, event.key, event.why, event.plan]);
    expect(told[0]).toEqual(['woken', 'ns', 'Namespace ns added', undefined]);
    expect(told).toContainEqual(['planned', 'ns', undefined, [{ create: 'ns/default' }]]);
    expect(events.find((event: Loose) => event.what === 'done')).toMatchObject({
      key: 'ns',
      read: { '/api/v1/namespaces': expect.any(String) },
    });
  });

  test('stops: nothing is written any more', async () => {
    lab.server.put(nodes, { metadata: { name: 'n' } });
    await lab.start(['ttl']);
    await lab.writes();
    await lab.stop();
    lab.server.put(nodes, { metadata: { name: 'm' } });
    lab.server.put(clusterRoles, { metadata: { name: 'r' } });
    expect(await lab.requests()).toEqual([]);
  });
});

describe('a loop', () => {
  const conflict = new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 409,
    reason: 'Conflict',
  });
  test.each<[string, failure: unknown, retries: number | undefined, what: string]>([
    ['fails', new Error('no'), undefined, 'failed'],
    ['conflicts', conflict, undefined, 'requeued'],
  ])('that %s tries again with back-off', async (_, failure, retries, what) => {
    const clock = manualClock();
    const tracer = createTracer(clock);
    const events: Loose[] = [];
    tracer.listen((event) => events.push(event), ['reconcile']);
    let runs = 0;
    const reconcile = (): Promise<void> => {
      runs += 1;
      return runs < 4 ? Promise.reject(failure as Error) : Promise.resolve();
    };
    const loop = new Loop(
      { name: 'x', ...(retries !== undefined && { retries }), firstDelay: 100, longestDelay: 150, reconcile },
      { clock, tracer },
    );
    loop.add('key');
    expect(loop.idle).toBe(false);
    loop.open();
    const seen: number[] = [];
    for (const ms of [0, 99, 1, 149, 1, 149, 1, 1000]) {
      await clock.step(ms);
      await settle();
      seen.push(runs);
    }
    expect(seen).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(events.filter((event) => event.what === what)).toHaveLength(3);
    expect([loop.failures('key'), loop.idle]).toEqual([0, true]);
    loop.stop();
  });

  test('that has a limit gives a key up after it', async () => {
    const clock = manualClock();
    let runs = 0;
    const reconcile = (): Promise<void> => Promise.reject(new Error(String((runs += 1))));
    const loop = new Loop({ name: 'x', retries: 2, firstDelay: 10, reconcile }, { clock, tracer: createTracer(clock) });
    loop.open();
    loop.add('key');
    await clock.step(10_000);
    expect([runs, loop.failures('key')]).toEqual([3, 0]);
    loop.stop();
  });
});

test('the causes of a key are those since its last run, and stay when the run fails', () => {
  const wakings = new Wakings();
  const woken = (): string[][] =>
    wakings.causes('c').map(({ controller, key, woken: all }) => [controller ?? '', key, ...all.map(({ why }) => why)]);
  for (const why of ['a', 'b']) wakings.note('k', { why });
  expect(woken()).toEqual([]);
  wakings.begin('k');
  expect(woken()).toEqual([['c', 'k', 'a', 'b']]);
  wakings.note('k', { why: 'c' });
  wakings.end('k', true);
  expect(woken()).toEqual([]);
  wakings.begin('k');
  expect(woken()).toEqual([['c', 'k', 'a', 'b', 'c']]);
  wakings.end('k', false);
  wakings.begin('k');
  expect(woken()).toEqual([['c', 'k']]);
  for (let i = 0; i < 25; i++) wakings.note('many', { why: String(i) });
  wakings.begin('many');
  expect(woken()[1]?.slice(2)).toEqual(Array.from({ length: 20 }, (_, i) => String(i + 5)));
});

test.each<[a: object | undefined, b: object | undefined, same: boolean]>([
  [{ n: 0, text: '', flag: false, list: [], map: {}, none: null, gone: undefined }, {}, true],
  [{ n: 1 }, {}, false],
  [{ n: 1 }, { n: 1 }, true],
  [{ list: [0] }, {}, false],
  [{ list: [0] }, { list: [0] }, true],
  [{ map: { a: 0 } }, undefined, false],
  [undefined, undefined, true],
  [{ flag: true }, { flag: false }, false],
])('the statuses %j and %j are the same: %s', (a, b, same) => {
  expect([sameStatus(a, b), sameStatus(b, a)]).toEqual([same, same]);
});

test('work is done in growing batches, until one fails', async () => {
  const batches: number[][] = [];
  let open: number[] | undefined;
  const work = (i: number): Promise<void> => {
    if (!open) {
      open = [];
      batches.push(open);
      queueMicrotask(() => (open = undefined));
    }
    open.push(i);
    return i === 4 ? Promise.reject(new Error('four')) : Promise.resolve();
  };
  await inGrowingBatches(3, work);
  await inGrowingBatches(0, work);
  await expect(inGrowingBatches(9, work)).rejects.toThrow('four');
  expect(batches).toEqual([[0], [1, 2], [0], [1, 2], [3, 4, 5, 6]]);
});
