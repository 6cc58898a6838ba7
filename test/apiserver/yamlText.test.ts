/** YAML as the reference's library writes it. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/apiserver/codec/body.ts';
import { yamlSteps, yamlText } from '../../src/apiserver/codec/yamlText.ts';
import { loadYaml } from '../../src/std/index.ts';

describe('YAML', () => {
  beforeAll(() => loadYaml());

  it('has lists with the indentation of their key, and items two further in', () => {
    const value = { b: [{ d: [], c: { x: 1 } }, [1, [2]], 'z'], a: {}, e: null, f: [true, 1.5, 1e21, {}] };
    expect(yamlText(value)).toBe(
      'a: {}\nb:\n- c:\n    x: 1\n  d: []\n- - 1\n  - - 2\n- z\ne: null\nf:\n- true\n- 1.5\n- 1e+21\n- {}\n',
    );
  });

  it('is written in steps: other tasks run after each thousand lines', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => [`key-${i}`, i] as const);
    expect([...yamlSteps({ data: Object.fromEntries(lines) })].length).toBeGreaterThan(20);
  });

  it('sorts keys by whole characters, not by surrogate halves', () => {
    const keys = ['\u{10400}', '\u{10428}', '\u{1f600}', '\uff5e'];
    const text = yamlText(Object.fromEntries(keys.toReversed().map((key) => [key, 1])));
    const order = ['\uff5e', '"\\U0001F600"', '"\\U00010400"', '"\\U00010428"'];
    expect(text.trim().split('\n')).toEqual(order.map((key) => `${key}: 1`));
  });

  it('takes linear time for long texts that are nearly numbers', () => {
    const digits = '1'.repeat(1_000_000);
    expect(yamlText([`${digits}x`, `${digits}_`, digits])).toBe(`- ${digits}x\n- "${digits}_"\n- "${digits}"\n`);
    const keys = [`${digits}x1`, `${digits}x0`];
    const text = yamlText(Object.fromEntries(keys.map((key) => [key, 1])));
    expect(text).toBe(`${digits}x0: 1\n${digits}x1: 1\n`);
  });

  it('with an escaped surrogate half is refused, because it is not a character', () => {
    expect(() => parseYaml(String.raw`name: "\ud800"`)).toThrow('found invalid Unicode character escape code');
  });

  it('has keys in natural order, non-letters first', () => {
    const keys = ['a10', 'a2', 'a', 'a_b', 'aB', 'ab', 'Z', '.', 'f:x', 'k:{"a":1}', 'a/b'];
    const text = yamlText(Object.fromEntries(keys.map((key) => [key, 1])));
    const order = text
      .trim()
      .split('\n')
      .map((line) => line.replace(/: 1$/, ''));
    expect(order).toEqual(['.', 'Z', 'a', 'a/b', 'a_b', 'a2', 'a10', 'aB', 'ab', 'f:x', 'k:{"a":1}']);
  });

  it.each([
    ['a', 'a'],
    ['', '""'],
    ['true', '"true"'],
    ['y', '"y"'],
    ['Off', '"Off"'],
    ['~', '"~"'],
    ['1', '"1"'],
    ['1_000', '"1_000"'],
    ['0x1F', '"0x1F"'],
    ['1e3', '1e3'],
    ['1e+3', '"1e+3"'],
    ['.', '.'],
    ['.5', '".5"'],
    ['1.', '1.'],
    ['1:30', '"1:30"'],
    ['2021-01-01', '"2021-01-01"'],
    ['2021-01-01T00:00:00Z', '"2021-01-01T00:00:00Z"'],
    ['a: b', "'a: b'"],
    ['a:b', 'a:b'],
    ['a #b', "'a #b'"],
    ['- a', "'- a'"],
    ['-', "'-'"],
    ['--', '--'],
    ['---', "'---'"],
    ['*', "'*'"],
    ['{}', "'{}'"],
    ["'a'", "'''a'''"],
    ["it's", "it's"],
    ['"a"', `'"a"'`],
    [' a', "' a'"],
    ['a ', "'a '"],
    ['a\tb', '"a\\tb"'],
    ['a\u0000b', '"a\\0b"'],
    ['é', 'é'],
    ['😀', '"\\U0001F600"'],
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\n', '|+\n  a\n'],
    [' a\nb', '|2-\n   a\n  b'],
    ['a \nb', '"a \\nb"'],
  ])('writes %j as %s', (text, wanted) => expect(yamlText({ k: text })).toBe(`k: ${wanted}\n`));

  it('folds long lines at the first space after column 80', () => {
    const word = 'x'.repeat(39);
    expect(yamlText({ k: `${word} ${word} ${word} y` })).toBe(
      `k: ${word} ${word}\n  ${word} y\n`.replace('\n  x', '\n  x'),
    );
    expect(yamlText([`${word}: ${word} ${word}`])).toBe(`- '${word}: ${word}\n  ${word}'\n`);
  });

  it('is parsed back to the same value', () => {
    const values = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary-ascii' }).map((text) => JSON.stringify([text, { k: text }])),
    );
    fc.assert(
      fc.property(values, (json) => {
        const value: unknown = JSON.parse(json);
        expect(parseYaml(yamlText(value))).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['2021-01-01', '2021-01-01'],
    ['2021-01-01T00:00:00Z', '2021-01-01T00:00:00Z'],
    ['1:30', '1:30'],
    ['1e3', '1e3'],
    ['1e+3', 1000],
    ['1.', '1.'],
    ['.', '.'],
    ['.5', 0.5],
    ['1_000', 1000],
    ['010', 8],
    ['yes', true],
  ])('reads %s as %j', (text, wanted) => expect(parseYaml(`k: ${text}`)).toEqual({ k: wanted }));
});
