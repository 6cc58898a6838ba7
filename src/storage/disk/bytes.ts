const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const LAST_ASCII = 0x7f;

/** Texts of fewer bytes, as keys, are kept in the heap. */
const SHORT = 256;

/** The buffer of a writer is used again unless it has grown above this size. */
const KEPT_BYTES = 1 << 22;

/** Writes numbers and texts into a growing buffer. */
export class ByteWriter {
  #bytes!: Uint8Array<ArrayBuffer>;
  #view!: DataView<ArrayBuffer>;
  #length = 0;

  constructor() {
    this.#use(new Uint8Array(4096));
  }

  get length(): number {
    return this.#length;
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  /** An integer up to 2^53: seven bits a byte, lowest first. */
  varint(value: number): void {
    this.#reserve(8);
    while (value >= 0x80) {
      this.#bytes[this.#length++] = (value % 0x80) | 0x80;
      value = Math.floor(value / 0x80);
    }
    this.#bytes[this.#length++] = value;
  }

  /** UTF-8, preceded by its length in bytes. Takes a text, or bytes that are UTF-8 already. */
  text(text: string | Uint8Array): void {
    this.#reserve(4 + text.length * 3);
    const at = this.#length + 4;
    const written = writeText(text, this.#bytes, at);
    this.#view.setUint32(this.#length, written, true);
    this.#length = at + written;
  }

  /** Overwrites a `u32` that was written before. */
  patch32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  /** A view of the written bytes, valid until the next write. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy of the written bytes, of their exact size. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Forgets what was written. */
  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#use(new Uint8Array(4096));
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.view());
    this.#use(grown);
  }

  #use(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/**
 * Writes the bytes at a position, and returns their number. ASCII is written without the encoder, for which Chromium moves a text
 * out of the heap: a short one takes three times the memory there for as long as it is kept.
 */
function writeText(text: string | Uint8Array, bytes: Uint8Array, at: number): number {
  if (typeof text !== 'string') {
    bytes.set(text, at);
    return text.length;
  }
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character > LAST_ASCII) return encoder.encodeInto(text, bytes.subarray(at)).written;
    bytes[at + i] = character;
  }
  return text.length;
}

/**
 * The text of these bytes. Chromium stores the decoder's result outside of the heap, where a short text takes three times the memory.
 * A concatenation of two texts is copied into the heap when it is first compared with another text.
 */
function readText(bytes: Uint8Array): string {
  const [first = 0] = bytes;
  if (bytes.length === 0 || bytes.length >= SHORT || first > LAST_ASCII) return decoder.decode(bytes);
  return String.fromCharCode(first) + decoder.decode(bytes.subarray(1));
}

/** Reads the output of a ByteWriter; throws RangeError or TypeError for invalid data. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = from;
    this.#end = to;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  u8(): number {
    return this.#bytes[this.#advance(1)] as number;
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    return readText(this.bytes());
  }

  /** The bytes of a text. */
  bytes(): Uint8Array {
    const length = this.u32();
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  #advance(length: number): number {
    const at = this.#at;
    if (at + length > this.#end) throw new RangeError('the bytes end too early');
    this.#at = at + length;
    return at;
  }
}
