/** Values of jq: how they are ordered, added, looked into and changed. */
import { deepEqual, getOwn, isObject, setOwn } from '../../std/index.ts';

/** An error that a filter may catch: its value is what `catch` gets. */
export class JqError extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super(typeof value === 'string' ? value : `${JSON.stringify(value)} (not a string)`);
    this.value = value;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const MOST_SHOWN = 11;

/** `number (1)`, with long values cut. */
export function described(value: unknown): string {
  const text = jsonOf(value);
  return `${typeOf(value)} (${text.length > MOST_SHOWN + 3 ? `${text.slice(0, MOST_SHOWN)}...` : text})`;
}

const RANKS: Readonly<Record<string, number>> = { null: 0, number: 3, string: 4, array: 5, object: 6 };

const rankOf = (value: unknown): number =>
  value === false ? 1 : value === true ? 2 : (getOwn(RANKS, typeOf(value)) ?? 0);

/** jq's order of all values. */
export function compare(a: unknown, b: unknown): number {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0) return ranks;
  if (typeof a === 'number') return a < Number(b) ? -1 : a === b ? 0 : Number.isNaN(a) ? -1 : 1;
  if (typeof a === 'string') return a < String(b) ? -1 : a === b ? 0 : 1;
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (!isObject(a) || !isObject(b)) return 0;
  const [keys, others] = [Object.keys(a).sort(), Object.keys(b).sort()];
  const byKeys = compareLists(keys, others);
  if (byKeys !== 0) return byKeys;
  return compareLists(
    keys.map((key) => getOwn(a, key)),
    others.map((key) => getOwn(b, key)),
  );
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [i, item] of a.entries()) {
    if (i >= b.length) return 1;
    const order = compare(item, b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

export const equal = (a: unknown, b: unknown): boolean => compare(a, b) === 0;
export const isTrue = (value: unknown): boolean => value !== null && value !== undefined && value !== false;

const refused = (a: unknown, b: unknown, what: string): JqError =>
  new JqError(`${described(a)} and ${described(b)} cannot be ${what}`);

/** More letters or items than this are not put together. */
const MOST_LETTERS = 50_000_000;
export const MOST_ITEMS = 1_000_000;

type Operation = (a: unknown, b: unknown) => unknown;

export const operations: Readonly<Record<string, Operation>> = {
  '+': add,
  '-': (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (Array.isArray(a) && Array.isArray(b))
      return a.filter((item) => !b.some((other) => equal(item, other))) as unknown[];
    throw refused(a, b, 'subtracted');
  },
  '*': multiply,
  '/': (a, b) => {
    if (typeof a === 'string' && typeof b === 'string') return splitText(a, b);
    if (typeof a !== 'number' || typeof b !== 'number') throw refused(a, b, 'divided');
    if (b === 0) throw refused(a, b, 'divided because the divisor is zero');
    return a / b;
  },
  '%': (a, b) => {
    if (typeof a !== 'number' || typeof b !== 'number') throw refused(a, b, 'divided');
    if (Math.trunc(b) === 0) throw refused(a, b, 'divided because the divisor is zero');
    // Adding nothing makes zero of minus zero.
    return (Math.trunc(a) % Math.abs(Math.trunc(b))) + 0;
  },
  '==': equal,
  '!=': (a, b) => !equal(a, b),
  '<': (a, b) => compare(a, b) < 0,
  '<=': (a, b) => compare(a, b) <= 0,
  '>': (a, b) => compare(a, b) > 0,
  '>=': (a, b) => compare(a, b) >= 0,
};

export function add(a: unknown, b: unknown): unknown {
  if (a === null || a === undefined) return b;
  if (b === null || b === undefined) return a;
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length + b.length > MOST_LETTERS) throw new JqError('the text would be too long');
    return a + b;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length + b.length > MOST_ITEMS) throw new JqError('the array would be too long');
    return (a as unknown[]).concat(b as unknown[]);
  }
  if (isObject(a) && isObject(b)) return { ...a, ...b };
  throw refused(a, b, 'added');
}

function multiply(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  const [text, times] = typeof a === 'string' ? [a, b] : [b, a];
  if (typeof text === 'string' && typeof times === 'number') {
    if (times <= 0) return null;
    if (text.length * times > MOST_LETTERS) throw new JqError('the repeated text is too long');
    return text.repeat(Math.max(1, Math.ceil(times)));
  }
  if (isObject(a) && isObject(b)) return deepMerged(a, b);
  throw refused(a, b, 'multiplied');
}

function deepMerged(a: Fields, b: Fields): Fields {
  const merged: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = getOwn(merged, key);
    setOwn(merged, key, isObject(before) && isObject(value) ? deepMerged(before, value) : value);
  }
  return merged;
}

