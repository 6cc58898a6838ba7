/** JSON as the reference's client prints it: keys in order, four spaces, and no character that means something in HTML. */
import { isObject } from '../../std/index.ts';

/** Ends with a line break. */
export const printJson = (value: unknown): string => printJsonAsIs(sorted(value));

/** As `printJson`, with keys in the order that they have. */
export const printJsonAsIs = (value: unknown): string => `${escapeHtml(JSON.stringify(value, null, 4))}\n`;

/** One line, as values stand in templates. */
export const compactJson = (value: unknown): string => escapeHtml(JSON.stringify(sorted(value)) ?? 'null');

const escapeHtml = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same value with the keys of every object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => compareKeys(a, b)).map(([key, each]) => [key, sorted(each)]));
}

/** By code point, as the reference compares bytes of UTF-8. */
function compareKeys(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
