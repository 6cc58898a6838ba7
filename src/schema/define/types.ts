/**
 * The declaring language, part 1: types of fields.
 *
 * A declaration is a plain value. `Infer` turns it into the TypeScript type of the object that it describes, and
 * `derive/` turns it, once per cluster, into everything that happens at run time.
 */

/** The type of a scalar field; each has one JSON form and one wire form. */
export type ScalarKind =
  | 'string'
  | 'bytes'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  /** Any JSON value, kept as it is: RawExtension, JSON and FieldsV1 differ only on the wire. */
  | 'rawExtension'
  | 'json'
  | 'fieldsV1';

declare const phantom: unique symbol;

/** A type that describes values of `T`. The phantom member exists only for the compiler. */
interface Describes<T> {
  readonly [phantom]?: T;
}

export interface ScalarType<T = unknown> extends Describes<T> {
  readonly type: 'scalar';
  readonly scalar: ScalarKind;
  /** The name of the type in Go, if it has one (see `named`). */
  readonly goName?: string;
}

export interface ListType<T = unknown> extends Describes<T> {
  readonly type: 'list';
  readonly of: AnyType;
  /** Encoded in Protobuf as a message with the list in field 1, like Go's named slices. */
  readonly boxed?: boolean;
}

export interface MapType<T = unknown> extends Describes<T> {
  readonly type: 'map';
  readonly of: AnyType;
  /** The name of the type in Go, if it has one (see `named`). */
  readonly goName?: string;
}

export interface StructType<T = unknown> extends Describes<T> {
  readonly type: 'struct';
  /** Name in OpenAPI without the profile's prefix: `api.core.v1.Container`. */
  readonly name: string;
  /** Declared fields by JSON name; names may contain placeholders of the naming profile: `{agent}Version`. */
  readonly fields: Fields;
  readonly options: StructOptions<T>;
}

/** A struct that is looked up late, for types that contain themselves. */
export interface LazyType<T = unknown> extends Describes<T> {
  readonly type: 'lazy';
  readonly get: () => AnyType;
}

/** A struct or something else, told apart by the shape of the JSON value: a schema or `true`, a schema or a list of names. */
export interface EitherType<T = unknown> extends Describes<T> {
  readonly type: 'either';
  /** Name in OpenAPI without the profile's prefix. */
  readonly name: string;
  /** The struct that a JSON object is, and its number on the wire. */
  readonly struct: { readonly tag: number; readonly of: AnyType };
  /** What any other JSON value is, and its number on the wire. */
  readonly other: { readonly tag: number; readonly of: AnyType };
}

export type AnyType = ScalarType | ListType | MapType | StructType | LazyType | EitherType;

export type Fields = Readonly<Record<string, Field<AnyType, Presence>>>;

/**
 * How an empty field is encoded, in JSON and on the wire.
 * - `always`: always written; with its zero if it is not set (a list or map: null).
 * - `opt`: omitted if it is zero or empty; a struct is always written.
 * - `ptr`: omitted if absent, but kept if it is set, zero or not.
 * - `nullable`: null if absent.
 */
export type Presence = 'always' | 'opt' | 'ptr' | 'nullable';

/** What else is known of a field. */
export interface FieldOptions {
  /** Whether OpenAPI calls it required; by default exactly the `always` fields are. */
  readonly required?: boolean;
  /** Server-side apply: how a list merges; `atomic` by default. */
  readonly list?: 'atomic' | 'set' | 'map';
  /** Server-side apply: the fields that identify an item of a `map` list. */
  readonly keys?: readonly string[];
  /** Server-side apply: the default of this key field if an item of a `map` list omits it. */
  readonly keyDefault?: unknown;
  /** Server-side apply: whether a struct or map is one value (`atomic`) or many. */
  readonly map?: 'atomic' | 'granular';
  /** Strategic merge patch: the field that identifies an item. */
  readonly mergeKey?: string;
  /** Strategic merge patch: `merge`, `replace`, `retainKeys`, or two of them joined by a comma. */
  readonly strategy?: string;
  /** Written when the field is absent (or zero, for a value); for anything that depends on more, see `StructOptions.defaults`. */
  readonly default?: unknown;
  /** The constant value of the field: kind and version of an embedded object. */
  readonly fixed?: string;
  /** A sentence for `explain`, OpenAPI and the editor. */
  readonly doc?: string;
  /** On the wire the field is inside a message with this number, shared by all fields that name it (see `inline`). */
  readonly within?: number;
  /** Name of the struct that is embedded there (see `inline`), where it has one. */
  readonly embedded?: string;
  /** Name of the field in Go where it does not follow from the JSON name (see `derive/printedForm.ts`). */
  readonly goName?: string;
}

export interface Field<T extends AnyType, P extends Presence> {
  readonly tag: number;
  readonly of: T;
  readonly presence: P;
  readonly options: FieldOptions;
}

export interface StructOptions<T = unknown> {
  readonly doc?: string;
  /** `atomic` where apply treats the whole struct as one value. */
  readonly map?: 'atomic' | 'granular';
  /** Sets defaults that a plain `default` can't express. Runs on the struct before its content. Mutates. */
  // A method, so that a struct of any values is still a struct.
  defaults?(value: T, context: DefaultContext): void;
  /** Brings fields that say the same thing into line. Runs whenever an object is normalized. Mutates. */
  settle?(value: T): void;
  /** Server-side apply: fields of which only one is set at a time, and the discriminator field. */
  readonly unions?: readonly { readonly discriminator?: string; readonly fields: Readonly<Record<string, string>> }[];
}

/** What defaulting may depend on besides the object. */
export interface DefaultContext {
  /** Fills the words of the naming profile into a template (see `names/`). */
  readonly fill: (template: string) => string;
  /** Whether a feature gate is on. */
  readonly gate: (name: string) => boolean;
}

