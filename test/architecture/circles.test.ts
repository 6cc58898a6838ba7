import { describe, expect, test } from 'vitest';
import { circlesOf } from './circles.ts';
import { importsOf, readSources } from './source.ts';
import type { Import } from './source.ts';

/** Milliseconds. Every source is parsed, which takes its time on a busy machine. */
const TIMEOUT = 120_000;

test('there are no import cycles in src', { timeout: TIMEOUT }, () => {
  const circles = circlesOf(readSources().flatMap(importsOf));
  expect(circles, 'move what both need into a file that imports neither; types count as well').toEqual([]);
});

describe('circlesOf', () => {
  const imports = (...pairs: readonly string[]): Import[] =>
    pairs.map((pair) => {
      const [file = '', target] = pair.split('>');
      return { file, target, line: 1, specifier: './x.ts', typeOnly: true };
    });

  test.each([
    ['a chain', ['a>b', 'b>c'], []],
    ['two ways to one file', ['a>b', 'a>c', 'b>d', 'c>d'], []],
    ['two files', ['a>b', 'b>a'], [['a', 'b']]],
    ['a longer circle, entered from outside', ['x>b', 'a>b', 'b>c', 'c>a', 'c>y'], [['a', 'b', 'c']]],
    ['two circles that share a file', ['a>b', 'b>a', 'b>c', 'c>b'], [['a', 'b', 'c']]],
    [
      'two circles apart, the larger first',
      ['a>b', 'b>a', 'c>d', 'd>e', 'e>c', 'a>c'],
      [
        ['c', 'd', 'e'],
        ['a', 'b'],
      ],
    ],
  ])('finds circles in %s', (_, pairs, circles) => {
    expect(circlesOf(imports(...pairs))).toEqual(circles);
  });
});
