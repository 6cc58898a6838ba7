/** Frames of SPDY/3.1 as far as streams need them: read from a connection's bytes, and written. */

/** Types of control frames. */
export const SYN_STREAM = 1;
export const SYN_REPLY = 2;
export const RST_STREAM = 3;
export const PING = 6;
export const GOAWAY = 7;

const VERSION = 3;
const HEAD_BYTES = 8;
/** The flag by which a side says that it sends nothing more on a stream. */
export const FIN = 1;
/** Why a stream was reset: its client gave it up. */
export const CANCEL = 5;

export interface DataFrame {
  readonly type: 'data';
  readonly stream: number;
  readonly flags: number;
  readonly payload: Buffer;
}

export interface ControlFrame {
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

export type Frame = DataFrame | ControlFrame;

class FrameError extends Error {
  override name = 'FrameError';
}

/** A client's data frames are read piece by piece, so this limits control frames alone. */
const LONGEST_CONTROL = 256 * 1024;

/** Cuts bytes into frames, however they arrive. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are complete now. Throws FrameError. */
  read(bytes: Buffer): Frame[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    for (;;) {
      const frame = this.#next();
      if (!frame) return frames;
      frames.push(frame);
    }
  }

  #next(): Frame | undefined {
    const rest = this.#rest;
    if (rest.length < HEAD_BYTES) return undefined;
    const flags = rest.readUInt8(4);
    const length = rest.readUIntBE(5, 3);
    const isControl = rest.readUInt8(0) >= 0x80;
    if (isControl) checkControl(rest, length);
    if (rest.length < HEAD_BYTES + length) return undefined;
    const payload = rest.subarray(HEAD_BYTES, HEAD_BYTES + length);
    this.#rest = rest.subarray(HEAD_BYTES + length);
    if (isControl) return { type: rest.readUInt16BE(2), flags, payload };
    return { type: 'data', stream: rest.readUInt32BE(0), flags, payload };
  }
}

function checkControl(head: Buffer, length: number): void {
  const version = head.readUInt16BE(0) & 0x7fff;
  if (version !== VERSION) throw new FrameError(`SPDY version ${version} is not supported`);
  if (length > LONGEST_CONTROL) throw new FrameError('the control frame is too long');
}

export function controlFrame(type: number, payload: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(0x8000 | VERSION, 0);
  head.writeUInt16BE(type, 2);
  return withLength(head, flags, payload);
}

export function dataFrame(stream: number, payload: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(stream, 0);
  return withLength(head, flags, payload);
}

function withLength(head: Buffer, flags: number, payload: Uint8Array): Buffer {
  head.writeUInt8(flags, 4);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** The payload of frames that consist of numbers. */
export function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
}
