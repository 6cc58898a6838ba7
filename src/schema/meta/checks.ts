/** Words that the rules of all kinds are written with. */
import * as field from '../define/fieldErrors.ts';
import type { FieldError, FieldErrors, Path } from '../define/fieldErrors.ts';
import { compareQuantities } from '../values/quantity.ts';
import { isObject, getOwn } from '../../std/index.ts';
import type { Complaints } from '../values/names.ts';

/** The errors of a check; checks are generators, so that each reads as a list of conditions. */
export type Errors = Iterable<FieldError>;

const NO_ERRORS: FieldErrors = [];

/** Each complaint about a value as an error of its own. */
export function complaints(path: Path, value: unknown, messages: Complaints): FieldErrors {
  if (messages.length === 0) return NO_ERRORS;
  return messages.map((message) => field.invalid(path, value, message));
}

/** Absent counts as zero. */
export function nonNegative(value: number | undefined, path: Path): FieldErrors {
  return (value ?? 0) >= 0 ? NO_ERRORS : [field.invalid(path, value, 'must be greater than or equal to 0')];
}

export function positive(value: number | undefined, path: Path): FieldErrors {
  return (value ?? 0) > 0 ? [] : [field.invalid(path, value ?? 0, 'must be greater than zero')];
}

/** A value that can't change once it is there. */
export function immutable(value: unknown, old: unknown, path: Path): FieldErrors {
  return sameValue(value, old) ? NO_ERRORS : [field.invalid(path, value ?? null, 'field is immutable')];
}

/** A text that has to be there. */
export function present(value: string | undefined | null, path: Path, detail = ''): FieldErrors {
  return value ? [] : [field.required(path, detail)];
}

/** A text out of a closed set; absent is the empty text. */
export function oneOf(value: string | undefined, supported: readonly string[], path: Path): FieldErrors {
  return value !== undefined && supported.includes(value) ? [] : [field.notSupported(path, value ?? '', supported)];
}

/** What `check` finds in each item of a list. */
export function* each<T>(
  items: readonly T[] | null | undefined,
  path: Path,
  check: (item: T, path: Path, index: number) => Errors,
): Errors {
  for (const [i, item] of (items ?? []).entries()) yield* check(item, path.index(i), i);
}

/** Fields whose values, or whose values' values, are quantities: `1000m` there is the same as `1`. */
const QUANTITIES = new Set([
  'limits',
  'requests',
  'capacity',
  'allocatable',
  'hard',
  'used',
  'overhead',
  'podFixed',
  'sizeLimit',
  'divisor',
  'max',
  'min',
  'default',
  'defaultRequest',
  'maxLimitRequestRatio',
  'allocatedResources',
  'value',
  'averageValue',
]);

/**
 * Whether two values of a field mean the same: a list that is absent, null or empty is the same, and quantities are
 * compared as numbers.
 */
export function sameValue(a: unknown, b: unknown, quantities = false): boolean {
  if (Object.is(a, b) || (isNothing(a) && isNothing(b))) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  if (isObject(a) && isObject(b)) return sameFields(a, b, quantities);
  return quantities && typeof a === 'string' && typeof b === 'string' && compareQuantities(a, b) === 0;
}

function sameFields(a: Record<string, unknown>, b: Record<string, unknown>, quantities: boolean): boolean {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
    sameValue(getOwn(a, key), getOwn(b, key), quantities || QUANTITIES.has(key)),
  );
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Empties the status of a new object; storing it fills in what every status of the kind has. */
export function clearStatus(object: object): void {
  Reflect.set(object, 'status', {});
}
