/**
 * From raw JSON values to normalized objects: unknown fields go, absent fields appear as their presence says, scalars
 * take their canonical form. A normalized object is what Go would print after reading the same text, so printing it is
 * JSON.stringify and nothing more.
 */
import { isObject, setOwn, getOwn } from '../../std/index.ts';
import type { Presence } from '../define/types.ts';
import { convertInteger, decodeScalar } from './scalars.ts';
import {
  DecodeError,
  type EitherNode,
  type FieldNode,
  type Form,
  type ListNode,
  type MapNode,
  type Node,
  type StructNode,
} from './scheme.ts';

/**
 * Reads one value. `undefined` stands for a field that is absent; the result is never undefined. A struct takes the fields
 * that `raw` has in common with `known`, a frozen object that was decoded before, as they are.
 */
export type Decoder = (raw: unknown, known?: object) => unknown;

const decoders: Readonly<Record<Form, WeakMap<Node, Decoder>>> = {
  stored: new WeakMap(),
  sent: new WeakMap(),
  merged: new WeakMap(),
};

/** The decoder of a node; made on first use. */
export function decoderOf(node: Node, form: Form = 'stored'): Decoder {
  let decoder = decoders[form].get(node);
  if (!decoder) decoders[form].set(node, (decoder = make(node, form)));
  return decoder;
}

function make(node: Node, form: Form): Decoder {
  switch (node.type) {
    case 'scalar':
      return (form === 'merged' ? convertInteger[node.scalar] : undefined) ?? decodeScalar[node.scalar];
    case 'list':
      return listDecoder(node, form);
    case 'map':
      return mapDecoder(node, form);
    case 'struct':
      return structDecoder(node, form);
    case 'either':
      return eitherDecoder(node, form);
    case 'open':
      return (raw) => raw ?? null;
  }
}

function listDecoder(node: ListNode, form: Form): Decoder {
  let item: Decoder | undefined;
  return (raw) => {
    if (raw === undefined || raw === null) return null;
    if (!Array.isArray(raw)) throw wrong(raw, 'list', form);
    item ??= decoderOf(node.of, form);
    const list: unknown[] = new Array(raw.length);
    let i = 0;
    try {
      for (; i < raw.length; i++) list[i] = item(raw[i]);
    } catch (error) {
      throw within(error, i);
    }
    return list;
  };
}

function mapDecoder(node: MapNode, form: Form): Decoder {
  let value: Decoder | undefined;
  return (raw) => {
    if (raw === undefined || raw === null) return null;
    if (!isObject(raw)) throw wrong(raw, 'map', form);
    value ??= decoderOf(node.of, form);
    const map: Record<string, unknown> = {};
    let at = '';
    try {
      for (const key of Object.keys(raw)) setOwn(map, (at = key), value(raw[key]));
    } catch (error) {
      throw within(error, at);
    }
    return form === 'merged' ? map : sorted(map);
  };
}

/** The reference writes maps in the order of their keys. Most come so. */
function sorted(map: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(map);
  for (let i = 1; i < keys.length; i++)
    if ((keys[i - 1] as string) > (keys[i] as string))
      return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
  return map;
}

/** Where the alternative is a list, a scalar is read as an empty one, as the reference does. */
function eitherDecoder({ struct, other }: EitherNode, form: Form): Decoder {
  return (raw) => {
    if (isObject(raw)) return decoderOf(struct.of, form)(raw);
    return decoderOf(other.of, form)(other.of.type === 'list' && !Array.isArray(raw) ? [] : raw);
  };
}

interface Slot {
  readonly name: string;
  /** Whether every object has something of that name, which is not the field. */
  readonly isInherited: boolean;
  readonly read: Decoder;
  /** Whether a value is as good as none. */
  readonly isBlank: (value: unknown) => boolean;
  /** The value of an absent field: none, null, or the type's zero. */
  readonly absent: 'skip' | 'null' | 'zero';
}

function structDecoder(node: StructNode, form: Form): Decoder {
  let slots: readonly Slot[] | undefined;
  return (raw, known) => {
    if (raw === undefined || raw === null) raw = {};
    if (!isObject(raw)) throw wrong(raw, 'object', form);
    slots ??= node.fields.map((field) => slotOf(field, form));
    const object = readSlots(slots, raw, isObject(known) ? known : undefined);
    node.options.settle?.(object);
    if (node.open) keepUnknown(node, raw, object);
    return object;
  };
}

