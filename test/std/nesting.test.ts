import { expect, test } from 'vitest';
import { nestsDeeper } from '../../src/std/index.ts';

test.each<[value: unknown, levels: number]>([
  [1, 0],
  [{}, 1],
  [[{ a: 1 }, [[]]], 3],
  [{ a: { b: [null, 'x'] } }, 3],
])('%j nests %i deep', (value, levels) => {
  expect(nestsDeeper(value, levels)).toBe(false);
  if (levels > 0) expect(nestsDeeper(value, levels - 1)).toBe(true);
});

test('a value of any depth can be asked about', () => {
  expect(nestsDeeper(JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)), 1000)).toBe(true);
});
