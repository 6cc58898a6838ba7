import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedIndex } from '../../src/std/index.ts';

interface Item {
  readonly key: string;
  readonly value: number;
}

/** Few enough keys that they meet, enough that chunks fill, split and empty. */
const key = fc.integer({ min: 0, max: 2000 }).map((n) => `/k/${n.toString(36)}`);
const change = fc.record({ key, value: fc.integer({ min: -1, max: 3 }) });

function keysBetween(index: OrderedIndex<string, Item>, start: string, end?: string): string[] {
  const keys: string[] = [];
  index.scan(start, end, (item) => {
    keys.push(item.key);
    return true;
  });
  return keys;
}

test('rule 13: finds, counts and orders as a sorted list does', () => {
  const changes = fc.array(change, { maxLength: 6000, size: 'max' });
  fc.assert(
    fc.property(changes, key, key, (all, start, end) => {
      const index = new OrderedIndex<string, Item>();
      const plain = new Map<string, Item>();
      for (const item of all) {
        if (item.value < 0) expect(index.delete(item.key)).toBe(plain.delete(item.key));
        else if (item.value === 0) {
          expect(index.getOrAdd(item.key, () => item)).toBe(plain.get(item.key) ?? item);
          plain.set(item.key, plain.get(item.key) ?? item);
        } else {
          index.set(item);
          plain.set(item.key, item);
        }
      }
      const keys = [...plain.keys()].sort();
      expect(index.size).toBe(keys.length);
      expect(keysBetween(index, '')).toEqual(keys);
      const between = keys.filter((k) => k >= start && k < end);
      expect(keysBetween(index, start, end)).toEqual(between);
      expect(index.count(start, end)).toBe(between.length);
      expect(index.get(start)).toBe(plain.get(start));
    }),
    { numRuns: 20, seed: 7 },
  );
});

test('keys that arrive in order, the other way round, or shuffled leave the same index', () => {
  const keys = Array.from({ length: 3000 }, (_, i) => `/k/${String(i).padStart(5, '0')}`);
  const shuffled = keys.map((k, i) => keys[(i * 1009) % keys.length] ?? k);
  for (const order of [keys, keys.toReversed(), shuffled]) {
    const index = new OrderedIndex<string, Item>();
    for (const [value, k] of order.entries()) index.set({ key: k, value });
    expect(keysBetween(index, '')).toEqual(keys);
    expect(index.count('/k/00100', '/k/02000')).toBe(1900);
  }
});

test('an index that was emptied is as good as new', () => {
  const keys = Array.from({ length: 1000 }, (_, i) => `/k/${String(i).padStart(5, '0')}`);
  const index = new OrderedIndex<string, Item>();
  for (const [value, k] of keys.entries()) index.set({ key: k, value });
  for (const k of keys.slice(100, 900)) expect(index.delete(k)).toBe(true);
  expect(keysBetween(index, '/k/00099', '/k/00901')).toEqual(['/k/00099', '/k/00900']);
  for (const k of keys) index.delete(k);
  expect([index.size, index.get('/k/00000'), keysBetween(index, '')]).toEqual([0, undefined, []]);
  index.set({ key: '/k/00007', value: 7 });
  expect(keysBetween(index, '')).toEqual(['/k/00007']);
});
