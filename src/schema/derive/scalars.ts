/** Reading scalars: each throws where the JSON value cannot be one, and turns absence into the zero that Go knows. */
import { fromBase64, toBase64 } from '../../std/index.ts';
import type { ScalarKind } from '../define/types.ts';
import { canonicalMicroTime, canonicalQuantity, canonicalTime, QUANTITY_ERROR } from '../values/index.ts';
import { DecodeError } from './scheme.ts';

const absent = (raw: unknown): raw is undefined | null => raw === undefined || raw === null;
const wrong = (raw: unknown, wanted: string): DecodeError =>
  new DecodeError(`expected ${wanted}, found ${JSON.stringify(raw)}`);

function text(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  if (absent(raw)) return '';
  throw wrong(raw, 'string');
}

function bool(raw: unknown): boolean {
  if (typeof raw === 'boolean') return raw;
  if (absent(raw)) return false;
  throw wrong(raw, 'bool');
}

function integer(name: string, min: number, max: number): (raw: unknown) => number {
  return (raw) => {
    if (absent(raw)) return 0;
    if (typeof raw !== 'number' || !Number.isInteger(raw)) throw wrong(raw, name);
    if (raw < min || raw > max) throw new DecodeError(`${raw} does not fit into ${name}`);
    return raw;
  };
}

const int32 = integer('int32', -(2 ** 31), 2 ** 31 - 1);
const anyInt64 = integer('int64', -(2 ** 63), 2 ** 63);

/** The largest integer below 2^63 that a number can be. What rounding made of the largest int64 would overflow at clients. */
const MOST = 2 ** 63 - 1024;
const int64 = (raw: unknown): number => Math.max(-MOST, Math.min(MOST, anyInt64(raw)));

const INT64_MIN = -(2n ** 63n);

/** An integer as Go converts one: too large a number loses its high bits, and one beyond 64 bits becomes the least of all. */
function converted(name: string, bits: number): (raw: unknown) => number {
  return (raw) => {
    if (absent(raw)) return 0;
    if (typeof raw !== 'number' || !Number.isInteger(raw)) throw wrong(raw, name);
    const fits = Math.abs(raw) < 2 ** 63;
    return Number(BigInt.asIntN(bits, fits ? BigInt(raw) : INT64_MIN));
  };
}

function double(raw: unknown): number {
  if (absent(raw)) return 0;
  if (typeof raw !== 'number') throw wrong(raw, 'number');
  return raw;
}

function bytes(raw: unknown): string {
  if (absent(raw)) return '';
  const decoded = typeof raw === 'string' ? fromBase64(raw) : undefined;
  if (!decoded) throw wrong(raw, 'base64 text');
  // Line breaks, and bits that padding leaves over, are read but never written.
  return /[\r\n=]/.test(raw as string) ? toBase64(decoded) : (raw as string);
}

/** Quantities may be written as numbers, too. */
function quantity(raw: unknown): string {
  if (absent(raw)) return '0';
  if (typeof raw !== 'string' && typeof raw !== 'number') throw wrong(raw, 'quantity');
  const canonical = canonicalQuantity(String(raw));
  if (canonical === undefined) throw new DecodeError(QUANTITY_ERROR);
  return canonical;
}

const intOrString = (raw: unknown): number | string => (typeof raw === 'string' ? raw : int32(raw));

function timeWith(canonical: (text: string) => string | null | undefined): (raw: unknown) => string | null {
  return (raw) => {
    if (absent(raw)) return null;
    const time = typeof raw === 'string' ? canonical(raw) : undefined;
    if (time === undefined) throw wrong(raw, 'time');
    return time;
  };
}

/** Values that are kept as they are; the caller's object is shared. */
const raw = (value: unknown): unknown => value ?? null;

export const decodeScalar: Readonly<Record<ScalarKind, (raw: unknown) => unknown>> = {
  string: text,
  bytes,
  bool,
  int32,
  int64,
  double,
  quantity,
  intOrString,
  time: timeWith(canonicalTime),
  microTime: timeWith(canonicalMicroTime),
  rawExtension: raw,
  json: raw,
  fieldsV1: raw,
};

/** The integers that have another form where a value is converted rather than read. */
export const convertInteger: Partial<Record<ScalarKind, (raw: unknown) => unknown>> = {
  int32: converted('int32', 32),
  int64: converted('int64', 64),
};
