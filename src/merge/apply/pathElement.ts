/**
 * Path elements in the text form of FieldsV1, which is their identity: `f:NAME` a field, `k:{…}` the item of a list
 * with these keys, `v:VALUE` the item of a set, `i:N` an item by index.
 */
import { isObject } from '../../std/index.ts';

/** Thrown for a text that is not a path element. */
export class PathElementError extends Error {
  override name = 'PathElementError';
}

export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The item of a set. */
export function valueElement(value: unknown): string {
  return `v:${canonical(value)}`;
}

/** The item of a keyed list; `keys` are sorted by name. */
export function keyElement(keys: Keys): string {
  const [first] = keys;
  if (keys.length === 1 && first) return `k:{${canonical(first[0])}:${canonical(first[1])}}`;
  return `k:{${keys.map(([name, value]) => `${canonical(name)}:${canonical(value)}`).join(',')}}`;
}

/**
 * Parses an untrusted element into its canonical text. Undefined for an unknown kind of element, which is skipped
 * because a later version may know it. Throws PathElementError for a malformed one.
 */
export function parseElement(text: string): string | undefined {
  if (text.length < 2 || text[1] !== ':') throw new PathElementError(`not a path element: ${text}`);
  if (text.startsWith('f:')) return text;
  if (text.startsWith('v:')) return valueElement(parse(text.slice(2)));
  if (text.startsWith('k:')) return keyElement(keysOf(text));
  if (!text.startsWith('i:')) return undefined;
  if (!/^[+-]?\d+$/.test(text.slice(2))) throw new PathElementError(`not an index: ${text}`);
  return `i:${Number(text.slice(2))}`;
}

/** Sorts elements in the order of FieldsV1: fields, keyed items, values, indexes. */
export function sortElements(elements: Iterable<string>): string[] {
  const sorted = [...elements];
  if (sorted.length < 2) return sorted;
  if (sorted.every((element) => element.startsWith('f:'))) return sorted.sort();
  const read = sorted.map((element) => ({
    element,
    rank: KINDS.indexOf(element[0] ?? ''),
    content: contentOf(element),
  }));
  return read.sort((a, b) => a.rank - b.rank || compareKeys(a.content, b.content)).map(({ element }) => element);
}

/** The element in the notation of conflicts: `.name`, `[name="a"]`, `[="a"]`, `[0]`. */
export function describeElement(element: string): string {
  const text = element.slice(2);
  if (element.startsWith('f:')) return `.${text}`;
  if (element.startsWith('v:')) return `[=${JSON.stringify(parse(text))}]`;
  if (element.startsWith('i:')) return `[${text}]`;
  return `[${keysOf(element)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',')}]`;
}

const KINDS = ['f', 'k', 'v', 'i'];

type Keys = readonly (readonly [name: string, value: unknown])[];

/** A cache of parsed contents, because the same few keys recur. Cleared when it is too large. */
const contents = new Map<string, Keys>();
const MAX_CONTENTS = 5_000;

/** The sort key of an element within its kind: the item's keys, or the name or value as a single key. */
function contentOf(element: string): Keys {
  if (element.startsWith('f:')) return [['', element]];
  const known = contents.get(element);
  if (known) return known;
  if (contents.size >= MAX_CONTENTS) contents.clear();
  const content: Keys = element.startsWith('k:') ? keysOf(element) : [['', parse(element.slice(2))]];
  contents.set(element, content);
  return content;
}

function keysOf(element: string): Keys {
  const keys = parse(element.slice(2));
  if (!isObject(keys)) throw new PathElementError(`not a list of keys: ${element}`);
  return Object.entries(keys).sort(([a], [b]) => compareText(a, b));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PathElementError(`not a JSON value: ${text}`);
  }
}

/** JSON with sorted keys, escaped like the reference's encoder. */
function canonical(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : escapeHtml(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return `{${entries.map(([key, item]) => `${canonical(key)}:${canonical(item)}`).join(',')}}`;
}

/** Texts that need no escaping in JSON. */
const PLAIN = /^[\w ./:@=+-]*$/;

function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareKeys(a: Keys, b: Keys): number {
  for (const [i, [name, value]] of a.entries()) {
    const other = b[i];
    if (other === undefined) break;
    const order = compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers before strings before booleans before everything else; within a kind by value. */
function compareValues(a: unknown, b: unknown): number {
  const rank = (value: unknown): number => ['number', 'string', 'boolean', 'object'].indexOf(typeof value);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : compareText(canonical(a), canonical(b));
}
