/** The frames of HTTP/2 (RFC 7540, section 4). */
import { ByteQueue } from './byteQueue.ts';

export const FrameType = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of frames; one bit means different things in different types. */
export const Flag = { endStream: 1, acknowledge: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export const Setting = { tableSize: 1, push: 2, maxStreams: 3, initialWindow: 4, maxFrame: 5 } as const;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  /** 0 for what is about the connection. */
  readonly stream: number;
  readonly payload: Buffer;
}

const HEAD = 9;
/** The maximum frame size without a setting. */
export const MAX_FRAME = 16_384;

/** The head of a frame, which its payload follows. */
export function frameHead(type: number, flags: number, stream: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return head;
}

/** A frame whose payload is 32-bit numbers. */
export function numbersFrame(type: number, stream: number, ...numbers: readonly number[]): Buffer {
  const payload = Buffer.allocUnsafe(4 * numbers.length);
  numbers.forEach((number, i) => payload.writeUInt32BE(number, 4 * i));
  return Buffer.concat([frameHead(type, 0, stream, payload.length), payload]);
}

export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.allocUnsafe(6 * settings.length);
  settings.forEach(([id, value], i) => payload.writeUInt32BE(value, payload.writeUInt16BE(id, 6 * i)));
  return Buffer.concat([frameHead(FrameType.settings, 0, 0, payload.length), payload]);
}

export function readSettings(payload: Buffer): [id: number, value: number][] {
  return Array.from({ length: Math.floor(payload.length / 6) }, (_, i) => [
    payload.readUInt16BE(6 * i),
    payload.readUInt32BE(6 * i + 2),
  ]);
}

/** The payload of data or headers, without padding and priority. Throws RangeError where these do not fit. */
export function contentOf({ flags, payload, type }: Frame): Buffer {
  const padding = flags & Flag.padded ? 1 : 0;
  const priority = type === FrameType.headers && flags & Flag.priority ? 5 : 0;
  const end = payload.length - (padding === 0 ? 0 : (payload[0] ?? 0));
  if (end < padding + priority) throw new RangeError('the padding of a frame is longer than the frame');
  return payload.subarray(padding + priority, end);
}

/** Cuts what comes in into frames. */
export class FrameReader {
  readonly #bytes = new ByteQueue();
  readonly #each: (frame: Frame) => void;

  constructor(each: (frame: Frame) => void) {
    this.#each = each;
  }

  /** Throws RangeError for a frame that is longer than may be. */
  add(bytes: Uint8Array): void {
    this.#bytes.add(bytes);
    while (this.#bytes.size >= HEAD) {
      const head = this.#bytes.peek(HEAD);
      const length = head.readUIntBE(0, 3);
      if (length > MAX_FRAME) throw new RangeError(`a frame of ${length} bytes is too long`);
      if (this.#bytes.size < HEAD + length) return;
      const [type = 0, flags = 0] = head.subarray(3, 5);
      const payload = this.#bytes.take(HEAD + length).subarray(HEAD);
      this.#each({ type, flags, stream: head.readUInt32BE(5) & 0x7fffffff, payload });
    }
  }
}
