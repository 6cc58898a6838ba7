/** How many cells of a screen text takes. */

/** Marks that stand on the character before them, and characters that only join or direct others. */
const EMPTY = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** Scripts whose characters take two cells, as the terminal draws them. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}]/u;

/** Cells of one character. */
export function charWidth(char: string): number {
  if (EMPTY.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** Cells of a text in one line. */
export const textWidth = (text: string): number => [...text].reduce((sum, char) => sum + charWidth(char), 0);

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Where the character before `at` begins. */
export function before(text: string, at: number): number {
  let start = 0;
  // The line before is enough to look at, and keeps long texts cheap.
  const from = text.lastIndexOf('\n', at - 1) + 1;
  if (from === at) return Math.max(0, at - 1);
  for (const { index } of graphemes.segment(text.slice(from, at))) start = index;
  return from + start;
}

/** Where the character at `at` ends. */
export function after(text: string, at: number): number {
  for (const { segment } of graphemes.segment(text.slice(at, at + 64))) return at + segment.length;
  return at;
}
