/** Header blocks of SPDY/3: names and values with their lengths, compressed by one zlib stream for each direction. */
import { constants, createInflate, type Inflate } from 'node:zlib';
import { dictionary } from './dictionary.ts';

/** The block before it is compressed. */
export function encodeHeaders(headers: ReadonlyMap<string, string>): Buffer {
  const parts = [uint32(headers.size)];
  for (const text of [...headers].flat()) {
    const bytes = Buffer.from(text);
    parts.push(uint32(bytes.length), bytes);
  }
  return Buffer.concat(parts);
}

/** Names in lower case. Throws RangeError where the block is cut off. */
export function decodeHeaders(block: Buffer): ReadonlyMap<string, string> {
  let at = 0;
  const number = (): number => block.readUInt32BE((at += 4) - 4);
  const text = (): string => {
    const length = number();
    if (at + length > block.length) throw new RangeError('the header block is cut off');
    return block.toString('utf8', at, (at += length));
  };
  const headers = new Map<string, string>();
  for (let left = number(); left > 0; left--) headers.set(text().toLowerCase(), text());
  return headers;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The begin of a zlib stream with the dictionary: method, flags, and the dictionary's checksum. */
const ZLIB_HEADER = Buffer.from('78bbe3c6a7c2', 'hex');

/** An empty block, as a flush leaves it: readers hand on what came before it. */
const FLUSH = Buffer.from('000000ffff', 'hex');

/** Compresses this side's headers: they are short, so they are written as stored blocks without compression. */
export class Deflater {
  #begun = false;

  /** The next part of the stream. `block` has at most 65,535 bytes. */
  deflate(block: Buffer): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & 0xffff, 3);
    const begin = this.#begun ? [] : [ZLIB_HEADER];
    this.#begun = true;
    return Buffer.concat([...begin, head, block, FLUSH]);
  }
}

/** Bytes of headers that a frame may have. */
const MOST_HEADERS = 64 * 1024;

/** Decompresses the other side's data. Parts have to be passed in order. */
export class Inflater {
  readonly #inflate: Inflate = createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH });
  #parts: Buffer[] = [];
  #length = 0;
  #fail: (error: Error) => void = () => undefined;

  constructor() {
    this.#inflate.on('error', (error) => this.#fail(error));
    this.#inflate.on('data', (part: Buffer) => {
      this.#parts.push(part);
      this.#length += part.length;
      if (this.#length > MOST_HEADERS) this.#inflate.destroy(new RangeError('too many headers'));
    });
  }

  /** Rejects where the stream is damaged or the block is too long. */
  inflate(part: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#length = 0;
      this.#inflate.write(part, (error) => {
        const problem = error ?? this.#inflate.errored;
        if (problem) reject(problem);
        else resolve(Buffer.concat(this.#parts.splice(0)));
      });
    });
  }

  close(): void {
    this.#inflate.destroy();
  }
}