function readSlots(
  slots: readonly Slot[],
  raw: Record<string, unknown>,
  known: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  let at = '';
  try {
    /* eslint-disable local/own-keys -- Fields are declared; to ask each time costs a third of reading. */
    for (const { name, isInherited, read, isBlank, absent } of slots) {
      at = name;
      const given = isInherited ? getOwn(raw, name) : raw[name];
      if (given === undefined || given === null) {
        if (absent !== 'skip') object[name] = absent === 'null' ? null : read(undefined);
        continue;
      }
      const isKnown = known !== undefined && typeof given === 'object' && given === getOwn(known, name);
      const value = isKnown ? given : read(given, known && (getOwn(known, name) as object | undefined));
      if (!isBlank(value)) object[name] = value;
      else if (absent === 'null') object[name] = null;
    }
    /* eslint-enable local/own-keys */
  } catch (error) {
    throw within(error, at);
  }
  return object;
}

function keepUnknown(node: StructNode, raw: Record<string, unknown>, object: Record<string, unknown>): void {
  for (const key of Object.keys(raw)) if (!node.byName.has(key)) setOwn(object, key, raw[key]);
}

function slotOf(field: FieldNode, form: Form): Slot {
  const { fixed } = field.options;
  const named = { name: field.name, isInherited: Object.hasOwn(Object.prototype, field.name) };
  if (fixed !== undefined) return { ...named, read: () => fixed, isBlank: never, absent: 'zero' };
  const base = { ...named, read: decoderOf(field.of, form) };
  const kept = form !== 'stored' && field.presence === 'always' && isCollection(field.of);
  return { ...base, ...SLOTS[kept ? 'nullable' : field.presence](field.of) };
}

const never = (): boolean => false;
const isNull = (value: unknown): boolean => value === null;
const isZero = (value: unknown): boolean => value === null || value === '' || value === 0 || value === false;
/** An empty list or map is as good as none. */
const isEmpty = (value: unknown): boolean => value === null || Object.keys(value as object).length === 0;

type Behaviour = Pick<Slot, 'isBlank' | 'absent'>;

const isCollection = (of: Node): boolean => of.type === 'list' || of.type === 'map';

const SLOTS: Readonly<Record<Presence, (of: Node) => Behaviour>> = {
  always: (of) => (isCollection(of) ? { isBlank: isEmpty, absent: 'null' } : { isBlank: never, absent: 'zero' }),
  opt: (of) => {
    if (isCollection(of)) return { isBlank: isEmpty, absent: 'skip' };
    return isGoStruct(of) ? { isBlank: never, absent: 'zero' } : { isBlank: isZero, absent: 'skip' };
  },
  ptr: () => ({ isBlank: isNull, absent: 'skip' }),
  nullable: () => ({ isBlank: isNull, absent: 'null' }),
};

const STRUCT_SCALARS = new Set<string>(['time', 'microTime', 'quantity', 'intOrString', 'rawExtension']);

/** What Go holds as a struct is never empty to its JSON encoder. */
export function isGoStruct(node: Node): boolean {
  return node.type === 'struct' || (node.type === 'scalar' && STRUCT_SCALARS.has(node.scalar));
}

/** The error of a part, with its path. */
const within = (error: unknown, step: string | number): unknown =>
  error instanceof DecodeError ? error.within(step) : error;

/** Merge results of the wrong type are reported with Go's type names, which clients search for. */
const IN_GO = { list: 'slice from', map: 'map from', object: 'struct from:' } as const;

function wrong(raw: unknown, wanted: keyof typeof IN_GO, form: Form): DecodeError {
  if (form === 'merged') return new DecodeError(`cannot restore ${IN_GO[wanted]} ${goKindOf(raw)}`);
  return new DecodeError(`expected ${wanted}, found ${kindOf(raw)}`);
}

function goKindOf(raw: unknown): string {
  if (Array.isArray(raw)) return 'slice';
  if (typeof raw === 'number') return Number.isInteger(raw) ? 'int64' : 'float64';
  return typeof raw === 'boolean' ? 'bool' : typeof raw === 'string' ? 'string' : 'map';
}

/** The type of a JSON value. */
export function kindOf(raw: unknown): string {
  if (raw === null) return 'null';
  if (Array.isArray(raw)) return 'list';
  return typeof raw;
}
