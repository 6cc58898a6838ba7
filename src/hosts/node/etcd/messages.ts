/** The messages of etcd's API v3 that storage needs (`rpc.proto`, `kv.proto`), by the numbers of their fields. */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** A key as etcd keeps it. Revisions stay far below the largest safe number. */
export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  readonly created: number;
  readonly modified: number;
  readonly version: number;
}

export interface RangeRequest {
  readonly start: string;
  /** Without one only the key `start`. */
  readonly end?: string;
  readonly limit?: number;
  readonly revision?: number;
}

export interface RangeResponse {
  readonly revision: number;
  readonly entries: readonly KeyValue[];
  readonly more: boolean;
}

/** True if the key's last write, or its version, equals this one; 0 means that the key does not exist. */
export interface Compare {
  readonly key: string;
  readonly of: 'version' | 'modified';
  readonly is: number;
}

export type Write =
  | { readonly type: 'put'; readonly key: string; readonly value: string; readonly lease?: bigint }
  | { readonly type: 'delete'; readonly key: string }
  | { readonly type: 'get'; readonly key: string };

export interface TxnRequest {
  readonly compares: readonly Compare[];
  readonly then: readonly Write[];
  readonly otherwise?: readonly Write[];
}

export interface TxnResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** The results of the gets, in order. */
  readonly found: readonly KeyValue[];
}

export interface WatchEvent {
  readonly type: 'put' | 'delete';
  readonly entry: KeyValue;
}

export interface WatchResponse {
  readonly canceled: boolean;
  /** Why it is canceled where history is gone: history begins here. */
  readonly compacted: number;
  readonly reason: string;
  readonly events: readonly WatchEvent[];
}

type Field = (reader: BinaryReader) => void;

/** One for all messages: its buffer has grown to their size. */
const shared = new BinaryWriter();

/** The bytes of a message. */
function encoded(write: (writer: BinaryWriter) => void): Uint8Array {
  try {
    write(shared);
    return shared.finish();
  } catch (error) {
    // A partial message must not become part of the next one.
    shared.finish();
    throw error;
  }
}

/** Decodes a message: known field numbers are set, others are skipped. */
function read(bytes: Uint8Array, fields: Readonly<Record<number, Field>>): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const field = fields[number];
    if (field) field(reader);
    else reader.skip(type, number);
  }
}

const integer = (reader: BinaryReader): number => Number(reader.int64());
const ALL = '\0';

function writeBytes(writer: BinaryWriter, field: number, value: Uint8Array | string): void {
  if (value.length === 0) return;
  writer.tag(field, WireType.LengthDelimited);
  if (typeof value === 'string') writer.string(value);
  else writer.bytes(value);
}

function writeInteger(writer: BinaryWriter, field: number, value: number | bigint): void {
  if (value !== 0 && value !== 0n) writeVarint(writer.tag(field, WireType.Varint), value);
}

/** Small numbers are the same bytes in either width, and much cheaper in the narrow one. */
function writeVarint(writer: BinaryWriter, value: number | bigint): void {
  if (typeof value === 'number' && value < NARROW) writer.uint32(value);
  else writer.int64(String(value));
}

const NARROW = 2 ** 32;

