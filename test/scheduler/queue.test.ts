import { beforeEach, describe, expect, test } from 'vitest';
import { SchedulingQueue, type Queued } from '../../src/scheduler/queue.ts';
import { manualClock, settle } from '../../src/std/index.ts';
import { createTracer } from '../../src/trace/index.ts';
import { pod } from './objects.ts';

let clock: ReturnType<typeof manualClock>;
let queue: SchedulingQueue;

beforeEach(() => {
  clock = manualClock();
  queue = new SchedulingQueue(clock, createTracer(clock));
});

async function take(): Promise<Queued> {
  const queued = await queue.pop();
  if (!queued) throw new Error('the queue is closed');
  return queued;
}

describe('the scheduling queue', () => {
  test('gives pods by priority, then by the time of their coming', async () => {
    queue.add(pod('first'));
    await clock.step(1);
    queue.add(pod('second'));
    queue.add(pod('urgent', { spec: { priority: 10 } }));
    expect([(await take()).pod, (await take()).pod, (await take()).pod].map((p) => p.metadata.name)).toEqual([
      'urgent',
      'first',
      'second',
    ]);
  });

  test('gives nothing while it is paused but one pod for each step, and all of them once it goes on', async () => {
    const taken: (string | undefined)[] = [];
    const taking = (async () => {
      for (let next = await queue.pop(); next; next = await queue.pop()) taken.push(next.pod.metadata.name);
    })();
    queue.setPaused(true);
    queue.step();
    for (const name of ['a', 'b', 'c', 'd']) {
      queue.add(pod(name));
      await clock.step(1);
    }
    await settle();
    expect(taken).toEqual([]);
    expect(queue.paused).toBe(true);
    expect(queue.some()).toEqual(['ns/a', 'ns/b', 'ns/c', 'ns/d']);
    queue.step();
    await settle();
    expect(taken).toEqual(['a']);
    queue.step();
    queue.step();
    await settle();
    expect(taken).toEqual(['a', 'b', 'c']);
    queue.setPaused(false);
    await settle();
    expect(taken).toEqual(['a', 'b', 'c', 'd']);
    queue.close();
    await taking;
  });

  test('keeps a pod that fits nowhere until something changes, and then its backoff has to pass', async () => {
    queue.add(pod('p'));
    queue.addUnschedulable(await take(), 'no room');
    expect(queue.lengths).toEqual({ active: 0, backoff: 0, unschedulable: 1 });
    queue.moveAll('a node was added', 'NodeAdd');
    expect(queue.lengths).toEqual({ active: 0, backoff: 1, unschedulable: 0 });
    await clock.step(1000);
    expect(queue.lengths).toEqual({ active: 1, backoff: 0, unschedulable: 0 });
  });

  test('doubles the backoff with each attempt, to ten seconds', async () => {
    queue.add(pod('p'));
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      queue.addUnschedulable(await take(), 'no room');
      queue.moveAll('something', 'NodeAdd');
      const from = clock.now();
      while (queue.lengths.active === 0) await clock.step(100);
      waits.push(clock.now() - from);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  test('tries a pod again soon when something changed while it was being tried', async () => {
    queue.add(pod('p'));
    const queued = await take();
    queue.moveAll('a node was added meanwhile', 'NodeAdd');
    queue.addUnschedulable(queued, 'no room');
    expect(queue.lengths.backoff).toBe(1);
  });

  test('tries a pod again that has been unschedulable for more than a minute', async () => {
    queue.add(pod('p'));
    queue.addUnschedulable(await take(), 'no room');
    await clock.step(60_000);
    expect(queue.lengths.active).toBe(0);
    // That is looked at every half minute.
    await clock.step(30_000);
    expect(queue.lengths.active).toBe(1);
  });

  test('wakes a pod that was given up when its spec changes, not when only its status does', async () => {
    queue.add(pod('p'));
    queue.addUnschedulable(await take(), 'no room');
    await clock.step(5000);
    queue.update(pod('p', { status: { phase: 'Pending' } }));
    expect(queue.lengths.unschedulable).toBe(1);
    queue.update(pod('p', { spec: { nodeSelector: { a: 'b' } } }));
    expect(queue.lengths.active).toBe(1);
  });

  test('tries a pod that is backing off at once when it is changed', async () => {
    queue.add(pod('p'));
    queue.addUnschedulable(await take(), 'no room');
    queue.moveAll('a node was added', 'NodeAdd');
    queue.update(pod('p'));
    expect(queue.lengths).toEqual({ active: 1, backoff: 0, unschedulable: 0 });
  });

  test('queues a pod that changes during its attempt once', async () => {
    queue.add(pod('p'));
    const queued = await take();
    queue.update(pod('p', { labels: { a: 'b' } }));
    queue.addUnschedulable(queued, 'no room');
    expect(queue.lengths).toEqual({ active: 1, backoff: 0, unschedulable: 0 });
    expect((await take()).pod.metadata.labels).toEqual({ a: 'b' });
  });

  test('keeps pods of one name apart by their uids', async () => {
    queue.add(pod('p'));
    queue.remove({ ...pod('p'), metadata: { ...pod('p').metadata, uid: 'another' } });
    expect((await take()).pod.metadata.uid).toBe('uid-p');
  });

  test('wakes only those that an event may help', async () => {
    for (const name of ['a', 'b']) {
      queue.add(pod(name));
      queue.addUnschedulable(await take(), 'no room');
    }
    await clock.step(2000);
    queue.moveAll('a pod was placed', 'AssignedPodAdd', ({ metadata }) => metadata.name === 'b');
    expect(queue.lengths).toEqual({ active: 1, backoff: 0, unschedulable: 1 });
  });

  test('shows who waits where, until when, and why', async () => {
    queue.add(pod('failed'));
    queue.addUnschedulable(await take(), 'Insufficient cpu');
    queue.add(pod('retried'));
    const retried = await take();
    queue.moveAll('a node was added', 'NodeAdd', () => false);
    queue.addUnschedulable(retried, 'Insufficient memory');
    queue.add(pod('low'));
    queue.add(pod('high', { spec: { priority: 7 } }));
    expect(queue.lanes()).toMatchObject({
      active: [
        { pod: 'ns/high', priority: 7, attempts: 0 },
        { pod: 'ns/low', priority: 0, attempts: 0 },
      ],
      backoff: [{ pod: 'ns/retried', attempts: 1, until: clock.now() + 1000, reason: 'Insufficient memory' }],
      unschedulable: [{ pod: 'ns/failed', attempts: 1, reason: 'Insufficient cpu' }],
    });
  });

  test('never gives a pod that was removed', async () => {
    queue.add(pod('gone'));
    queue.remove(pod('gone'));
    queue.add(pod('there'));
    expect((await take()).pod.metadata.name).toBe('there');
  });

  test('ends the wait of whoever asks when it is closed', async () => {
    const waiting = queue.pop();
    await settle();
    queue.close();
    expect(await waiting).toBeUndefined();
  });
});
