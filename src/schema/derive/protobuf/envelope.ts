/**
 * The Protobuf envelope of objects: four magic bytes and a message that describes the content (specification, Other
 * representations).
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { ApiObject } from '../../define/kind.ts';
import { groupVersionOf } from '../../values/apiVersion.ts';
import { DecodeError, type GroupVersionKind, type Scheme, type StructNode } from '../scheme.ts';
import { decodeMessage } from './decode.ts';
import { encodeMessage } from './encode.ts';

const MAGIC = [0x6b, 0x38, 0x73, 0x00] as const;

interface TypeMeta {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Whether the bytes begin as an object in Protobuf does. */
export function isProtobuf(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/** A normalized object, list or answer, in its envelope. Throws where its kind has no Protobuf form. */
export function encodeProtobuf(scheme: Scheme, object: TypeMeta): Uint8Array<ArrayBuffer> {
  const { apiVersion = '', kind = '' } = object;
  const raw = encodeMessage(nodeFor(scheme, { apiVersion, kind }), object);
  const writer = new BinaryWriter().raw(new Uint8Array(MAGIC));
  const bytes = (tag: number): BinaryWriter => writer.tag(tag, WireType.LengthDelimited);
  bytes(1).fork();
  bytes(1).string(apiVersion);
  bytes(2).string(kind);
  writer.join();
  bytes(2).bytes(raw);
  bytes(3).string('');
  bytes(4).string('');
  return writer.finish();
}

/** The raw value of an object in an envelope; `scheme.decode` normalizes it. Throws DecodeError. */
export function decodeProtobuf(scheme: Scheme, bytes: Uint8Array): ApiObject {
  if (!isProtobuf(bytes)) throw new DecodeError('not in the expected Protobuf envelope');
  const { apiVersion, kind, raw } = openEnvelope(bytes.subarray(MAGIC.length));
  const value = decodeMessage(nodeFor(scheme, { apiVersion, kind }), raw);
  return { kind, apiVersion, ...value } as ApiObject;
}

function openEnvelope(bytes: Uint8Array): { apiVersion: string; kind: string; raw: Uint8Array } {
  const envelope = { apiVersion: '', kind: '', raw: new Uint8Array() as Uint8Array };
  try {
    eachField(bytes, (number, reader) => {
      if (number === 2) envelope.raw = reader.bytes();
      else if (number === 1) readTypeMeta(reader.bytes(), envelope);
      else return false;
      return true;
    });
  } catch (error) {
    throw new DecodeError(`broken Protobuf: ${error instanceof Error ? error.message : String(error)}`);
  }
  return envelope;
}

function readTypeMeta(bytes: Uint8Array, into: { apiVersion: string; kind: string }): void {
  eachField(bytes, (number, reader) => {
    if (number === 1) into.apiVersion = reader.string();
    else if (number === 2) into.kind = reader.string();
    else return false;
    return true;
  });
}

/** Calls `read` for each field; false means that the field is to be skipped. */
function eachField(bytes: Uint8Array, read: (number: number, reader: BinaryReader) => boolean): void {
  for (const reader = new BinaryReader(bytes); reader.pos < reader.len;) {
    const [number, wire] = reader.tag();
    if (!read(number, reader)) reader.skip(wire, number);
  }
}

function nodeFor(scheme: Scheme, { apiVersion, kind }: { apiVersion: string; kind: string }): StructNode {
  const node = scheme.typeOf(gvkOf(apiVersion, kind));
  if (!node)
    throw new DecodeError(`no kind ${JSON.stringify(kind)} is known for version ${JSON.stringify(apiVersion)}`);
  return node;
}

/** The document that lists the versions of the core group is the only one without a version; it is the core group's. */
function gvkOf(apiVersion: string, kind: string): GroupVersionKind {
  return { ...groupVersionOf(apiVersion || 'v1'), kind };
}

/** One event of a watch: its length in four bytes, then a message with the type and the object in its own envelope. */
export function protobufWatchFrame(type: string, object: Uint8Array): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).string(type);
  writer.tag(2, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).bytes(object);
  const event = writer.join().finish();
  const frame = new Uint8Array(4 + event.length);
  new DataView(frame.buffer).setUint32(0, event.length);
  frame.set(event, 4);
  return frame;
}

/** The events in a watch's stream of frames, each with its object in its envelope. Throws DecodeError. */
export function protobufWatchEvents(bytes: Uint8Array): { readonly type: string; readonly object: Uint8Array }[] {
  const events: { type: string; object: Uint8Array }[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    const length = at + 4 <= bytes.length ? view.getUint32(at) : Infinity;
    if (at + 4 + length > bytes.length)
      throw new DecodeError('neither an object in an envelope nor a stream of frames');
    events.push(readEvent(bytes.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return events;
}

function readEvent(bytes: Uint8Array): { type: string; object: Uint8Array } {
  const event = { type: '', object: new Uint8Array() as Uint8Array };
  eachField(bytes, (number, reader) => {
    if (number === 1) event.type = reader.string();
    else if (number === 2)
      eachField(reader.bytes(), (inner, raw) => inner === 1 && Boolean((event.object = raw.bytes())));
    else return false;
    return true;
  });
  return event;
}
