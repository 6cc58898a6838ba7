/** Functions of jq that are not written in jq. */
import { isObject } from '../../std/index.ts';
import type { Machine, Native } from './evaluate.ts';
import { made, type Filter, type Item } from './scope.ts';
import { copyCost } from './costs.ts';
import { fromEntries, sum } from './entries.ts';
import { formatted, textOf } from './formats.ts';
import { loops } from './loops.ts';
import { mathematics, numberOf } from './mathematics.ts';
import { matches } from './patterns.ts';
import { dateFunctions } from './time.ts';
import {
  compare,
  described,
  equal,
  holds,
  JqError,
  jsonOf,
  MOST_ITEMS,
  typeOf,
  valueAt,
  withoutPaths,
  withValueAt,
} from './values.ts';

/** Ends the program. */
export class Halt extends Error {
  readonly code: number;
  readonly value: unknown;

  constructor(code: number, value: unknown) {
    super('halt');
    this.code = code;
    this.value = value;
  }
}

type Plain = (value: unknown, ...args: readonly unknown[]) => unknown;

/** Functions of a value, and of every value that their arguments have. */
const plain: Readonly<Record<string, Plain>> = {
  'not/0': (value) => value === null || value === undefined || value === false,
  'length/0': lengthOf,
  'utf8bytelength/0': (value) => new TextEncoder().encode(needed(value, 'string')).length,
  'keys/0': (value) => keysOf(value).sort(compare),
  'keys_unsorted/0': (value) => keysOf(value),
  'has/1': has,
  'contains/1': holds,
  'type/0': typeOf,
  'tostring/0': textOf,
  'tojson/0': (value) => jsonOf(value),
  'tonumber/0': toNumber,
  '_parse/0': parseJson,
  'reverse/0': (value) => {
    if (typeof value === 'string') return [...value].reverse().join('');
    return value === null ? [] : [...listOf(value, 'reversed')].reverse();
  },
  'flatten/1': (value, depth) => {
    if (Number(depth) < 0) throw new JqError('flatten depth must not be negative');
    return flattened(listOf(value, 'iterated over'), Number(depth));
  },
  'explode/0': (value) => [...needed(value, 'string')].map((each) => each.codePointAt(0)),
  'implode/0': (value) =>
    listOf(value, 'imploded')
      .map((code) => codePoint(code))
      .join(''),
  'split/1': (value, separator) => {
    if (typeof value !== 'string' || typeof separator !== 'string')
      throw new JqError('split input and separator must be strings');
    if (value === '') return [];
    return separator === '' ? [...value] : value.split(separator);
  },
  'startswith/1': (value, start) => both(value, start, 'startswith').every(([a, b]) => a.startsWith(b)),
  'endswith/1': (value, end) => both(value, end, 'endswith').every(([a, b]) => a.endsWith(b)),
  'ltrimstr/1': (value, start) =>
    typeof value === 'string' && typeof start === 'string' && value.startsWith(start)
      ? value.slice(start.length)
      : value,
  'rtrimstr/1': (value, end) =>
    typeof value === 'string' && typeof end === 'string' && end !== '' && value.endsWith(end)
      ? value.slice(0, -end.length)
      : value,
  'trim/0': (value) => needed(value, 'string').trim(),
  'ltrim/0': (value) => needed(value, 'string').trimStart(),
  'rtrim/0': (value) => needed(value, 'string').trimEnd(),
  '_indices/1': (value, part) => textPositions(needed(value, 'string'), needed(part, 'string')),
  '_sort/1': (value, keys) => sorted(value, keys).map(({ item }) => item),
  '_group/1': (value, keys) => grouped(value, keys),
  '_extreme/2': (value, keys, greatest) => {
    const all = sorted(value, keys);
    if (all.length === 0) return null;
    // Of equal ones the last is the greatest, the first the smallest.
    return (greatest === true ? all.at(-1) : all[0])?.item ?? null;
  },
  'getpath/1': (value, path) => {
    try {
      return valueAt(value, listOf(path, 'a path'));
    } catch (problem) {
      if (problem instanceof JqError && value === null) return null;
      throw problem;
    }
  },
  'infinite/0': () => Infinity,
  'nan/0': () => NaN,
  'isinfinite/0': (value) => Math.abs(numberOf(value)) === Infinity,
  'isnan/0': (value) => Number.isNaN(numberOf(value)),
  'isnormal/0': (value) => Number.isFinite(numberOf(value)) && Math.abs(numberOf(value)) >= 2.2250738585072014e-308,
  'halt/0': () => {
    throw new Halt(0, undefined);
  },
  'halt_error/1': (value, code) => {
    throw new Halt(Number(code), value);
  },
  'format/1': (value, name) => formatted(needed(name, 'string'), value),
  // There are no libraries of filters here.
  'get_search_list/0': () => [],
  'get_jq_origin/0': () => '/bin',
  'get_prog_origin/0': () => '.',
  'modulemeta/0': (value) => {
    if (typeof value !== 'string') throw new JqError('modulemeta input module name must be a string');
    throw new JqError(`module not found: ${value}`);
  },
  'builtins/0': () => [...nativesByName.keys()].filter((name) => !name.startsWith('_')),
  ...dateFunctions,
};