export function splitText(text: string, separator: string): readonly string[] {
  if (text === '') return [];
  return separator === '' ? [...text] : text.split(separator);
}

/** One step of a path: a key, a position, or a part of a list. */
export type Step = string | number | { readonly start: unknown; readonly end: unknown } | null;

/** What a key, a position or a part leads to. Throws JqError. */
export function lookUp(value: unknown, step: unknown): unknown {
  const nothing = value === null || value === undefined;
  if (typeof step === 'string' && (nothing || isObject(value))) return nothing ? null : (getOwn(value, step) ?? null);
  if (typeof step === 'number' && (nothing || Array.isArray(value))) {
    if (nothing) return null;
    const at = Math.floor(step);
    return (value as readonly unknown[])[at < 0 ? at + (value as readonly unknown[]).length : at] ?? null;
  }
  if (isObject(step) && (nothing || Array.isArray(value) || typeof value === 'string'))
    return nothing ? null : sliced(value, step);
  if (Array.isArray(step) && Array.isArray(value)) return positionsOf(value, step as unknown[]);
  throw new JqError(
    `Cannot index ${typeOf(value)} with ${typeof step === 'string' ? `string ${JSON.stringify(step)}` : typeOf(step)}`,
  );
}

export function positionsOf(list: readonly unknown[], part: readonly unknown[]): readonly number[] {
  if (part.length === 0) return [];
  return list.flatMap((_, i) => (part.every((item, j) => i + j < list.length && equal(list[i + j], item)) ? [i] : []));
}

/** The bounds of a part in a list of a length. */
function boundsOf({ start, end }: Fields, length: number): readonly [number, number] {
  const bound = (value: unknown, usual: number, round: (n: number) => number): number => {
    if (value === null || value === undefined) return usual;
    if (typeof value !== 'number') throw new JqError('Start and end indices of an array slice must be numbers');
    const at = round(value);
    return Math.min(Math.max(at < 0 ? at + length : at, 0), length);
  };
  const from = bound(start, 0, Math.floor);
  return [from, Math.max(from, bound(end, length, Math.ceil))];
}

function sliced(value: readonly unknown[] | string, step: Fields): unknown {
  const list: readonly unknown[] = typeof value === 'string' ? [...value] : value;
  const part = list.slice(...boundsOf(step, list.length));
  return typeof value === 'string' ? part.join('') : part;
}

/** A copy with another value at a step. Throws JqError. */
export function withStep(value: unknown, step: unknown, next: unknown): unknown {
  const nothing = value === null || value === undefined;
  if (typeof step === 'string' && (nothing || isObject(value))) {
    const copy: Record<string, unknown> = { ...(nothing ? {} : value) };
    setOwn(copy, step, next);
    return copy;
  }
  if (typeof step === 'number' && (nothing || Array.isArray(value))) {
    const copy: unknown[] = nothing ? [] : [...(value as unknown[])];
    const at = step < 0 ? step + copy.length : step;
    if (at < 0) throw new JqError('Out of bounds negative array index');
    if (at > MOST_ITEMS) throw new JqError('the array would be too long');
    while (copy.length < at) copy.push(null);
    copy[at] = next;
    return copy;
  }
  if (isObject(step) && (nothing || Array.isArray(value))) {
    if (!Array.isArray(next)) throw new JqError('A slice of an array can only be assigned another array');
    const list: readonly unknown[] = nothing ? [] : (value as unknown[]);
    const [from, to] = boundsOf(step, list.length);
    return [...list.slice(0, from), ...(next as unknown[]), ...list.slice(to)];
  }
  return lookUp(value, step);
}

export const valueAt = (value: unknown, path: readonly unknown[]): unknown =>
  path.reduce((below: unknown, step) => (below === null || below === undefined ? null : lookUp(below, step)), value) ??
  null;

/** Is told each value before it is copied. */
type Copying = (value: unknown) => void;

export function withValueAt(
  value: unknown,
  [step, ...rest]: readonly unknown[],
  next: unknown,
  copying: Copying,
): unknown {
  if (step === undefined) return next;
  copying(value);
  return withStep(value, step, rest.length === 0 ? next : withValueAt(lookUp(value, step), rest, next, copying));
}

/** A copy without what the paths lead to. */
export function withoutPaths(value: unknown, paths: readonly (readonly unknown[])[], copying: Copying): unknown {
  return [...paths].sort(compare).reduceRight((now: unknown, path) => withoutPath(now, path, copying), value);
}

