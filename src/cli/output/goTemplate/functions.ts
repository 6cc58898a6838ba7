/** The functions that templates may call: Go's own, and those of the reference's printers. */
import { decodeText, deepEqual, encodeText, fromBase64, getOwn, isObject, goText, toHex } from '../../../std/index.ts';
import { TemplateError } from './errors.ts';

export type TemplateFunction = (...values: readonly unknown[]) => unknown;

/** Null, false, zero and empty values count as false. */
export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'bigint') return value !== 0n;
  return Array.isArray(value) ? value.length > 0 : !isObject(value) || Object.keys(value).length > 0;
}

/** A value as an action prints it. */
export const printed = (value: unknown): string => (value === undefined || value === null ? '<no value>' : text(value));

const text = (value: unknown): string => (value === undefined ? '<nil>' : goText(value));

const kindOf = (value: unknown): string =>
  value === null || value === undefined ? 'nil' : Array.isArray(value) ? 'list' : typeof value;

function equal(a: unknown, b: unknown): boolean {
  if (kindOf(a) === 'object' || kindOf(a) === 'list') throw new TemplateError('non-comparable type');
  if (kindOf(a) !== kindOf(b) && kindOf(a) !== 'nil' && kindOf(b) !== 'nil')
    throw new TemplateError('incompatible types for comparison');
  return deepEqual(a, b);
}

function less(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a < b;
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b;
  throw new TemplateError(
    kindOf(a) === kindOf(b) ? 'invalid type for comparison' : 'incompatible types for comparison',
  );
}

function index(value: unknown, ...keys: readonly unknown[]): unknown {
  return keys.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) {
      if (typeof key !== 'bigint') throw new TemplateError(`cannot index slice/array with type ${typeName(key)}`);
      if (key < 0n || key >= BigInt(at.length)) throw new TemplateError(`index out of range: ${key}`);
      return at[Number(key)];
    }
    if (typeof at === 'string') return BigInt(at.charCodeAt(Number(key)));
    if (isObject(at)) return getOwn(at, String(key));
    throw new TemplateError('index of untyped nil');
  }, value);
}

const typeName = (value: unknown): string =>
  typeof value === 'bigint'
    ? 'int'
    : typeof value === 'number'
      ? 'float64'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value;

function length(value: unknown): bigint {
  if (typeof value === 'string') return BigInt(new TextEncoder().encode(value).length);
  if (Array.isArray(value)) return BigInt(value.length);
  if (isObject(value)) return BigInt(Object.keys(value).length);
  throw new TemplateError(
    `len of ${value === undefined || value === null ? 'nil pointer' : `type ${typeName(value)}`}`,
  );
}

/** Whether a path of keys leads to something. */
function exists(value: unknown, ...keys: readonly unknown[]): boolean {
  try {
    return index(value, ...keys) !== undefined;
  } catch {
    return false;
  }
}

/** Spaces stand between values of which neither is a text. */
const print = (values: readonly unknown[]): string =>
  values
    .map((value, i) => {
      const apart = i > 0 && typeof value !== 'string' && typeof values[i - 1] !== 'string';
      return `${apart ? ' ' : ''}${text(value)}`;
    })
    .join('');

const VERB = /%([-+ 0#]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])/g;

function printf(format: unknown, ...values: readonly unknown[]): string {
  const left = [...values];
  const out = String(format).replace(
    VERB,
    (_, flags: string, width = '', precision: string | undefined, verb: string) => {
      if (verb === '%') return '%';
      if (left.length === 0) return `%!${verb}(MISSING)`;
      const shown = formatted(left.shift(), verb, precision);
      const wide = Number(width);
      if (flags.includes('-')) return shown.padEnd(wide);
      return shown.padStart(wide, flags.includes('0') ? '0' : ' ');
    },
  );
  if (left.length === 0) return out;
  return `${out}%!(EXTRA ${left.map((value) => `${typeName(value)}=${text(value)}`).join(', ')})`;
}

function formatted(value: unknown, verb: string, precision: string | undefined): string {
  const whole = typeof value === 'bigint';
  const fits: Readonly<Record<string, boolean>> = {
    ...{ v: true, s: typeof value === 'string', q: typeof value === 'string', t: typeof value === 'boolean' },
    ...{ d: whole, x: whole || typeof value === 'string', f: typeof value === 'number', g: typeof value === 'number' },
  };
  if (!getOwn(fits, verb)) return `%!${verb}(${typeName(value)}=${text(value)})`;
  if (verb === 'q') return JSON.stringify(value);
  if (verb === 'f') return Number(value).toFixed(Number(precision ?? 6));
  if (verb === 'x' && whole) return value.toString(16);
  if (verb === 'x') return toHex(encodeText(String(value)));
  const shown = text(value);
  return verb === 's' && precision !== undefined ? shown.slice(0, Number(precision)) : shown;
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };

/** Quotes and backslashes are escaped by a backslash, what could end a script by its code. */
function jsEscape(letter: string): string {
  if (/[\\'"]/.test(letter)) return `\\${letter}`;
  return `\\u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function decoded(value: unknown): string {
  const bytes = fromBase64(String(value));
  if (!bytes) throw new TemplateError('base64 decode failed: illegal base64 data at input byte 0');
  return decodeText(bytes);
}

export const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  not: (value) => !isTrue(value),
  eq: (first, ...others) => others.some((other) => equal(first, other)),
  ne: (a, b) => !equal(a, b),
  lt: less,
  le: (a, b) => less(a, b) || equal(a, b),
  gt: (a, b) => less(b, a),
  ge: (a, b) => !less(a, b),
  len: length,
  index,
  slice: (value, from, to) =>
    typeof value === 'string' || Array.isArray(value)
      ? value.slice(Number(from ?? 0), to === undefined ? undefined : Number(to))
      : undefined,
  print: (...values) => print(values),
  println: (...values) => `${values.map(text).join(' ')}\n`,
  printf,
  html: (...values) => print(values).replace(/[&<>"']/g, (letter) => getOwn(HTML, letter) ?? letter),
  js: (...values) => print(values).replace(/[\\'"<>&=\x00-\x1f]/g, jsEscape),
  urlquery: (...values) => encodeURIComponent(print(values)).replaceAll('%20', '+'),
  exists,
  base64decode: decoded,
  call: (value) => {
    throw new TemplateError(
      value === undefined || value === null ? 'call of nil' : `non-function of type ${typeName(value)}`,
    );
  },
};
