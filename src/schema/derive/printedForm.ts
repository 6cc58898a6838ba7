/**
 * The text that the reference hashes for names derived from a template: the template as a Go struct, printed by the
 * library spew with `%#v`. It contains every field with its Go name and type, including absent ones:
 *
 *     (v1.HostAlias){IP:(string)192.0.2.1 Hostnames:([]string)[a b]}
 *
 * Names, types and order of the fields follow from the declarations.
 */
import { fromBase64, getOwn } from '../../std/index.ts';
import { readQuantity, timeOf } from '../values/index.ts';
import type { AnyType, Field, Presence, ScalarKind, ScalarType, StructType } from '../define/types.ts';

type AnyField = Field<AnyType, Presence>;

/** Rewrites every text of the object: keys of maps, and values. */
type Rename = (text: string) => string;

/** Prints an object of a declared type. Empty lists and maps are printed as absent, as they are once they were stored. */
export function printedForm(type: StructType, value: unknown, rename: Rename = (text) => text): string {
  return `(${typeName(type)})${printValue(type, value, rename)}`;
}

const SCALAR_TYPES: Readonly<Record<ScalarKind, string>> = {
  string: 'string',
  bytes: '[]uint8',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  rawExtension: 'runtime.RawExtension',
  json: 'v1.JSON',
  fieldsV1: 'v1.FieldsV1',
};

function typeName(type: AnyType): string {
  switch (type.type) {
    case 'scalar':
      return type.goName ?? SCALAR_TYPES[type.scalar];
    case 'list':
      return `[]${typeName(type.of)}`;
    case 'map':
      return type.goName ?? `map[string]${typeName(type.of)}`;
    case 'lazy':
      return typeName(type.get());
    case 'struct':
    case 'either':
      return structName(type.name);
  }
}

/** `api.core.v1.Container` is `v1.Container`: a package is called by its last part. */
const structName = (name: string): string => name.split('.').slice(-2).join('.');

function printValue(type: AnyType, value: unknown, rename: Rename): string {
  switch (type.type) {
    case 'scalar':
      return printScalar(type, value, rename);
    case 'list':
      return isEmpty(value) ? '<nil>' : printList(type.of, value as readonly unknown[], rename);
    case 'map':
      return isEmpty(value) ? '<nil>' : printMap(type.of, value as object, rename);
    case 'lazy':
      return printValue(type.get(), value, rename);
    case 'struct':
      return printStruct(type, (value ?? {}) as Readonly<Record<string, unknown>>, rename);
    case 'either':
      return JSON.stringify(value);
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || Object.keys(value as object).length === 0;

function printList(of: AnyType, items: readonly unknown[], rename: Rename): string {
  return `[${items.map((item) => printValue(of, item, rename)).join(' ')}]`;
}

function printMap(of: AnyType, map: object, rename: Rename): string {
  const entries = Object.entries(map).map(([key, value]) => [rename(key), value as unknown] as const);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, value]) => `${key}:${printValue(of, value, rename)}`).join(' ')}]`;
}

function printStruct({ fields }: StructType, value: Readonly<Record<string, unknown>>, rename: Rename): string {
  const printed: string[] = [];
  const open: { name?: string; of: string[] } = { of: [] };
  const close = (): void => {
    if (open.name !== undefined)
      printed.push(`${open.name.split('.').at(-1)}:(${structName(open.name)}){${open.of.join(' ')}}`);
    open.of = [];
  };
  for (const [name, field] of Object.entries(fields)) {
    const { embedded } = field.options;
    const text = printField(name, field, getOwn(value, name), rename);
    if (embedded !== open.name) close();
    if (embedded === undefined) {
      delete open.name;
      printed.push(text);
    } else {
      open.name = embedded;
      open.of.push(text);
    }
  }
  close();
  return `{${printed.join(' ')}}`;
}

function printField(name: string, field: AnyField, value: unknown, rename: Rename): string {
  const type = typeName(field.of);
  if (!isPointer(field)) return `${goNameOf(name, field)}:(${type})${printValue(field.of, value, rename)}`;
  const isAbsent = value === undefined || value === null;
  return `${goNameOf(name, field)}:(*${type})${isAbsent ? '<nil>' : printValue(field.of, value, rename)}`;
}

/** Lists and maps can be absent without being pointers. */
function isPointer({ presence, of }: AnyField): boolean {
  return (presence === 'ptr' || presence === 'nullable') && of.type !== 'list' && of.type !== 'map';
}

/** Abbreviations that Go writes in capitals, at the beginning of a name in which JSON writes them small. */
const ABBREVIATION = /^(api|aws|csi|dns|fc|fs|gce|gmsa|http|ip|iqn|iscsi|nfs|pd|rbd|se|ssl|tcp|tty|uid)(?![a-z])/;

const IRREGULAR: Readonly<Record<string, string>> = {
  cephfs: 'CephFS',
  metadata: 'ObjectMeta',
  storageos: 'StorageOS',
  wwids: 'WWIDs',
};

function goNameOf(name: string, { options }: AnyField): string {
  const regular = name.replace(ABBREVIATION, (text) => text.toUpperCase());
  return options.goName ?? getOwn(IRREGULAR, name) ?? regular.charAt(0).toUpperCase() + regular.slice(1);
}

function printScalar({ scalar }: ScalarType, value: unknown, rename: Rename): string {
  switch (scalar) {
    case 'string':
      return rename((value as string | undefined) ?? '');
    case 'bool':
      return String(value ?? false);
    case 'int32':
    case 'int64':
    case 'double':
      return String(value ?? 0);
    case 'bytes':
      return isEmpty(value) ? '<nil>' : `[${fromBase64(value as string)?.join(' ') ?? ''}]`;
    case 'intOrString':
      return printIntOrString(value, rename);
    case 'quantity':
      return printQuantity((value as string | undefined) ?? '');
    case 'time':
    case 'microTime':
      return printTime(value as string | null | undefined);
    case 'rawExtension':
    case 'json':
    case 'fieldsV1':
      return JSON.stringify(value);
  }
}

function printIntOrString(value: unknown, rename: Rename): string {
  const isText = typeof value === 'string';
  const number = isText ? 0 : ((value as number | undefined) ?? 0);
  return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${number} StrVal:(string)${isText ? rename(value) : ''}}`;
}

