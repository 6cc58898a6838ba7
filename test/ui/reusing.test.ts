import { expect, test } from 'vitest';
import { ElementKeys } from '../../src/ui/parts/reusing.ts';

test('a row keeps its element while it is in sight, and a new row gets a new one', () => {
  const elements = new ElementKeys();
  expect(elements.of(['c', 'b', 'a'])).toEqual([1, 2, 3]);
  expect(elements.of(['d', 'c', 'b'])).toEqual([4, 1, 2]);
  expect(elements.of(['d', 'c', 'b'])).toEqual([4, 1, 2]);
});

test('where all rows in sight are replaced, their elements show the new ones', () => {
  const elements = new ElementKeys();
  elements.of(['b', 'a']);
  expect(elements.of(['f', 'e', 'd'])).toEqual([1, 2, 3]);
  expect(elements.of(['g', 'f'])).toEqual([4, 1]);
});
