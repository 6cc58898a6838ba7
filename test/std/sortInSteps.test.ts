import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce, sortInSteps } from '../../src/std/index.ts';

test('sorts as the platform does, equal items as they came', () => {
  const item = fc.record({ rank: fc.integer({ min: 0, max: 50 }), id: fc.integer() });
  const compare = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank;
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5000, size: 'max' }), (items) => {
      expect(atOnce(sortInSteps(items, compare))).toEqual(items.toSorted(compare));
    }),
    { numRuns: 30 },
  );
});

test('lets others run about once for each thousand items that it merges', () => {
  const items = Array.from({ length: 16_000 }, (_, i) => (i * 7919) % 16_000);
  expect([...sortInSteps(items, (a, b) => a - b)].length).toBeGreaterThan(16);
});
