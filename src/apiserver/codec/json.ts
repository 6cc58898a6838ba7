/**
 * A JSON parser like the reference's: with limits, and with merging of duplicate keys. For maps and structs the later
 * value is merged into the earlier one; everything else is replaced.
 */
import { isObject, setOwn, getOwn, shapeOfJson } from '../../std/index.ts';

const MAX_DEPTH = 10_000;

/** A syntax error in a body, found before its kind is known. */
export class SyntaxProblem extends Error {
  override name = 'SyntaxProblem';
}

/** Parses JSON; throws SyntaxProblem. */
export function parseJson(given: string): unknown {
  const keys = scan(given);
  try {
    const text = withoutHalfPairs(given);
    const value: unknown = JSON.parse(text);
    if (MAY_BE_HUGE.test(text)) refuseHuge(value);
    return countKeys(value) === keys ? value : new Merging(text).value();
  } catch (error) {
    throw new SyntaxProblem(error instanceof Error ? error.message : String(error));
  }
}

/** The original text of a number, where it matters. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Parses a text that `parseJson` accepts; numbers that are not short integers become `NumberText`. */
export function parseWithNumberTexts(text: string): unknown {
  return new Merging(withoutHalfPairs(text), (token) =>
    SPECIAL.test(token) ? new NumberText(token) : JSON.parse(token),
  ).value();
}

const MAY_HOLD_HALF_PAIR = /\\u[dD][89a-fA-F]/;

/** A JSON escape: first a complete surrogate pair, then half of one, then all others. */
const ESCAPE = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/g;

/** Half of a surrogate pair is not a character: the reference reads it as the replacement character. */
function withoutHalfPairs(text: string): string {
  if (!MAY_HOLD_HALF_PAIR.test(text)) return text;
  return text.replace(ESCAPE, (escape, half: string | undefined) => (half === undefined ? escape : '\\ufffd'));
}

/** A number with a fraction or an exponent, or with too many digits to be exact. */
const SPECIAL = /^-?(\d{16,}$|\d+[.eE])/;

/** Whether a text may contain a number that overflows to infinity. */
const MAY_BE_HUGE = /\d{309}|\de\+?\d{3}/i;

function refuseHuge(value: unknown): void {
  if (value === Infinity || value === -Infinity) throw new RangeError('a number is out of range');
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(refuseHuge);
}

/** Refuses nesting that could exhaust the stack of code that walks the value later. Returns the number of keys in JSON. */
export function scan(text: string): number {
  const { depth, keys } = shapeOfJson(text);
  if (depth > MAX_DEPTH) throw new SyntaxProblem('exceeded max depth');
  return keys;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) for (const item of value) keys += countKeys(item);
  else for (const key of Object.keys(value)) keys += 1 + countKeys(getOwn(value as Record<string, unknown>, key));
  return keys;
}

/** Strings, punctuation, and everything else up to the next of these. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Parses a valid JSON text and merges duplicate keys. */
class Merging {
  readonly #tokens: readonly string[];
  readonly #scalar: (token: string) => unknown;
  #at = 0;

  constructor(text: string, scalar: (token: string) => unknown = (token) => JSON.parse(token) as unknown) {
    this.#tokens = text.match(TOKEN) ?? [];
    this.#scalar = scalar;
  }

  value(): unknown {
    const token = this.#tokens[this.#at++] ?? 'null';
    if (token === '{') return this.#object();
    return token === '[' ? this.#list() : this.#scalar(token);
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    while (this.#tokens[this.#at] !== '}') {
      const key = this.value() as string;
      this.#at++;
      const value = this.value();
      setOwn(object, key, Object.hasOwn(object, key) ? merged(object[key], value) : value);
      this.#skipComma();
    }
    this.#at++;
    return object;
  }

  #list(): unknown[] {
    const list: unknown[] = [];
    while (this.#tokens[this.#at] !== ']') {
      list.push(this.value());
      this.#skipComma();
    }
    this.#at++;
    return list;
  }

  #skipComma(): void {
    if (this.#tokens[this.#at] === ',') this.#at++;
  }
}

/**
 * Modifies the earlier value in place, because a copy for each repetition would let one body occupy the server for
 * minutes.
 */
function merged(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  for (const [key, value] of Object.entries(after))
    setOwn(before, key, Object.hasOwn(before, key) ? merged(before[key], value) : value);
  return before;
}
