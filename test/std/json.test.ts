import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clone, copyUnfrozen, deepFreeze, isObject, setOwn } from '../../src/std/index.ts';

/** A JSON value of which some parts are frozen. */
const partlyFrozen = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>('text', 7, true, null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('any'), { maxKeys: 3 }),
    tie('any').map((value) => deepFreeze(clone(value))),
  ),
})).any;

/** Changes everything that can be changed. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) spoil(inner);
  if (Object.isFrozen(value)) return;
  if (Array.isArray(value)) value.push('spoiled');
  else if (isObject(value)) setOwn(value, 'spoiled', true);
}

describe('a copy of what is not frozen', () => {
  test('is not reached by any later change', () => {
    fc.assert(
      fc.property(partlyFrozen, (value) => {
        const before = clone(value);
        const copy = copyUnfrozen(value);
        spoil(value);
        expect(copy).toEqual(before);
      }),
      { seed: 20261128, numRuns: 500 },
    );
  });

  test('shares what is frozen', () => {
    const spec = deepFreeze({ containers: [{ name: 'a' }] });
    const pod = { spec, status: { phase: 'Running' } };
    const copy = copyUnfrozen(pod);
    expect(copy.spec).toBe(spec);
    expect(copy.status).not.toBe(pod.status);
  });
});
