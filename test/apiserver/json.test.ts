/** Bodies as the reference reads them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, SyntaxProblem } from '../../src/apiserver/codec/json.ts';
import { mayHaveSpecialNumbers } from '../../src/apiserver/codec/numbers.ts';

describe('a body in JSON', () => {
  it.each([
    ['the later value', '{"a":1,"a":2}', { a: 2 }],
    ['null takes away', '{"a":{"b":1},"a":null}', { a: null }],
    ['objects merge', '{"a":{"b":1,"c":1},"a":{"c":2}}', { a: { b: 1, c: 2 } }],
    [
      'objects in them, too',
      '{"a":{"b":{"c":1}},"a":{"b":{"d":[1,{"e":"x: {"}]}}}',
      { a: { b: { c: 1, d: [1, { e: 'x: {' }] } } },
    ],
    ['lists are replaced', '{"a":[1],"a":[{"b":1,"b":2}]}', { a: [{ b: 2 }] }],
    ['escaped keys are the same keys', '{"a":1,"\\u0061":2}', { a: 2 }],
  ])('with a duplicate key: %s', (_what, text, value) => expect(parseJson(text)).toEqual(value));

  it.each([
    ['the first half alone', String.raw`{"a":"\ud800"}`, { a: '\ufffd' }],
    ['the second half alone', String.raw`{"a":"\udc00x"}`, { a: '\ufffdx' }],
    ['in a key', String.raw`{"\uD800":1}`, { '\ufffd': 1 }],
    ['two first halves', String.raw`["\ud83d\ud83d\ude00"]`, ['\ufffd😀']],
    ['a whole pair', String.raw`["\ud83d\ude00"]`, ['😀']],
    ['a backslash before what looks like one', String.raw`["\\ud800"]`, [String.raw`\ud800`]],
  ])('with half of a surrogate pair: %s', (_what, text, value) => expect(parseJson(text)).toEqual(value));

  it('is unchanged without duplicate keys', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('with a key repeated a hundred thousand times is parsed quickly', () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `k${i}`);
    const read = parseJson(`{${keys.map((key) => `"a":{"${key}":1}`).join(',')}}`);
    expect(read).toEqual({ a: Object.fromEntries(keys.map((key) => [key, 1])) });
  });

  it('has limited nesting', () => {
    expect(() => parseJson('['.repeat(100_000))).toThrow(SyntaxProblem);
    expect(() => parseJson(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)).toThrow(SyntaxProblem);
  });
});

describe('special numbers', () => {
  it.each([
    ['a fraction', '{"a":30.0}', true],
    ['an exponent', '[3e1]', true],
    ['a large exponent', '[3E+1]', true],
    ['sixteen digits', '-9007199254740993', true],
    ['fifteen digits', '[900719925474099]', false],
    ['short integers', '{"a":[1,23,-456],"b":true}', false],
    ['an address in a string', '{"a":"10.244.0.2","b":1}', false],
    ['a long number in a key', '{"12345678901234567":1}', false],
    ['a number behind an escaped quote', String.raw`{"a":"\\\"1.5","b":2}`, false],
    ['a number behind a string that ends with a backslash', String.raw`{"a":"1.5\\","b":2.5}`, true],
  ])('%s', (_what, text, special) => expect(mayHaveSpecialNumbers(text)).toBe(special));

  it('are found only outside of strings', () => {
    const text = fc.array(fc.oneof(fc.constantFrom('1.5', '2e9', '\\', '"', 'e', '.'), fc.integer().map(String)));
    const leaf = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true }),
      text.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(text.map(String), leaf), (value, map) => {
        const json = JSON.stringify([value, map]);
        const numbers = json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[\d.eE+-]+/g) ?? [];
        expect(mayHaveSpecialNumbers(json)).toBe(numbers.some((number) => /\d\.\d|\d[eE][-+]?\d|\d{16}/.test(number)));
      }),
    );
  });
});