function writeMessage(writer: BinaryWriter, field: number, write: (inner: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}

function readKeyValue(bytes: Uint8Array): KeyValue {
  const entry: { -readonly [K in keyof KeyValue]: KeyValue[K] } = {
    key: '',
    value: new Uint8Array(),
    created: 0,
    modified: 0,
    version: 0,
  };
  read(bytes, {
    1: (r) => void (entry.key = Buffer.from(r.bytes()).toString()),
    2: (r) => void (entry.created = integer(r)),
    3: (r) => void (entry.modified = integer(r)),
    4: (r) => void (entry.version = integer(r)),
    5: (r) => void (entry.value = r.bytes()),
  });
  return entry;
}

function readHeader(bytes: Uint8Array): number {
  let revision = 0;
  read(bytes, { 3: (r) => void (revision = integer(r)) });
  return revision;
}

/** The revision in the header that every answer begins with. */
export function readRevision(bytes: Uint8Array): number {
  let revision = 0;
  read(bytes, { 1: (r) => void (revision = readHeader(r.bytes())) });
  return revision;
}

function writeRange(writer: BinaryWriter, { start, end, limit = 0, revision = 0 }: RangeRequest): void {
  writeBytes(writer, 1, start);
  if (end !== undefined) writeBytes(writer, 2, end);
  writeInteger(writer, 3, limit);
  writeInteger(writer, 4, revision);
}

export const encodeRange = (request: RangeRequest): Uint8Array => encoded((writer) => writeRange(writer, request));

export function decodeRange(bytes: Uint8Array): RangeResponse {
  const response = { revision: 0, entries: [] as KeyValue[], more: false };
  read(bytes, {
    1: (r) => void (response.revision = readHeader(r.bytes())),
    2: (r) => void response.entries.push(readKeyValue(r.bytes())),
    3: (r) => void (response.more = r.bool()),
  });
  return response;
}

const TARGETS = { version: { target: 0, field: 4 }, modified: { target: 2, field: 6 } } as const;

function writeCompare(writer: BinaryWriter, { key, of, is }: Compare): void {
  const { target, field } = TARGETS[of];
  writeInteger(writer, 2, target);
  writeBytes(writer, 3, key);
  writeVarint(writer.tag(field, WireType.Varint), is);
}

function writeOp(writer: BinaryWriter, op: Write): void {
  if (op.type === 'get') return writeMessage(writer, 1, (inner) => writeRange(inner, { start: op.key }));
  if (op.type === 'delete') return writeMessage(writer, 3, (inner) => writeBytes(inner, 1, op.key));
  writeMessage(writer, 2, (inner) => {
    writeBytes(inner, 1, op.key);
    writeBytes(inner, 2, op.value);
    writeInteger(inner, 3, op.lease ?? 0n);
  });
}

export function encodeTxn({ compares, then, otherwise = [] }: TxnRequest): Uint8Array {
  return encoded((writer) => {
    for (const compare of compares) writeMessage(writer, 1, (inner) => writeCompare(inner, compare));
    for (const op of then) writeMessage(writer, 2, (inner) => writeOp(inner, op));
    for (const op of otherwise) writeMessage(writer, 3, (inner) => writeOp(inner, op));
  });
}

export function decodeTxn(bytes: Uint8Array): TxnResponse {
  const response = { revision: 0, succeeded: false, found: [] as KeyValue[] };
  const readOp = (op: Uint8Array): void =>
    read(op, { 1: (r) => void response.found.push(...decodeRange(r.bytes()).entries) });
  read(bytes, {
    1: (r) => void (response.revision = readHeader(r.bytes())),
    2: (r) => void (response.succeeded = r.bool()),
    3: (r) => readOp(r.bytes()),
  });
  return response;
}

/** A watch of every key, so that every revision is reported, including those of foreign keys. */
export function encodeWatch(from: number): Uint8Array {
  return encoded((writer) =>
    writeMessage(writer, 1, (inner) => {
      writeBytes(inner, 1, ALL);
      writeBytes(inner, 2, ALL);
      writeInteger(inner, 3, from);
    }),
  );
}

function readEvent(bytes: Uint8Array): WatchEvent {
  let type: WatchEvent['type'] = 'put';
  let entry: Uint8Array = new Uint8Array();
  read(bytes, {
    1: (r) => void (type = r.int32() === 1 ? 'delete' : 'put'),
    2: (r) => void (entry = r.bytes()),
  });
  return { type, entry: readKeyValue(entry) };
}

export function decodeWatch(bytes: Uint8Array): WatchResponse {
  const response = { canceled: false, compacted: 0, reason: '', events: [] as WatchEvent[] };
  read(bytes, {
    4: (r) => void (response.canceled = r.bool()),
    5: (r) => void (response.compacted = integer(r)),
    6: (r) => void (response.reason = r.string()),
    11: (r) => void response.events.push(readEvent(r.bytes())),
  });
  return response;
}

export const encodeCompaction = (revision: number): Uint8Array =>
  encoded((writer) => writeInteger(writer, 1, revision));

export const encodeLease = (seconds: number): Uint8Array => encoded((writer) => writeInteger(writer, 1, seconds));

export function decodeLease(bytes: Uint8Array): bigint {
  let id = 0n;
  read(bytes, { 2: (r) => void (id = BigInt(r.int64())) });
  return id;
}

/** Bytes on disk, of an answer about an endpoint's status. */
export function decodeSize(bytes: Uint8Array): number {
  let size = 0;
  read(bytes, { 3: (r) => void (size = integer(r)) });
  return size;
}
