import { expect, test } from 'vitest';
import { goText, goType, trimRight } from '../../src/std/index.ts';

test.each([
  [null, '<nil>', '<nil>'],
  ['a b', 'a b', 'string'],
  [true, 'true', 'bool'],
  [5, '5', 'int64'],
  [1.5, '1.5', 'float64'],
  [[1, null, ['x']], '[1 <nil> [x]]', '[]interface {}'],
  [{ b: { c: [] }, a: '' }, 'map[a: b:map[c:[]]]', 'map[string]interface {}'],
])('Go prints %j as %s, of type %s', (value, text, type) => {
  expect(goText(value)).toBe(text);
  expect(goType(value)).toBe(type);
});

test.each([
  ['', '/', ''],
  ['///', '/', ''],
  ['/a//b//', '/', '/a//b'],
  ['a \t\n', ' \t', 'a \t\n'],
  ['a \t \t', ' \t', 'a'],
  // A time that grows with the square of the length would not end within the test's limit.
  [`${'='.repeat(1_000_000)}a==`, '=', `${'='.repeat(1_000_000)}a`],
])('%#: the end of a text is trimmed in linear time', (text, characters, trimmed) => {
  expect(trimRight(text, characters)).toBe(trimmed);
});
