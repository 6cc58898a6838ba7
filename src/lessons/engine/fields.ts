/** Reads fields of objects by paths, and compares them with what is wanted. */
import { deepEqual, getOwn, isObject, type Json } from '../../std/index.ts';
import type { Count, FieldWant, Want } from './lesson.ts';

/** A step of a path: a key, an index, the element of a list whose field has a value, or every element. */
type Segment =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly field: string; readonly of: string }
  | { readonly each: true };

const SEGMENT = /\.?([^.[\]]+)|\[(\d+)\]|\["([^"]+)"\]|\[([^=\]]+)=([^\]]*)\]|\[(\*)\]/y;

/** The segments of `spec.containers[name=web].image`, `rules[*].verbs` or `metadata.labels["a.b/c"]`. Throws where it is no path. */
function parsePath(path: string): Segment[] {
  const segments: Segment[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < path.length) {
    const found = SEGMENT.exec(path);
    if (!found) throw new Error(`"${path}" is no path of a field`);
    const [, key, index, quoted, field, of = '', each] = found;
    if (each !== undefined) segments.push({ each: true });
    else if (index !== undefined) segments.push({ index: Number(index) });
    else if (field !== undefined) segments.push({ field, of });
    else segments.push({ key: key ?? quoted ?? '' });
  }
  return segments;
}

function enter(value: unknown, segment: Exclude<Segment, { each: true }>): unknown {
  if ('key' in segment) return isObject(value) ? getOwn(value, segment.key) : undefined;
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  if ('index' in segment) return items[segment.index];
  return items.find((item) => isObject(item) && String(getOwn(item, segment.field)) === segment.of);
}

function read(value: unknown, [first, ...rest]: readonly Segment[]): unknown {
  if (first === undefined) return value;
  if (!('each' in first)) return read(enter(value, first), rest);
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  return items.flatMap((item) => read(item, rest)).filter((found) => found !== undefined);
}

/** The value at a path; undefined where there is none. `[*]` gives the values of all elements, as one list. */
export const readPath = (value: unknown, path: string): unknown => read(value, parsePath(path));

/** Whether a value is as wanted. */
export function meets(value: unknown, want: Want): boolean {
  if ('is' in want) return deepEqual(value, want.is);
  if ('not' in want) return !deepEqual(value, want.not);
  if ('atLeast' in want) return typeof value === 'number' && value >= want.atLeast;
  if ('atMost' in want) return (typeof value === 'number' ? value : 0) <= want.atMost;
  if ('exists' in want) return (value !== undefined && value !== null) === want.exists;
  if ('only' in want)
    return !Array.isArray(value) || value.every((each) => want.only.some((one) => deepEqual(each, one)));
  if ('lacks' in want) return !holdsPart(value, want.lacks);
  return holdsPart(value, want.has);
}

function holdsPart(value: unknown, part: Json): boolean {
  if (Array.isArray(value)) return value.some((item) => deepEqual(item, part));
  return typeof value === 'string' && value.includes(String(part));
}

/** The fields that are not as wanted. */
export function unmet(object: unknown, fields: readonly FieldWant[] = []): FieldWant[] {
  return fields.filter((field) => !meets(readPath(object, field.path), field));
}

const LONGEST = 80;

/** A value as it is shown to a person. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  if (value === '') return 'empty';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** A field as it is: `spec.replicas is 1`. */
export const showField = (object: unknown, path: string): string => `${path} is ${showValue(readPath(object, path))}`;

/** Whether a number is within what is wanted. */
export function counts(count: number, { is = count, atLeast = count, atMost = count }: Count): boolean {
  return count === is && count >= atLeast && count <= atMost;
}

/** A count in words: `3`, `at least 1`. */
export function showCount({ is, atLeast, atMost }: Count): string {
  const words = [
    is === undefined ? '' : String(is),
    atLeast === undefined ? '' : `at least ${atLeast}`,
    atMost === undefined ? '' : `at most ${atMost}`,
  ];
  return words.filter(Boolean).join(', ');
}
