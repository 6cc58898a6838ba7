import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepFreeze, JsonBody } from '../../src/std/index.ts';

const anything = fc.anything({
  key: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'metadata', 'managedFields', 'fieldsV1'), fc.string()),
  values: [fc.string({ unit: 'binary' }), fc.integer(), fc.double(), fc.boolean(), fc.constantFrom(null, undefined)],
});

const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

describe('a JSON body', () => {
  test('has the value that parsing the text would give', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anything), (value) => {
        const body = JsonBody.of(value);
        if (!body) return;
        expect(body.value).toStrictEqual(parsed(value));
        expect(JSON.parse(body.text)).toStrictEqual(parsed(value));
      }),
    );
  });

  test('is made of every value of short integers, whole characters, booleans and nulls', () => {
    const plain = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string({ unit: 'grapheme-ascii' }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
      ),
      list: fc.array(tie('value')),
    })).value;
    fc.assert(
      fc.property(plain, (value) => {
        expect(JsonBody.of({ value })?.value).toStrictEqual({ value });
      }),
    );
  });

  test.each([
    ['a fraction', 1.5],
    ['a long integer', 1e15],
    ['no number', NaN],
    ['half a surrogate pair', '\ud800'],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a value with a text of its own', { toJSON: () => 'x' }],
    ['a function', () => undefined],
    ['a bigint', 1n],
  ])('is not made of %s', (_what, value) => {
    expect(JsonBody.of({ a: [value] })).toBeUndefined();
    expect(JsonBody.of({ a: { b: value } })).toBeUndefined();
  });

  test('is not made of what is too deep for the stack', () => {
    expect(JsonBody.of(nested(50))).toBeDefined();
    expect(JsonBody.of(nested(100_000))).toBeUndefined();
  });

  test('does not change with the value that it was made of', () => {
    const labels: Record<string, string> = { a: 'b' };
    const body = JsonBody.of({ metadata: { labels } });
    labels['a'] = 'c';
    expect(body?.value).toEqual({ metadata: { labels: { a: 'b' } } });
    expect(body?.text).toBe('{"metadata":{"labels":{"a":"b"}}}');
  });

  test('shares frozen sets of owned fields, and nothing else', () => {
    const fieldsV1 = deepFreeze({ 'f:data': {} });
    const data = deepFreeze({ a: {} });
    const body = JsonBody.of({ metadata: { managedFields: [{ fieldsV1 }, { fieldsV1: {} }] }, data });
    expect(body?.value).toStrictEqual({ metadata: { managedFields: [{ fieldsV1 }, { fieldsV1: {} }] }, data });
    expect(JSON.stringify(body?.value)).toBe(body?.text);
    expect(ownersOf(body)[0]?.fieldsV1).toBe(fieldsV1);
    expect(body?.value).not.toHaveProperty(
      'data',
      expect.toSatisfy((copied: object) => Object.isFrozen(copied)),
    );
  });

  test('estimates the number of characters in its text', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), fc.array(fc.integer()), { noNullPrototype: true }),
        (value) => {
          const { size = NaN, text = '' } = JsonBody.of(value) ?? {};
          expect(size).toBeGreaterThanOrEqual(text.length / 4);
          expect(size).toBeLessThanOrEqual(text.length * 8 + 8);
        },
      ),
    );
  });
});

function nested(levels: number): object {
  let value = {};
  for (let i = 0; i < levels; i++) value = { a: value };
  return value;
}

const ownersOf = (body: JsonBody | undefined): readonly { readonly fieldsV1?: object }[] =>
  (body?.value as { metadata: { managedFields: { fieldsV1?: object }[] } }).metadata.managedFields;
