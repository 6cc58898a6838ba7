import { expect, test } from 'vitest';
import { Recent } from '../../src/std/index.ts';

test('keeps what came last, and lets go of what is older', () => {
  const recent = new Recent<number, string>(3);
  for (let i = 0; i < 7; i++) expect(recent.set(i, `made ${i}`)).toBe(`made ${i}`);
  expect([0, 2, 3, 6].map((key) => recent.get(key))).toEqual([undefined, undefined, 'made 3', 'made 6']);
});

test('keeps what is asked for again and again, however much comes meanwhile', () => {
  const recent = new Recent<number, string>(3);
  for (let i = 0; i < 20; i++) {
    recent.set(i, `made ${i}`);
    expect(recent.get(0)).toBe('made 0');
  }
  expect(recent.get(1)).toBeUndefined();
});