/** The TypeScript type of the values that a type describes. */
export type Infer<T> = T extends Describes<infer V> ? V : never;

/** Scalars that Go holds as structs: like structs, they are written even when nothing was given. */
type StructScalar = 'time' | 'microTime' | 'quantity' | 'intOrString' | 'rawExtension';

/** What stands in a field when nothing was given and the field is written all the same. */
type Blank<T extends AnyType> = T extends ListType | MapType
  ? Infer<T> | null
  : T extends { readonly scalar: 'time' | 'microTime' }
    ? Infer<T> | null
    : Infer<T>;

/** Whether a normalized object always has the field (see `Presence`). */
type Written<F extends Field<AnyType, Presence>> = F['presence'] extends 'always' | 'nullable'
  ? true
  : F['presence'] extends 'opt'
    ? F['of'] extends StructType | { readonly scalar: StructScalar }
      ? true
      : false
    : false;

type Value<F extends Fields> = {
  -readonly [K in keyof F as Written<F[K]> extends true ? K : never]: F[K]['presence'] extends 'nullable'
    ? Infer<F[K]['of']> | null
    : Blank<F[K]['of']>;
} & {
  -readonly [K in keyof F as Written<F[K]> extends true ? never : K]?: Infer<F[K]['of']>;
};

/** The values of a struct with these fields. */
export type ValueOf<F extends Fields> = Flat<Value<F>>;

/** Flattens an intersection, so that hovering a type shows its fields. */
type Flat<T> = { [K in keyof T]: T[K] };

function scalar<T, S extends ScalarKind = ScalarKind>(kind: S): ScalarType<T> & { readonly scalar: S } {
  return { type: 'scalar', scalar: kind };
}

export const string = scalar<string, 'string'>('string');
/** Bytes, as base64 text in JSON. */
export const bytes = scalar<string, 'bytes'>('bytes');
export const bool = scalar<boolean, 'bool'>('bool');
export const int32 = scalar<number, 'int32'>('int32');
/** 64-bit integers, as JSON numbers; exact up to 2^53. */
export const int64 = scalar<number, 'int64'>('int64');
export const double = scalar<number, 'double'>('double');
/** A resource quantity in its canonical text form, such as `250m` or `1Gi`. */
export const quantity = scalar<string, 'quantity'>('quantity');
export const intOrString = scalar<number | string, 'intOrString'>('intOrString');
/** RFC 3339 in UTC, whole seconds. */
export const time = scalar<string, 'time'>('time');
/** RFC 3339 in UTC, microseconds. */
export const microTime = scalar<string, 'microTime'>('microTime');
export const rawExtension = scalar<unknown, 'rawExtension'>('rawExtension');
export const json = scalar<unknown, 'json'>('json');
export const fieldsV1 = scalar<Record<string, unknown>, 'fieldsV1'>('fieldsV1');

export function list<T extends AnyType>(of: T): ListType<Infer<T>[]> {
  return { type: 'list', of };
}

/** A list that is a message of its own on the wire (see `ListType.boxed`). */
export function boxed<T extends AnyType>(of: T): ListType<Infer<T>[]> {
  return { type: 'list', of, boxed: true };
}

export function map<T extends AnyType>(of: T): MapType<Record<string, Infer<T>>> {
  return { type: 'map', of };
}

/** A value that is a struct when it is a JSON object, and something else when it is not (see `EitherType`). */
export function either<S extends AnyType, O extends AnyType>(
  name: string,
  struct: { readonly tag: number; readonly of: S },
  other: { readonly tag: number; readonly of: O },
): EitherType<Infer<S> | Infer<O>> {
  return { type: 'either', name, struct, other };
}

/** A scalar or map that is a type of its own in Go: `v1.RestartPolicy` is a string with that name. */
export function named<T extends ScalarType | MapType>(goName: string, of: T): T {
  return { ...of, goName };
}

/** For a struct that contains itself; its TypeScript type has to be named by hand. */
export function lazy<T>(get: () => AnyType): LazyType<T> {
  return { type: 'lazy', get };
}

/**
 * Declares a struct. `name` is the definition's name in OpenAPI without the profile's prefix. The fields of what pod
 * templates contain stand in the order of the Go struct: template hashes depend on it (see `derive/printedForm.ts`).
 */
export function struct<const F extends Fields>(
  name: string,
  fields: F,
  options: StructOptions<ValueOf<F>> = {},
): StructType<ValueOf<F>> & { readonly fields: F } {
  return { type: 'struct', name, fields, options: options as StructOptions<Flat<Value<F>>> };
}

/**
 * The fields of a struct that is embedded in another: in JSON they stand among the other's own, on the wire they are a
 * message with the number `tag`. Spread the result into the fields of the other.
 */
export function inline<const F extends Fields>(tag: number, struct: { readonly name?: string; readonly fields: F }): F {
  const options = { within: tag, ...(struct.name === undefined ? {} : { embedded: struct.name }) };
  const within = ([name, field]: [string, Fields[string]]) => [
    name,
    { ...field, options: { ...field.options, ...options } },
  ];
  return Object.fromEntries(Object.entries(struct.fields).map((entry) => within(entry))) as F;
}

function field<P extends Presence>(presence: P) {
  return <T extends AnyType>(tag: number, of: T, options: FieldOptions = {}): Field<T, P> => ({
    tag,
    of,
    presence,
    options,
  });
}

/** See `Presence`. The number is the field's number on the wire; 0 where the type has no Protobuf form. */
export const always = field('always');
export const opt = field('opt');
export const ptr = field('ptr');
export const nullable = field('nullable');
