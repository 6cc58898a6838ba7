import { describe, expect, test } from 'vitest';
import { ExpiringMap, manualClock } from '../../src/std/index.ts';

describe('a map whose entries expire', () => {
  test('keeps each for its time, from when it was set last', async () => {
    const clock = manualClock();
    const map = new ExpiringMap<number>(clock, 10);
    map.set('a', 1, 100);
    map.set('b', 2, 200);
    await clock.step(99);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, 2, undefined]);
    await clock.step(1);
    expect([map.get('a'), map.get('b')]).toEqual([undefined, 2]);
    map.set('b', 3, 200);
    await clock.step(150);
    expect(map.get('b')).toBe(3);
  });

  test('forgets beyond its size what was set least recently', () => {
    const map = new ExpiringMap<number>(manualClock(), 2);
    map.set('a', 1, 100);
    map.set('b', 2, 100);
    map.set('a', 3, 100);
    expect([map.get('a'), map.get('b')]).toEqual([3, 2]);
    map.set('c', 4, 100);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
  });

  test('keeps nothing for no time', () => {
    const map = new ExpiringMap<number>(manualClock());
    map.set('a', 1, 100);
    map.set('b', 2, 0);
    expect([map.get('a'), map.get('b')]).toEqual([1, undefined]);
  });
});
