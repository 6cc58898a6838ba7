/** What changes in the page all the time changes at moments that all share, so that the browser paints once for all of it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { untilBeat } from '../../src/ui/stores/beat.ts';
import { everySecond } from '../../src/ui/stores/clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what was gathered', () => {
  test('is shown at the next moment, which is the same for all that have begun to gather since the last one', () => {
    const shown: number[] = [];
    const gather = (ofEach?: number): void => void setTimeout(() => shown.push(performance.now()), untilBeat(ofEach));
    vi.advanceTimersByTime(untilBeat(4));
    const start = performance.now();
    for (const wait of [7, 20, 25]) {
      vi.advanceTimersByTime(wait);
      gather();
      gather(2);
    }
    vi.advanceTimersByTime(1_000);
    expect(shown.map((at) => at - start)).toEqual([60, 60, 60, 120, 120, 120]);
  });

  test('at a moment waits for the next one', () => {
    vi.advanceTimersByTime(untilBeat());
    expect(untilBeat()).toBe(60);
    vi.advanceTimersByTime(59);
    expect(untilBeat()).toBe(1);
  });
});

describe('each second', () => {
  test('all are called in one task, whenever they came', () => {
    const called: string[] = [];
    const end = everySecond(() => called.push('first'));
    vi.advanceTimersByTime(400);
    const endSecond = everySecond(() => called.push('second'));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(600);
    expect(called).toEqual(['first', 'second']);
    end();
    vi.advanceTimersByTime(1_000);
    expect(called).toEqual(['first', 'second', 'second']);
    endSecond();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('one that ends another, or itself, is no hindrance, and the same function may be given twice', () => {
    let calls = 0;
    const count = (): void => void calls++;
    const ends = [everySecond(count), everySecond(count)];
    const endAll = everySecond(() => {
      for (const end of [...ends, endAll]) end();
    });
    vi.advanceTimersByTime(1_000);
    expect(calls).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
    const again = everySecond(count);
    vi.advanceTimersByTime(1_000);
    expect(calls).toBe(3);
    again();
  });
});