/** Functions that use their arguments as filters, or lead somewhere. */
const special: Readonly<Record<string, Native>> = {
  ...loops,
  'empty/0': () => [],
  'add/0': (input, _, machine) => [made(input, sum(input.value, machine))],
  'from_entries/0': (input, _, machine) => [made(input, fromEntries(input.value, machine))],
  *'setpath/2'(input, args, machine) {
    for (const [path, next] of combined(machine, args, input))
      yield made(input, withValueAt(input.value, pathOf(path), next, machine.copying));
  },
  *'delpaths/1'(input, args, machine) {
    for (const [paths] of combined(machine, args, input))
      yield made(input, withoutPaths(input.value, listOf(paths, 'paths').map(pathOf), machine.copying));
  },
  'error/0': ({ value }) => {
    throw new JqError(value);
  },
  'error/1': (input, [message], machine) => {
    for (const value of values(machine, message, input)) throw new JqError(value);
    return [];
  },
  *'path/1'(input, [filter], machine) {
    if (filter) for (const { path } of machine.paths(filter, input.value)) yield made(input, path);
  },
  *'getpath/1'(input, [filter], machine) {
    for (const path of values(machine, filter, input)) {
      const steps = pathOf(path);
      const value = valueAt(input.value, steps);
      yield Array.isArray(input.path) ? { value, path: [...(input.path as unknown[]), ...steps] } : { value };
    }
  },
  *'range/3'(input, args, machine) {
    for (const [from, to, by] of combined(machine, args, input)) {
      const [start, end, step] = [
        numberOf(from, 'Range bounds'),
        numberOf(to, 'Range bounds'),
        numberOf(by, 'Range bounds'),
      ];
      for (let i = start; step > 0 ? i < end : step < 0 && i > end; i += step) {
        machine.spend(1);
        if (machine.turnIsOver()) yield undefined;
        yield made(input, i);
      }
    }
  },
  *'match/2'(input, args, machine) {
    for (const [pattern, flags] of combined(machine, args, input))
      for (const found of matches(input.value, pattern, flags)) yield made(input, found);
  },
  *'test/2'(input, args, machine) {
    for (const [pattern, flags] of combined(machine, args, input))
      yield made(input, matches(input.value, pattern, flags).length > 0);
  },
  'input/0': (input, _, machine) => {
    const next = machine.options.next();
    if (!next) throw new JqError('No more inputs');
    return [made(input, next.value)];
  },
  'debug/0': (input, _, machine) => {
    machine.options.note(`${jsonOf(['DEBUG:', input.value])}\n`);
    return [input];
  },
  'stderr/0': (input, _, machine) => {
    machine.options.note(jsonOf(input.value));
    return [input];
  },
  'input_filename/0': (input, _, machine) => [made(input, machine.options.file())],
  'now/0': (input, _, machine) => [made(input, machine.options.now() / 1000)],
  'input_line_number/0': (input) => [made(input, 0)],
};

const values = (machine: Machine, filter: Filter | undefined, { value }: Item): Iterable<unknown> =>
  filter ? machine.values(filter, value) : [];

