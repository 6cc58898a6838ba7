import { isObject } from './json.ts';

/** Formats a JSON value as Go does (`%v`): `map[a:[1 x] b:<nil>]`, with sorted keys. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return String(value as string | number | boolean);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, inner]) => `${key}:${goText(inner)}`).join(' ')}]`;
}

/** The Go type of a JSON value. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/**
 * `text` without the `characters` at its end, as Go's `strings.TrimRight`. The regular expression for it (`/x+$/`) takes quadratic time for
 * a text with a long run of them in the middle.
 */
export function trimRight(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