const SECONDS_BEFORE_1970 = 62_135_596_800;

/** The zone of a time that was given is a structure of the machine's, which the reference prints; here it is left out. */
function printTime(value: string | null | undefined): string {
  const ms = timeOf(value);
  const seconds = ms === undefined ? 0 : Math.floor(ms / 1000) + SECONDS_BEFORE_1970;
  return `{Time:(time.Time){wall:(uint64)0 ext:(int64)${seconds} loc:(*time.Location)<nil>}}`;
}

/** A quantity is stored as an integer with a scale, or as a large decimal; and its text, if that is canonical. */
function printQuantity(text: string): string {
  const form = (integer: string, large: string, written: string, format: string): string =>
    `{i:(resource.int64Amount)${integer} d:(resource.infDecAmount){Dec:(*inf.Dec)${large}} s:(string)${written} Format:(resource.Format)${format}}`;
  const integer = (value: bigint, scale: number): string => `{value:(int64)${value} scale:(resource.Scale)${scale}}`;
  const read = text === '' || text === '0' ? undefined : readQuantity(text);
  if (!read) return form(integer(0n, 0), '<nil>', text, '');
  const { negative, magnitude, scale, format, isMachine, isCanonical } = read;
  if (!isMachine) return form(integer(0n, 0), printLarge(negative, magnitude, scale), '', format);
  return form(integer(negative ? -magnitude : magnitude, scale), '<nil>', isCanonical ? text : '', format);
}

const WORD = 1n << 64n;

/** A large decimal counts billionths, in words of the machine, the lowest first. */
function printLarge(negative: boolean, magnitude: bigint, scale: number): string {
  const words: bigint[] = [];
  for (let rest = magnitude * 10n ** BigInt(scale + 9); rest > 0n; rest /= WORD) words.push(rest % WORD);
  return `{unscaled:(big.Int){neg:(bool)${negative} abs:(big.nat)[${words.join(' ')}]} scale:(inf.Scale)9}`;
}
