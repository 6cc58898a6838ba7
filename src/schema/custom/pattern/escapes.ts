/** What a backslash introduces, inside classes and outside. */
import { getOwn } from '../../../std/index.ts';
import { PatternError } from './ast.ts';
import { unicodeClass, type CharRange } from './charSet.ts';
import type { Cursor } from './cursor.ts';

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

/** The one character that an escape stands for. */
export function readEscapedChar(cursor: Cursor): number {
  const start = cursor.position;
  cursor.next();
  const code =
    cursor.match(/0[0-7]{0,2}|[1-7][0-7]{1,2}/y, ([digits]) => parseInt(digits, 8)) ??
    cursor.match(/x\{([0-9A-Fa-f]+)\}/y, ([, digits = '']) => parseInt(digits, 16)) ??
    cursor.match(/x([0-9A-Fa-f]{2})/y, ([, digits = '']) => parseInt(digits, 16)) ??
    cursor.match(/[aftnrv]/y, ([letter]) => getOwn(CONTROLS, letter)) ??
    cursor.match(/[^A-Za-z0-9\u0080-\u{10ffff}]/uy, ([char]) => char.codePointAt(0));
  if (code === undefined || code > 0x10ffff) {
    if (cursor.done && cursor.position === start + 1)
      throw new PatternError('trailing backslash at end of expression: ``');
    cursor.next();
    throw new PatternError(`invalid escape sequence: \`${cursor.since(start)}\``);
  }
  return code;
}

/** `\pL`, `\p{Greek}`, `\P{Greek}`, `\p{^Greek}`. */
export function readUnicodeClass(cursor: Cursor): CharRange | undefined {
  const start = cursor.position;
  const found = cursor.match(/\\([pP])(?:\{(\^?)([^}]*)\}|([^{]))/uy, (match) => match);
  if (!found) {
    if (/^\\[pP]/.test(cursor.rest)) throw new PatternError(`invalid character class range: \`${cursor.rest}\``);
    return undefined;
  }
  const [, letter, caret = '', long, short] = found;
  const known = unicodeClass(long ?? short ?? '');
  if (!known) throw new PatternError(`invalid character class range: \`${cursor.since(start)}\``);
  return { ...known, negated: (letter === 'P') !== (caret === '^') };
}