function withoutPath(value: unknown, [step, ...rest]: readonly unknown[], copying: Copying): unknown {
  copying(value);
  if (value === null || value === undefined || step === undefined) return null;
  if (rest.length > 0) {
    const below = lookUp(value, step);
    return below === null ? value : withStep(value, step, withoutPath(below, rest, copying));
  }
  if (isObject(value) && typeof step === 'string') {
    const { [step]: _, ...others } = value;
    return others;
  }
  if (!Array.isArray(value))
    throw new JqError(
      `Cannot delete field at ${typeof step === 'string' ? 'object index of' : 'array index of'} ${typeOf(value)}`,
    );
  const list = value as readonly unknown[];
  if (isObject(step)) {
    const [from, to] = boundsOf(step, list.length);
    return [...list.slice(0, from), ...list.slice(to)];
  }
  if (typeof step !== 'number') throw new JqError('Cannot delete field at object index of array');
  const at = step < 0 ? step + list.length : step;
  return at < 0 ? list : list.slice(0, at).concat(list.slice(at + 1));
}

/** Whether one value holds another, as `contains` asks. */
export function holds(a: unknown, b: unknown): boolean {
  if (typeOf(a) !== typeOf(b))
    throw new JqError(`${described(a)} and ${described(b)} cannot have their containment checked`);
  if (isObject(a) && isObject(b))
    return Object.entries(b).every(([key, value]) => {
      const own = getOwn(a, key);
      return own !== undefined && typeOf(own) === typeOf(value) && holds(own, value);
    });
  if (Array.isArray(a) && Array.isArray(b))
    return (b as unknown[]).every((value) =>
      (a as unknown[]).some((own) => typeOf(own) === typeOf(value) && holds(own, value)),
    );
  return typeof a === 'string' && typeof b === 'string' ? a.includes(b) : deepEqual(a, b);
}

/** A number as jq writes it: with an exponent where that is shorter than many zeros. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'null';
  const number = Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE;
  const [, sign = '', digits = '', exponent = ''] = /^(-?)([\d.]+)e([+-]\d+)$/.exec(number.toExponential()) ?? [];
  const figures = digits.replace('.', '');
  // Where the point stands, counted from the first digit.
  const point = Number(exponent) + 1;
  if (point > -4 && point <= figures.length + 15) return plainText(sign, figures, point);
  const rest = figures.length > 1 ? `.${figures.slice(1)}` : '';
  const power = String(Math.abs(Number(exponent))).padStart(2, '0');
  return `${sign}${figures.slice(0, 1)}${rest}e${Number(exponent) < 0 ? '-' : '+'}${power}`;
}

function plainText(sign: string, figures: string, point: number): string {
  if (figures === '0') return `${sign}0`;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${figures}`;
  const whole = figures.slice(0, point).padEnd(point, '0');
  return figures.length > point ? `${sign}${whole}.${figures.slice(point)}` : sign + whole;
}

export interface Layout {
  /** Undefined for one line. */
  readonly indent?: string | undefined;
  readonly sorted?: boolean;
  readonly ascii?: boolean;
}

/** Values that share parts can be much longer in writing than in memory. */
const MOST_WRITTEN = 1_000_000;

/** A value as jq prints it. Throws JqError where it is too long. */
export const jsonOf = (value: unknown, layout: Layout = {}): string => new Writer(layout).text(value, '');

class Writer {
  readonly #layout: Layout;
  #left = MOST_WRITTEN;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  text(value: unknown, margin: string): string {
    if (this.#left-- === 0) throw new JqError('the value is too long to be written');
    const { indent, sorted = false, ascii = false } = this.#layout;
    if (typeof value === 'number') return numberText(value);
    if (typeof value === 'string') return quoted(value, ascii);
    const inner = margin + (indent ?? '');
    if (Array.isArray(value))
      return this.#closed(
        '[',
        (value as unknown[]).map((item) => this.text(item, inner)),
        ']',
        margin,
      );
    if (!isObject(value)) return String(value ?? null);
    const keys = sorted ? Object.keys(value).sort() : Object.keys(value);
    const colon = indent === undefined ? ':' : ': ';
    const entries = keys.map((key) => quoted(key, ascii) + colon + this.text(getOwn(value, key), inner));
    return this.#closed('{', entries, '}', margin);
  }

  #closed(open: string, items: readonly string[], close: string, margin: string): string {
    const { indent } = this.#layout;
    if (items.length === 0) return open + close;
    if (indent === undefined) return open + items.join(',') + close;
    const inner = margin + indent;
    return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`;
  }
}

function quoted(text: string, ascii: boolean): string {
  const json = JSON.stringify(text).replaceAll('\x7f', '\\u007f');
  if (!ascii) return json;
  return json.replace(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
