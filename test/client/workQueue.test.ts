import { describe, expect, test } from 'vitest';
import { WorkQueue } from '../../src/client/index.ts';
import { manualClock, settle } from '../../src/std/index.ts';

interface Bench {
  readonly queue: WorkQueue;
  readonly clock: ReturnType<typeof manualClock>;
  readonly runs: string[];
  finish(key: string): Promise<void>;
}

/** A queue whose work ends only when the test says so. */
function bench(workers: number): Bench {
  const clock = manualClock();
  const runs: string[] = [];
  const open = new Map<string, () => void>();
  const process = (key: string): Promise<void> => {
    runs.push(key);
    return new Promise((resolve) => open.set(key, resolve));
  };
  const finish = async (key: string): Promise<void> => {
    open.get(key)?.();
    await settle();
  };
  return { queue: new WorkQueue({ clock, workers, process }), clock, runs, finish };
}

describe('a work queue', () => {
  test('processes a key once that is added many times', async () => {
    const { queue, runs } = bench(1);
    for (let i = 0; i < 5; i++) queue.add('a');
    await settle();
    expect(runs).toEqual(['a']);
  });

  test('processes a key again that was added during processing, never concurrently', async () => {
    const { queue, runs, finish } = bench(4);
    queue.add('a');
    await settle();
    queue.add('a');
    queue.add('a');
    await settle();
    expect(runs).toEqual(['a']);
    await finish('a');
    expect(runs).toEqual(['a', 'a']);
    await finish('a');
    expect(runs).toEqual(['a', 'a']);
  });

  test('processes as many keys at once as it has workers, first come first served', async () => {
    const { queue, runs, finish } = bench(2);
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    await settle();
    expect(runs).toEqual(['a', 'b']);
    await finish('b');
    expect(runs).toEqual(['a', 'b', 'c']);
  });

  test('uses the shortest of several delays of one key', async () => {
    const { queue, clock, runs } = bench(1);
    queue.addAfter('a', 5000);
    queue.addAfter('a', 1000);
    queue.addAfter('a', 3000);
    await clock.step(999);
    expect(runs).toEqual([]);
    await clock.step(1);
    expect(runs).toEqual(['a']);
  });

  test('doubles the delay of a failing key until it is forgotten', async () => {
    const { queue, clock, runs, finish } = bench(1);
    const gaps: number[] = [];
    for (let failure = 0; failure < 4; failure++) {
      const from = clock.now();
      queue.addRateLimited('a');
      while (runs.length <= failure) await clock.step(1);
      gaps.push(clock.now() - from);
      await finish('a');
    }
    expect(gaps).toEqual([5, 10, 20, 40]);
    expect(queue.failures('a')).toBe(4);
    queue.forget('a');
    expect(queue.failures('a')).toBe(0);
  });

  test('accepts nothing after it is stopped', async () => {
    const { queue, clock, runs } = bench(1);
    queue.addAfter('later', 10);
    queue.stop();
    queue.add('now');
    await clock.step(100);
    expect(runs).toEqual([]);
  });
});
