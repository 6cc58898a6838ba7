import { expect, test } from 'vitest';
import { Recent } from '../../src/std/index.ts';

test('keeps what came last, and lets go of what is older', () => {
  const recent = new Recent<number, string>(3);
  for (let i = 0; i < 3; i++) expect(recent.set(i, `made ${i}`)).toBe(`made ${i}`);
  recent.set(3, 'made 3');
  expect([0, 1, 2, 3].map((key) => recent.get(key))).toEqual(['made 0', 'made 1', 'made 2', 'made 3']);
  for (let i = 4; i < 7; i++) recent.set(i, `made ${i}`);
  expect([0, 2, 3, 6].map((key) => recent.get(key))).toEqual([undefined, undefined, 'made 3', 'made 6']);
});
