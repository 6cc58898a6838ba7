import { describe, expect, it } from 'vitest';
import { mergePatch } from '../../src/merge/index.ts';
import { refusal } from './support.ts';

/** The examples of RFC 7386, appendix A, as far as the result is an object or a list. */
const examples: readonly (readonly [document: unknown, patch: unknown, result: unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  // Beyond the RFC.
  [{ a: 1 }, { a: [{ b: null, c: [{ d: null }] }] }, { a: [{ c: [{}] }] }],
  [{}, { a: [null, 1] }, { a: [1] }],
  [{ a: {} }, { a: [null, 1] }, { a: [null, 1] }],
  [{ a: null }, { a: { b: null } }, { a: {} }],
  [{}, JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
];

describe('merge patch', () => {
  it.each(examples)('%j with %j', (document, patch, result) => {
    const before = structuredClone(document);
    expect(mergePatch(document, patch)).toEqual(result);
    expect(document).toEqual(before);
  });

  it.each([['x'], [5], [true], [null]])('refuses %j as a patch', (patch) => {
    const refused = refusal(() => mergePatch({}, patch));
    expect(refused.code).toBe(500);
    expect(refused.reason).toBeUndefined();
  });
});
