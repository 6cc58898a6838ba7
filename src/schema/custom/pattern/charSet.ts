/**
 * Sets of characters. A set is tested by a regular expression of the host for one character: that can't be slow, and it
 * knows Unicode's categories, scripts and folding of case.
 */

/** A part of a set: the inside of a class for the host, or all that is not in it. */
export interface CharRange {
  readonly source: string;
  readonly negated?: boolean;
}

export interface CharSet {
  has(codePoint: number): boolean;
}

/** The union of the parts, or with `negated` all else. With `fold`, case makes no difference. */
export function charSet(parts: readonly CharRange[], fold: boolean, negated = false): CharSet {
  const flags = fold ? 'iu' : 'u';
  const tests = parts.map(({ source, negated: not = false }) => ({ test: new RegExp(`[${source}]`, flags), not }));
  const known = new Map<number, boolean>();
  const find = (codePoint: number): boolean => {
    const text = String.fromCodePoint(codePoint);
    return tests.some(({ test, not }) => test.test(text) !== not) !== negated;
  };
  return {
    has(codePoint) {
      let has = known.get(codePoint);
      if (has === undefined) {
        has = find(codePoint);
        // Enough for any alphabet that comes up; a text of all characters there are is not remembered.
        if (known.size < 512) known.set(codePoint, has);
      }
      return has;
    },
  };
}

const escaped = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`;

export const oneChar = (codePoint: number): CharRange => ({ source: escaped(codePoint) });

export const charsBetween = (low: number, high: number): CharRange => ({ source: `${escaped(low)}-${escaped(high)}` });

/** The classes that Perl writes as a backslash and a letter; they hold ASCII alone. */
export const PERL_CLASSES: Readonly<Record<string, CharRange>> = {
  d: { source: '0-9' },
  D: { source: '0-9', negated: true },
  s: { source: '\\t\\n\\f\\r ' },
  S: { source: '\\t\\n\\f\\r ', negated: true },
  w: { source: '0-9A-Za-z_' },
  W: { source: '0-9A-Za-z_', negated: true },
};

/** The classes that POSIX writes as `[:name:]`. */
export const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** A Unicode category or script by name; undefined if unknown. */
export function unicodeClass(name: string): CharRange | undefined {
  if (name === 'Any') return charsBetween(0, 0x10ffff);
  if (/^[A-Z][a-z]?$/.test(name)) return known(`\\p{General_Category=${name}}`);
  return /^[A-Z][A-Za-z_]+$/.test(name) ? known(`\\p{Script=${name}}`) : undefined;
}

function known(source: string): CharRange | undefined {
  try {
    new RegExp(`[${source}]`, 'u');
    return { source };
  } catch {
    return undefined;
  }
}
