/**
 * From normalized objects to Protobuf, byte for byte as the reference writes it: values in the order of their numbers
 * and written even when they are zero, pointers only where they are set, maps in the order of their keys.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { fromBase64, isObject, getOwn } from '../../../std/index.ts';
import type { ScalarKind } from '../../define/types.ts';
import type { EitherNode, ListNode, MapNode, Node, StructNode } from '../scheme.ts';
import { partsOf, type Part } from './messages.ts';
import { timestampOf } from './timestamps.ts';

/** Writes a value under its number. The value is not null; what absence means is the field's business. */
type Write = (writer: BinaryWriter, tag: number, value: unknown) => unknown;

const writers = new WeakMap<Node, Write>();

/** The message of a struct, without an envelope. */
export function encodeMessage(node: StructNode, value: unknown): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writeParts(writer, stepsOf(node), isObject(value) ? value : {});
  return writer.finish();
}

/** What a part of a message does with an object. */
type Step = (writer: BinaryWriter, object: Record<string, unknown>) => void;

const steps = new WeakMap<StructNode, readonly Step[]>();

function stepsOf(node: StructNode): readonly Step[] {
  let made = steps.get(node);
  if (!made) steps.set(node, (made = partsOf(node).map(stepOf)));
  return made;
}

function writeParts(writer: BinaryWriter, parts: readonly Step[], object: Record<string, unknown>): void {
  for (const part of parts) part(writer, object);
}

function stepOf(part: Part): Step {
  if ('embedded' in part) return embeddedStep(part.tag, part.embedded.map(stepOf));
  const { tag, field } = part;
  const write = writerOf(field.of);
  const pointer = field.presence === 'ptr' || field.presence === 'nullable' || isEmptyWhenAbsent(field.of);
  return (writer, object) => {
    const value = getOwn(object, field.name);
    if (value !== undefined && value !== null) write(writer, tag, value);
    else if (!pointer) write(writer, tag, undefined);
  };
}

function embeddedStep(tag: number, inner: readonly Step[]): Step {
  return (writer, object) => {
    writer.tag(tag, WireType.LengthDelimited).fork();
    writeParts(writer, inner, object);
    writer.join();
  };
}

/** Lists, maps and bytes are nothing on the wire when they are absent. */
function isEmptyWhenAbsent(node: Node): boolean {
  return node.type === 'list' || node.type === 'map' || (node.type === 'scalar' && node.scalar === 'bytes');
}

function writerOf(node: Node): Write {
  let write = writers.get(node);
  if (!write) writers.set(node, (write = make(node)));
  return write;
}

function make(node: Node): Write {
  switch (node.type) {
    case 'scalar':
      return SCALARS[node.scalar];
    case 'list':
      return node.boxed ? boxedWriter(node) : listWriter(node);
    case 'map':
      return mapWriter(node);
    case 'struct':
      return structWriter(node);
    case 'either':
      return eitherWriter(node);
    case 'open':
      return SCALARS.rawExtension;
  }
}

function structWriter(node: StructNode): Write {
  return (writer, tag, value) => {
    writer.tag(tag, WireType.LengthDelimited).fork();
    writeParts(writer, stepsOf(node), isObject(value) ? value : {});
    writer.join();
  };
}

function listWriter(node: ListNode): Write {
  return (writer, tag, value) => {
    const write = writerOf(node.of);
    for (const item of value as readonly unknown[]) write(writer, tag, item);
  };
}

function boxedWriter(node: ListNode): Write {
  const write = listWriter(node);
  return (writer, tag, value) => {
    writer.tag(tag, WireType.LengthDelimited).fork();
    if (value !== undefined && value !== null) write(writer, 1, value);
    writer.join();
  };
}

function mapWriter(node: MapNode): Write {
  return (writer, tag, value) => {
    const write = writerOf(node.of);
    const map = value as Record<string, unknown>;
    for (const key of Object.keys(map).sort(byCodePoint)) {
      writer.tag(tag, WireType.LengthDelimited).fork();
      SCALARS.string(writer, 1, key);
      write(writer, 2, getOwn(map, key));
      writer.join();
    }
  };
}

/** Go sorts strings by their UTF-8 bytes, which is the order of code points; JavaScript sorts by UTF-16 units. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    const surrogates = Number(isSurrogate(x)) - Number(isSurrogate(y));
    return surrogates === 0 ? x - y : surrogates;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

function eitherWriter({ struct, other }: EitherNode): Write {
  return (writer, tag, value) => {
    writer.tag(tag, WireType.LengthDelimited).fork();
    const write = (part: EitherNode['struct'], given: unknown) => writerOf(part.of)(writer, part.tag, given);
    if (!isObject(value)) write(other, value);
    else if (other.of.type === 'scalar') {
      // A schema instead of a flag says yes as well.
      write(other, true);
      write(struct, value);
    } else write(struct, value);
    writer.join();
  };
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function message(inner: (writer: BinaryWriter, value: unknown) => void): Write {
  return (writer, tag, value) => {
    writer.tag(tag, WireType.LengthDelimited).fork();
    inner(writer, value);
    writer.join();
  };
}

const varint: Write = (writer, tag, value) => {
  const n = number(value);
  writer.tag(tag, WireType.Varint);
  if (n === (n | 0)) writer.int32(n);
  else writer.int64(n);
};
const string: Write = (writer, tag, value) => writer.tag(tag, WireType.LengthDelimited).string(text(value));

/** The zero time is an empty message. */
const time = message((writer, value) => {
  if (typeof value !== 'string') return;
  const { seconds, nanos } = timestampOf(value);
  varint(writer, 1, seconds);
  varint(writer, 2, nanos);
});

/** JSON text in a message's only field; empty without a value. */
const rawJson = message((writer, value) => {
  if (value !== undefined && value !== null) string(writer, 1, JSON.stringify(value));
});

const SCALARS: Readonly<Record<ScalarKind, Write>> = {
  string,
  bytes: (writer, tag, value) =>
    writer.tag(tag, WireType.LengthDelimited).bytes(fromBase64(text(value)) ?? new Uint8Array()),
  bool: (writer, tag, value) => writer.tag(tag, WireType.Varint).bool(value === true),
  int32: varint,
  int64: varint,
  double: (writer, tag, value) => writer.tag(tag, WireType.Bit64).double(number(value)),
  quantity: message((writer, value) => string(writer, 1, typeof value === 'string' ? value : '0')),
  intOrString: message((writer, value) => {
    varint(writer, 1, typeof value === 'string' ? 1 : 0);
    varint(writer, 2, value);
    string(writer, 3, value);
  }),
  time,
  microTime: time,
  rawExtension: rawJson,
  json: rawJson,
  fieldsV1: rawJson,
};
