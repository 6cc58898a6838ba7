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

  test('keeps a pod that fits nowhere until something changes, and then its backoff has to pass', async () => {
    queue.add(pod('p'));
    queue.giveBack(await take());
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
      queue.giveBack(await take());
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
    queue.giveBack(queued);
    expect(queue.lengths.backoff).toBe(1);
  });

  test('tries a pod again after a minute though nothing has changed', async () => {
    queue.add(pod('p'));
    queue.giveBack(await take());
    await clock.step(59_999);
    expect(queue.lengths.active).toBe(0);
    await clock.step(1);
    expect(queue.lengths.active).toBe(1);
  });

  test('wakes a pod that was given up when its spec changes, not when only its status does', async () => {
    queue.add(pod('p'));
    queue.giveBack(await take());
    await clock.step(5000);
    queue.update(pod('p', { status: { phase: 'Pending' } }));
    expect(queue.lengths.unschedulable).toBe(1);
    queue.update(pod('p', { spec: { nodeSelector: { a: 'b' } } }));
    expect(queue.lengths.active).toBe(1);
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
