/**
 * Messages as bytes on a WebSocket. Each has a JSON head, optionally followed by the bytes of its content:
 *
 *     length of the head (4 bytes) · length of the content, or NONE (4 bytes) · head · content
 *
 * Incoming messages are validated field by field, because the other end may be an untrusted process.
 */
import { concatenate, decodeText, encodeText, getOwn, isObject } from '../../std/index.ts';
import type { Answer, Batch, Question } from './messages.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A message that this protocol does not have. */
export class FrameError extends Error {
  override name = 'FrameError';
}

const LENGTHS = 8;
const NONE = 0xffff_ffff;

type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isPath: Check = (value) => typeof value === 'string' && value.startsWith('/');
export const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
export const isPort: Check = (value) => isCount(value) && Number(value) < 65_536;
/** Of these a Response can be made. */
const isStatus: Check = (value) => isCount(value) && Number(value) >= 200 && Number(value) < 600;
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(String(value));

type Fields = Readonly<Record<string, Check>>;

/** What each message has to have, by its type. */
export type Shapes<M extends { readonly type: string }> = Readonly<Record<M['type'], Fields>>;

const streamFields: Readonly<Record<string, Fields>> = {
  open: { headers: isText },
  data: {},
  credit: { bytes: isCount },
  end: {},
  reset: {},
};

const isStreamFrame: Check = (value) =>
  isObject(value) &&
  isCount(value['stream']) &&
  hasFields(value, getOwn(streamFields, String(value['do'])) ?? { do: () => false });

const stream: Fields = { id: isCount, frame: isStreamFrame };

/** The messages of the asking end, by their type. */
export const questionShapes: Shapes<Question> = {
  request: { id: isCount, realm: isText, method: isText, path: isPath, headers: isText },
  abort: { id: isCount },
  credit: { id: isCount, bytes: isCount },
  stream,
};

/** The messages of the answering end, by their type. */
export const answerShapes: Shapes<Answer> = {
  head: { id: isCount, status: isStatus, headers: isText, streamed: isFlag },
  chunk: { id: isCount },
  switched: { id: isCount, headers: isText, speaks: oneOf('websocket', 'spdy') },
  stream,
  end: { id: isCount },
  failed: { id: isCount, message: isText },
};

function hasFields(value: object, fields: Fields): boolean {
  return Object.entries(fields).every(([name, check]) => check(getOwn(value as Record<string, unknown>, name)));
}

/** A message of the wire, or one that has no content besides. */
export interface Message {
  readonly type: string;
}

const isOfWire = (message: Message): message is Question | Answer =>
  Object.hasOwn(questionShapes, message.type) || Object.hasOwn(answerShapes, message.type);

/** Messages as the bytes of one message of a WebSocket. */
export function encodeFrames<M extends Message>(given: M | Batch<M>): Bytes {
  const messages = 'messages' in given ? given.messages : [given];
  const parts = messages.flatMap((message) => {
    const [head, content] = split(message);
    const text = encodeText(JSON.stringify(head));
    const lengths = new DataView(new ArrayBuffer(LENGTHS));
    lengths.setUint32(0, text.length);
    lengths.setUint32(4, content?.length ?? NONE);
    return [new Uint8Array(lengths.buffer), text, ...(content ? [content] : [])];
  });
  return concatenate(parts);
}

type Content = string | Uint8Array | ArrayBuffer;

/** A message without its content, and the content. */
function split(message: Message): readonly [object, Uint8Array | undefined] {
  if (!isOfWire(message)) return [message, undefined];
  if (message.type === 'stream' && message.frame.do === 'data') {
    const { data, ...frame } = message.frame;
    return [{ ...message, frame }, data];
  }
  if (message.type === 'chunk') return [{ type: 'chunk', id: message.id }, message.data];
  if (message.type !== 'request' && message.type !== 'head') return [message, undefined];
  const { body, ...head } = message;
  return [head, body === undefined ? undefined : bytesOf(body)];
}

function bytesOf(content: Content): Uint8Array {
  if (typeof content === 'string') return encodeText(content);
  return content instanceof ArrayBuffer ? new Uint8Array(content) : content;
}

/** The messages in these bytes, each of one of the shapes. Throws FrameError. */
export function decodeFrames(given: Uint8Array, shapes: Readonly<Record<string, Fields>>): unknown[] {
  const messages: object[] = [];
  // Node's Buffers are slices of a pool, and so are their own slices.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    if (bytes.length - at < LENGTHS) throw new FrameError('a message ends within its length fields');
    const [headLength, contentLength] = [view.getUint32(at), view.getUint32(at + 4)];
    const head = at + LENGTHS;
    const content = head + headLength;
    const end = content + (contentLength === NONE ? 0 : contentLength);
    if (end > bytes.length) throw new FrameError('a message is longer than the received data');
    const found = headOf(bytes.subarray(head, content), shapes);
    messages.push(contentLength === NONE ? withoutContent(found) : withContent(found, bytes.slice(content, end)));
    at = end;
  }
  return messages;
}

function headOf(bytes: Uint8Array, shapes: Readonly<Record<string, Fields>>): Record<string, unknown> {
  let head: unknown;
  try {
    head = JSON.parse(decodeText(bytes));
  } catch {
    throw new FrameError('the head of a message is not JSON');
  }
  const fields = isObject(head) ? getOwn(shapes, String(head['type'])) : undefined;
  if (!isObject(head) || !fields || !hasFields(head, fields)) throw new FrameError('a message has an unknown type');
  return head;
}

/** A message without content; invalid if it needs some. */
function withoutContent(head: Record<string, unknown>): object {
  const frame = head['frame'];
  if (head['type'] === 'chunk' || (isObject(frame) && frame['do'] === 'data'))
    throw new FrameError('a message has no content');
  const { body: _, data: __, ...message } = head;
  return message;
}

function withContent(head: Record<string, unknown>, content: Bytes): object {
  const { type, frame } = head;
  if (type === 'request') return { ...head, body: content.buffer };
  if (type === 'head') return { ...head, body: content };
  if (type === 'chunk') return { ...head, data: content };
  if (type === 'stream' && isObject(frame) && frame['do'] === 'data')
    return { ...head, frame: { ...frame, data: content } };
  throw new FrameError('a message has content that its type does not allow');
}
