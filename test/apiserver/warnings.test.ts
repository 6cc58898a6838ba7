/** How much warnings may come to. */
import { describe, expect, it } from 'vitest';
import { withinLimit, withWarnings } from '../../src/apiserver/stages/warnings.ts';

const long = (length: number): string => 'x'.repeat(length);

describe('warnings', () => {
  it.each<[string, number[], number[]]>([
    ['stay as they are up to the limit', [4000, 96], [4000, 96]],
    ['are all cut beyond it', [4000, 97, 10], [256, 97, 10]],
    ['are cut where one alone is too much', [5000], [256]],
    ['end when what is cut comes to the limit', [4000, ...Array<number>(30).fill(300)], Array<number>(16).fill(256)],
  ])('%s', (_what, lengths, expected) => {
    expect(withinLimit(lengths.map(long)).map((text) => text.length)).toEqual(expected);
  });

  it('count characters, not halves of them', () => {
    expect(withinLimit(['😀'.repeat(4097)])).toEqual(['😀'.repeat(256)]);
  });

  it('are quoted, each in a header of its own', () => {
    const { headers } = withWarnings(new Response(null), new Set(['a "b"', 'c\nd']));
    expect(headers.get('warning')).toBe('299 - "a \\"b\\"", 299 - "c d"');
  });
});