/** Every combination of the values of some filters; those of the first change fastest. */
function* combined(machine: Machine, filters: readonly Filter[], input: Item): Generator<readonly unknown[]> {
  const last = filters.at(-1);
  if (!last) return yield [];
  for (const end of machine.values(last, input.value))
    for (const before of combined(machine, filters.slice(0, -1), input)) yield [...before, end];
}

const native = (work: Plain): Native =>
  function* (input, args, machine) {
    for (const each of combined(machine, args, input)) {
      for (const value of [input.value, ...each]) machine.spend(copyCost(value));
      const result = work(input.value, ...each);
      machine.spend(copyCost(result));
      yield made(input, result);
    }
  };

const nativesByName = new Map<string, Native>([
  ...Object.entries({ ...plain, ...mathematics }).map(([name, work]) => [name, native(work)] as const),
  ...Object.entries(special),
]);

export const natives: ReadonlyMap<string, Native> = nativesByName;

function needed(value: unknown, type: 'string'): string {
  if (typeof value === type && typeof value === 'string') return value;
  throw new JqError(`${described(value)} cannot be used as a ${type}`);
}

function listOf(value: unknown, done: string): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new JqError(
    done === 'a path' ? 'Path must be specified as an array' : `Cannot iterate over ${described(value)}`,
  );
}

const pathOf = (path: unknown): readonly unknown[] => listOf(path, 'a path');

function lengthOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string') return [...value].length;
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'boolean') throw new JqError(`${described(value)} has no length`);
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function keysOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return [...value.keys()];
  if (isObject(value)) return Object.keys(value);
  throw new JqError(`${described(value)} has no keys`);
}

function has(value: unknown, key: unknown): boolean {
  if (isObject(value) && typeof key === 'string') return Object.hasOwn(value, key);
  if (Array.isArray(value) && typeof key === 'number') return key >= 0 && key < value.length;
  throw new JqError(
    `Cannot check whether ${typeOf(value)} has a ${typeof key === 'string' ? 'string' : typeOf(key)} key`,
  );
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') throw new JqError(`${described(value)} cannot be parsed as a number`);
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number))
    throw new JqError(`Invalid numeric literal at EOF at line 1, column ${value.length} (while parsing '${value}')`);
  return number;
}

function parseJson(value: unknown): unknown {
  const text = needed(value, 'string');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new JqError(`Invalid JSON (while parsing '${text}')`);
  }
}

function flattened(list: readonly unknown[], depth: number, into: unknown[] = []): readonly unknown[] {
  for (const item of list)
    if (Array.isArray(item) && depth > 0) flattened(item as unknown[], depth - 1, into);
    else if (into.push(item) > MOST_ITEMS) throw new JqError('the array would be too long');
  return into;
}

function codePoint(code: unknown): string {
  if (typeof code !== 'number' || code < 0 || code > 0x10ffff) throw new JqError('Invalid codepoint literal');
  return String.fromCodePoint(code);
}

function both(value: unknown, other: unknown, name: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string' && typeof other === 'string') return [[value, other]];
  throw new JqError(`${name}() requires string inputs`);
}

/** In bytes, as jq 1.6 counts. */
function textPositions(text: string, part: string): readonly number[] {
  const found: number[] = [];
  if (part === '') return found;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    found.push(new TextEncoder().encode(text.slice(0, at)).length);
  return found;
}

interface Keyed {
  readonly item: unknown;
  readonly key: unknown;
}

function sorted(value: unknown, keys: unknown): readonly Keyed[] {
  if (!Array.isArray(value)) throw new JqError(`${described(value)} cannot be sorted, as it is not an array`);
  const by = keys as readonly unknown[];
  return (value as unknown[]).map((item, i) => ({ item, key: by[i] })).sort((a, b) => compare(a.key, b.key));
}

function grouped(value: unknown, keys: unknown): readonly unknown[] {
  const groups: { readonly key: unknown; readonly items: unknown[] }[] = [];
  for (const { item, key } of sorted(value, keys)) {
    const last = groups.at(-1);
    if (last && equal(last.key, key)) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups.map(({ items }) => items);
}
