import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstIndex } from '../../src/std/index.ts';

test('finds what a search from the start finds', () => {
  const sorted = fc.array(fc.nat(20)).map((numbers) => numbers.sort((a, b) => a - b));
  fc.assert(
    fc.property(sorted, fc.nat(20), fc.nat(5), (numbers, wanted, start) => {
      const from = Math.min(start, numbers.length);
      const found = numbers.findIndex((number, at) => at >= from && number >= wanted);
      const expected = found < 0 ? numbers.length : found;
      expect(firstIndex(numbers.length, (at) => (numbers[at] as number) >= wanted, from)).toBe(expected);
    }),
  );
});
