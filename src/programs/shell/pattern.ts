/** Patterns of file names and of `case`: `*`, `?`, `[a-z]`. Matching takes time linear in pattern times text. */
import { getOwn } from '../../std/index.ts';

type Element = { readonly any: true } | { readonly matches: (char: string) => boolean };

export interface Pattern {
  /** Whether it matches a whole text. */
  matches(text: string): boolean;
  /** The maximum number of characters that it matches from `at` on; 0 without a match. */
  longestAt(text: string, at: number): number;
  /** Whether it holds anything but plain characters. */
  readonly isPlain: boolean;
}

/** Reads a pattern; a backslash makes the next character plain. */
export function parsePattern(text: string): Pattern {
  const elements: Element[] = [];
  let isPlain = true;
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    const end = char === '[' ? bracketEnd(text, at) : -1;
    if (end > 0) {
      elements.push({ matches: bracket(text.slice(at + 1, end)) });
      isPlain = false;
      at = end + 1;
    } else if (char === '*' || char === '?') {
      elements.push(char === '*' ? { any: true } : { matches: () => true });
      isPlain = false;
      at += 1;
    } else {
      const plain = char === '\\' && at + 1 < text.length ? text.charAt(++at) : char;
      elements.push({ matches: (other) => other === plain });
      at += 1;
    }
  }
  return {
    matches: (subject) => matches(elements, subject),
    longestAt: (subject, at) => longestAt(elements, subject, at),
    isPlain,
  };
}

/** With two places only: behind the last star, and in the text where it began to match. */
function matches(elements: readonly Element[], text: string): boolean {
  let [at, element, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    const current = elements[element];
    if (current && 'any' in current) {
      star = element++;
      mark = at;
    } else if (current && !('any' in current) && current.matches(text.charAt(at))) {
      element += 1;
      at += 1;
    } else if (star >= 0) {
      element = star + 1;
      at = ++mark;
    } else return false;
  }
  return elements.slice(element).every((rest) => 'any' in rest);
}

/** Follows all possible matches at once: `places` are the possible next elements. */
function longestAt(elements: readonly Element[], text: string, at: number): number {
  let longest = 0;
  let places = skipStars(elements, [0]);
  for (let end = at; end < text.length && places.size > 0; end++) {
    const char = text.charAt(end);
    places = skipStars(
      elements,
      [...places].flatMap((place) => {
        const element = elements[place];
        if (!element) return [];
        return 'any' in element ? [place] : element.matches(char) ? [place + 1] : [];
      }),
    );
    if (places.has(elements.length)) longest = end + 1 - at;
  }
  return longest;
}

/** The places, and those behind their stars: a star may match nothing. */
function skipStars(elements: readonly Element[], from: readonly number[]): ReadonlySet<number> {
  const places = new Set(from);
  for (const place of places) {
    const element = elements[place];
    if (element && 'any' in element) places.add(place + 1);
  }
  return places;
}

function bracketEnd(text: string, at: number): number {
  let from = at + 1;
  if (/[!^]/.test(text.charAt(from))) from += 1;
  if (text.charAt(from) === ']') from += 1;
  for (let i = from; i < text.length; i++) {
    if (text.startsWith('[:', i)) i = Math.max(i, text.indexOf(':]', i) + 1);
    else if (text.charAt(i) === ']') return i;
  }
  return -1;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  digit: /[0-9]/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

function bracket(body: string): (char: string) => boolean {
  const negated = /^[!^]/.test(body);
  const inner = negated ? body.slice(1) : body;
  const tests: ((char: string) => boolean)[] = [];
  for (const [, name, from, to, one] of inner.matchAll(/\[:(\w+):\]|\\?([\s\S])-\\?([\s\S])|\\?([\s\S])/g)) {
    if (name !== undefined) tests.push((char) => getOwn(CLASSES, name)?.test(char) ?? false);
    else if (from !== undefined && to !== undefined) tests.push((char) => char >= from && char <= to);
    else tests.push((char) => char === one);
  }
  return (char) => tests.some((test) => test(char)) !== negated;
}

/** Makes a text plain: none of its characters has a meaning. */
export const escapePattern = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&');

/** Takes off a beginning or end that matches: the shortest, or the longest. */
export function trim(text: string, pattern: string, side: 'start' | 'end', longest: boolean): string {
  const { matches: test } = parsePattern(pattern);
  for (let i = 0; i <= text.length; i++) {
    const size = longest ? text.length - i : i;
    const cut = side === 'start' ? text.slice(0, size) : text.slice(text.length - size);
    if (test(cut)) return side === 'start' ? text.slice(size) : text.slice(0, text.length - size);
  }
  return text;
}

/** Replaces the first match, or all; `/#` and `/%` replace a match at the start or the end. */
export function replace(text: string, pattern: string, by: string, mode: '/' | '//' | '/#' | '/%'): string {
  if (pattern === '') return text;
  const { matches: test, longestAt: longest } = parsePattern(pattern);
  if (mode === '/#') {
    const length = longest(text, 0);
    return length > 0 ? by + text.slice(length) : text;
  }
  let result = '';
  for (let at = 0; at < text.length;) {
    const length = mode !== '/%' ? longest(text, at) : test(text.slice(at)) ? text.length - at : 0;
    result += length > 0 ? by : text.charAt(at);
    at += Math.max(length, 1);
    if (length > 0 && mode === '/') return result + text.slice(at);
  }
  return result;
}
