/**
 * Types as apply needs them. In the scheme, a type describes a value, and the field describes how lists, maps and
 * structs merge. Here both are combined, and every value is a scalar, a list, a map or open.
 */
import type { FieldNode, FieldOptions, Node, ScalarKind, StructNode } from '../../schema/index.ts';
import { fieldElement } from './pathElement.ts';

export type Type = Scalar | List | Fields | Open;

export interface Scalar {
  readonly form: 'scalar';
  /** The accepted JSON; `any` for values with several representations (quantities, times, IntOrString). */
  readonly accepts: 'number' | 'string' | 'boolean' | 'any';
}

export interface List {
  readonly form: 'list';
  readonly merges: 'atomic' | 'set' | 'map';
  /** For `map`: the key fields by name, and the default of each if an item omits it. */
  readonly keys: readonly { readonly name: string; readonly absent: unknown }[];
  readonly of: Type;
}

/** A struct or a map. */
export interface Fields {
  readonly form: 'fields';
  readonly atomic: boolean;
  /** Whether all of its content may be removed: a map, or an object without declared fields. */
  readonly isMap: boolean;
  /** Declared fields. */
  member(name: string): Member | undefined;
  /** The type of all other fields; undefined if there are none. */
  readonly rest: Type | undefined;
}

export interface Member {
  readonly element: string;
  readonly type: Type;
}

/** Any value: its type is derived from the value (see `deduce`). */
export interface Open {
  readonly form: 'open';
}

export const OPEN: Open = { form: 'open' };
const ANY: Scalar = { form: 'scalar', accepts: 'any' };
const OPEN_LIST: List = { form: 'list', merges: 'atomic', keys: [], of: OPEN };
const OPEN_FIELDS: Fields = { form: 'fields', atomic: false, isMap: true, member: () => undefined, rest: OPEN };

const ACCEPTS: Partial<Record<ScalarKind, Scalar['accepts']>> = {
  string: 'string',
  bytes: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
};

/** The type of an open value: objects merge by key, lists are atomic. Null counts as an object. */
export function deduce(value: unknown): Scalar | List | Fields {
  if (Array.isArray(value)) return OPEN_LIST;
  return typeof value === 'object' ? OPEN_FIELDS : ANY;
}

const byNode = new WeakMap<Node, Type>();
const byField = new WeakMap<FieldNode, Member>();

/** The type of whole objects, or of a value without a field. */
export function typeOf(node: Node): Type {
  let type = byNode.get(node);
  if (!type) byNode.set(node, (type = compile(node, {})));
  return type;
}

function memberOf(field: FieldNode): Member {
  // Called for each field of each write, so it avoids creating a closure.
  let member = byField.get(field);
  if (!member)
    byField.set(field, (member = { element: fieldElement(field.name), type: compile(field.of, field.options) }));
  return member;
}

function memo<K extends object, V>(known: WeakMap<K, V>, key: K, make: () => V): V {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

function compile(node: Node, options: FieldOptions): Type {
  switch (node.type) {
    case 'open':
      return OPEN;
    case 'either':
      // Values of two types have none in the published schema, so they are atomic.
      return { form: 'scalar', accepts: 'any' };
    case 'scalar':
      // Values that accept any JSON are atomic, because their parts have no type.
      return { form: 'scalar', accepts: ACCEPTS[node.scalar] ?? 'any' };
    case 'list':
      return compileList(node.of, { ...node.merging, ...options });
    case 'map':
      return lazyFields(
        { atomic: (options.map ?? node.merging?.map) === 'atomic', isMap: true },
        () => undefined,
        () => typeOf(node.of),
      );
    case 'struct':
      return compileStruct(node, options);
  }
}

function compileStruct(node: StructNode, options: FieldOptions): Fields {
  const known = new Map<string, Member>();
  const member = (name: string): Member | undefined => known.get(name) ?? first(name);
  const first = (name: string): Member | undefined => {
    const field = node.byName.get(name);
    const made = field && memberOf(field);
    if (made) known.set(name, made);
    return made;
  };
  // A published schema without properties describes no content, so the reference accepts anything there.
  const isOpen = node.open || node.fields.length === 0;
  const atomic = (options.map ?? node.options.map) === 'atomic';
  return lazyFields({ atomic, isMap: node.open }, member, () => (isOpen ? OPEN : undefined));
}

/** Members are compiled on demand, because types are recursive. */
function lazyFields(
  traits: Pick<Fields, 'atomic' | 'isMap'>,
  member: Fields['member'],
  rest: () => Type | undefined,
): Fields {
  return {
    form: 'fields',
    ...traits,
    member,
    get rest() {
      return rest();
    },
  };
}

function compileList(of: Node, options: FieldOptions): List {
  const keyDefault = (name: string): unknown => {
    const field = of.type === 'struct' ? of.byName.get(name) : undefined;
    return field && (field.options.keyDefault ?? zeroOf(field));
  };
  const { merges, keys } = mergingOf(options);
  return {
    form: 'list',
    merges,
    keys: [...keys].sort().map((name) => ({ name, absent: keyDefault(name) })),
    get of() {
      return typeOf(of);
    },
  };
}

/** A missing field that is always written counts as its zero value. */
function zeroOf({ presence, of }: FieldNode): unknown {
  if (presence !== 'always' || of.type !== 'scalar') return undefined;
  return ZEROS[ACCEPTS[of.scalar] ?? 'any'];
}

const ZEROS: Readonly<Record<Scalar['accepts'], unknown>> = { number: 0, string: '', boolean: false, any: undefined };

/** Lists without their own marker merge as in strategic merge patch. */
function mergingOf({ list, keys, strategy, mergeKey }: FieldOptions): {
  merges: List['merges'];
  keys: readonly string[];
} {
  if (list !== undefined) return { merges: list, keys: keys ?? [] };
  if (!strategy?.split(',').includes('merge')) return { merges: 'atomic', keys: [] };
  return mergeKey === undefined ? { merges: 'set', keys: [] } : { merges: 'map', keys: [mergeKey] };
}

const hiding = new WeakMap<Node, boolean>();

/** Whether atomic values contain mergeable lists. Comparing such values does not check their items. */
export function hidesLists(node: Node): boolean {
  return memo(hiding, node, () => hides(typeOf(node), node, false, { visible: new Set(), hidden: new Set() }));
}

/** Types may be recursive, and one may occur both inside and outside of an atomic value. */
type Seen = Readonly<Record<'visible' | 'hidden', Set<Node>>>;

function hides(type: Type, node: Node, isHidden: boolean, seen: Seen): boolean {
  if (type.form === 'list') {
    const inner = node.type === 'list' ? node.of : node;
    if (isHidden && type.merges !== 'atomic') return true;
    return hides(type.of, inner, isHidden || type.merges === 'atomic', seen);
  }
  if (type.form !== 'fields') return false;
  const below = isHidden || type.atomic;
  const met = seen[below ? 'hidden' : 'visible'];
  if (met.has(node)) return false;
  met.add(node);
  if (node.type === 'map') return hides(typeOf(node.of), node.of, below, seen);
  if (node.type !== 'struct') return false;
  return node.fields.some((field) => hides(memberOf(field).type, field.of, below, seen));
}
