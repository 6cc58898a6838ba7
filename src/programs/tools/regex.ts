import { getOwn } from '../../std/index.ts';
import { RE2JS } from 're2js';

/** A regular expression of grep, sed and awk. It takes time linear in the text for every expression. */
export interface Pattern {
  test(text: string): boolean;
  /** The first match from an offset on: its position and groups. */
  match(text: string, from?: number): Match | undefined;
}

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole match, then the groups. */
  readonly groups: readonly (string | undefined)[];
}

export interface PatternOptions {
  /** ERE rather than BRE. */
  readonly extended?: boolean;
  readonly ignoreCase?: boolean;
}

export class PatternError extends Error {
  override name = 'PatternError';
}

/** Compiles a POSIX expression. References back into the match aren't supported. Throws PatternError. */
export function compilePattern(text: string, { extended = false, ignoreCase = false }: PatternOptions = {}): Pattern {
  try {
    const flags = RE2JS.LONGEST_MATCH | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return wrap(RE2JS.compile(extended ? fromExtended(text) : fromBasic(text), flags));
  } catch (problem) {
    throw new PatternError(`bad regex '${text}': ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}

function wrap(compiled: RE2JS): Pattern {
  return {
    test: (text) => compiled.matcher(text).find(),
    match: (text, from = 0) => {
      const matcher = compiled.matcher(text);
      if (!matcher.find(from)) return undefined;
      const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined);
      return { start: matcher.start(), end: matcher.end(), groups };
    },
  };
}

/** The matches of a pattern in a text, in order. An empty match directly after another is skipped, as in POSIX. */
export function* matchesIn(pattern: Pattern, text: string): Iterable<Match> {
  let end = -1;
  for (let from = 0; from <= text.length;) {
    const match = pattern.match(text, from);
    if (!match) return;
    const isEmpty = match.start === match.end;
    if (!isEmpty || match.start !== end) yield match;
    end = match.end;
    from = isEmpty ? end + 1 : end;
  }
}

const BRACKET = /^\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]/;

/** Brackets have their own rules: a backslash in them is plain. */
function bracket(text: string): string | undefined {
  return BRACKET.exec(text)?.[0]
    .replace(/\\/g, '\\\\')
    .replace(/^\[(\^?)\]/, '[$1\\]');
}

const GNU: Readonly<Record<string, string>> = {
  '<': '\\b',
  '>': '\\b',
  b: '\\b',
  B: '\\B',
  w: '\\w',
  W: '\\W',
  s: '\\s',
  S: '\\S',
  "'": '\\z',
  '`': '\\A',
  n: '\\n',
  t: '\\t',
};

type Translate = (char: string, begins: boolean) => string;

/** `begins`: nothing stands before it that a star could repeat. */
function translate(text: string, plain: Translate, escaped: Translate): string {
  let result = '';
  let begins = true;
  for (let at = 0; at < text.length;) {
    const set = text.charAt(at) === '[' ? bracket(text.slice(at)) : undefined;
    const isEscape = text.charAt(at) === '\\' && at + 1 < text.length;
    const char = text.charAt(isEscape ? at + 1 : at);
    const shown: string = set ?? (isEscape ? (getOwn(GNU, char) ?? escaped(char, begins)) : plain(char, begins));
    begins = shown === '(' || shown === '|' || shown === '^';
    result += shown;
    at += set === undefined ? (isEscape ? 2 : 1) : (BRACKET.exec(text.slice(at))?.[0] ?? '').length;
  }
  return result;
}

const literal: Translate = (char) => (/[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char);

const fromExtended = (text: string): string => translate(text, (char) => char, literal);

/** In basic expressions the backslash gives parentheses, braces and bars their meaning, and takes it from the others. */
const fromBasic = (text: string): string =>
  translate(
    text,
    (char, begins) => (/[+?(){}|]/.test(char) || (char === '*' && begins) ? `\\${char}` : char),
    (char, begins) => (/[+?(){}|]/.test(char) ? char : literal(char, begins)),
  );
