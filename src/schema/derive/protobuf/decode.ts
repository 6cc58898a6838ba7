/** From Protobuf to raw JSON values; `decode` makes normalized objects of them, as of any other raw value. */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { setOwn, toBase64, getOwn } from '../../../std/index.ts';
import type { ScalarKind } from '../../define/types.ts';
import { DecodeError, type EitherNode, type MapNode, type Node, type StructNode } from '../scheme.ts';
import { partsOf, type Part } from './messages.ts';
import { microTimeText, timeText, type Timestamp } from './timestamps.ts';

type Fields = Record<string, unknown>;

/** Reads one occurrence of a field; `before` is what earlier occurrences gave. */
type Read = (reader: BinaryReader, wire: WireType, before: unknown) => unknown;

/** The struct that a message holds. Fields of unknown numbers are skipped. */
export function decodeMessage(node: StructNode, bytes: Uint8Array): Fields {
  try {
    return readFields(new BinaryReader(bytes), partsOf(node), {});
  } catch (error) {
    if (error instanceof DecodeError || !(error instanceof Error)) throw error;
    throw new DecodeError(`broken Protobuf: ${error.message}`);
  }
}

/** Reads to the end of the reader, into `object`. */
function readFields(reader: BinaryReader, parts: readonly Part[], object: Fields): Fields {
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const part = parts.find(({ tag }) => tag === number);
    if (!part) reader.skip(wire, number);
    else if ('embedded' in part) readFields(inside(reader), part.embedded, object);
    else setOwn(object, part.field.name, readerOf(part.field.of)(reader, wire, getOwn(object, part.field.name)));
  }
  return object;
}

const inside = (reader: BinaryReader): BinaryReader => new BinaryReader(reader.bytes());

const readers = new WeakMap<Node, Read>();

function readerOf(node: Node): Read {
  let read = readers.get(node);
  if (!read) readers.set(node, (read = make(node)));
  return read;
}

function make(node: Node): Read {
  switch (node.type) {
    case 'scalar':
      return SCALARS[node.scalar];
    case 'list':
      return node.boxed ? boxed(node.of) : repeated(node.of);
    case 'map':
      return mapReader(node);
    case 'struct':
      return (reader, _wire, before) => readFields(inside(reader), partsOf(node), (before as Fields | undefined) ?? {});
    case 'either':
      return eitherReader(node);
    case 'open':
      return SCALARS.rawExtension;
  }
}

/** One more item; numbers may also come packed, many in one occurrence. */
function repeated(of: Node): Read {
  const packable = of.type === 'scalar' && PACKABLE.has(of.scalar);
  return (reader, wire, before) => {
    const items = (before as unknown[] | undefined) ?? [];
    if (!packable || wire !== WireType.LengthDelimited) items.push(readerOf(of)(reader, wire, undefined));
    else
      for (const packed = inside(reader); packed.pos < packed.len;)
        items.push(readerOf(of)(packed, WireType.Varint, undefined));
    return items;
  };
}

const PACKABLE: ReadonlySet<ScalarKind> = new Set(['int32', 'int64', 'bool', 'double']);

function boxed(of: Node): Read {
  const read = repeated(of);
  return (reader) => fieldsOf(reader, { 1: read })[1] ?? [];
}

function mapReader(node: MapNode): Read {
  return (reader, _wire, before) => {
    const map = (before as Fields | undefined) ?? {};
    const entry = fieldsOf(reader, { 1: SCALARS.string, 2: readerOf(node.of) });
    setOwn(map, typeof entry[1] === 'string' ? entry[1] : '', entry[2] ?? null);
    return map;
  };
}

function eitherReader({ struct, other }: EitherNode): Read {
  return (reader) => {
    const parts = fieldsOf(reader, { [struct.tag]: readerOf(struct.of), [other.tag]: readerOf(other.of) });
    return parts[struct.tag] ?? parts[other.tag] ?? null;
  };
}

/** A small message, its values by number. */
function fieldsOf(reader: BinaryReader, reads: Readonly<Record<number, Read>>): Record<number, unknown> {
  const values: Record<number, unknown> = {};
  for (const inner = inside(reader); inner.pos < inner.len;) {
    const [number, wire] = inner.tag();
    const read = reads[number];
    if (read) values[number] = read(inner, wire, values[number]);
    else inner.skip(wire, number);
  }
  return values;
}

const integer: Read = (reader) => Number(reader.int64());
const string: Read = (reader) => reader.string();

/** An empty message is no time at all. */
function timeAs(textOf: (time: Timestamp) => string): Read {
  return (reader) => {
    const { 1: seconds, 2: nanos = 0 } = fieldsOf(reader, { 1: integer, 2: integer });
    return seconds === undefined ? null : textOf({ seconds: Number(seconds), nanos: Number(nanos) });
  };
}

function rawJson(reader: BinaryReader): unknown {
  const { 1: text } = fieldsOf(reader, { 1: string });
  if (typeof text !== 'string') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new DecodeError('a field that holds JSON holds something else');
  }
}

const SCALARS: Readonly<Record<ScalarKind, Read>> = {
  string,
  bytes: (reader) => toBase64(reader.bytes()),
  bool: (reader) => reader.bool(),
  int32: integer,
  int64: integer,
  double: (reader) => reader.double(),
  quantity: (reader) => fieldsOf(reader, { 1: string })[1] ?? '0',
  intOrString: (reader) => {
    const { 1: type, 2: number = 0, 3: text = '' } = fieldsOf(reader, { 1: integer, 2: integer, 3: string });
    return type === 1 ? text : number;
  },
  time: timeAs(timeText),
  microTime: timeAs(microTimeText),
  rawExtension: rawJson,
  json: rawJson,
  fieldsV1: rawJson,
};
