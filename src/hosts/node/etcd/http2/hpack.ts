/**
 * HTTP/2 header lists as bytes (RFC 7541). The dynamic table has size 0: a setting tells the other side, and entries
 * that it adds are dropped at once, as the RFC requires.
 */
import { decodeHuffman } from './huffman.ts';

export type Header = readonly [name: string, value: string];

/** The static table, in its order; the first entry has index 1. */
const STATIC: readonly Header[] = (
  ':authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|:status=204|:status=206|' +
  ':status=304|:status=400|:status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|accept-language|accept-ranges|' +
  'accept|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|' +
  'content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host|' +
  'if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards|' +
  'proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security|' +
  'transfer-encoding|user-agent|vary|via|www-authenticate'
)
  .split('|')
  .map((entry): Header => {
    const [name = '', value = ''] = entry.split('=', 2);
    return [name, value];
  });

/** The first bits of a representation, and how many bits of its first byte are left for a number. */
const INDEXED = { bit: 0x80, rest: 7 };
const WITH_INDEXING = { bit: 0x40, rest: 6 };
const TABLE_SIZE = { bit: 0x20, rest: 5 };
/** Without indexing, and never indexed. */
const PLAIN = { rest: 4 };
const HUFFMAN = 0x80;

/** Writes every name and value as it is: a client that sends the same few lists keeps their bytes. */
export function encodeHeaders(headers: readonly Header[]): Buffer {
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), encodeText(name), encodeText(value)]));
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([encodeNumber(bytes.length), bytes]);
}

function encodeNumber(value: number): Buffer {
  const most = 0x7f;
  if (value < most) return Buffer.from([value]);
  const bytes = [most];
  let left = value - most;
  for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  return Buffer.from([...bytes, left]);
}

/** Decodes a header block. Throws RangeError if it is invalid. */
export function decodeHeaders(block: Uint8Array): Map<string, string> {
  const reader = new Reader(block);
  const headers = new Map<string, string>();
  while (!reader.isAtEnd) {
    const header = reader.header();
    if (header) headers.set(...header);
  }
  return headers;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The next header; undefined for a new size of the table, which is always empty here. */
  header(): Header | undefined {
    const first = this.#bytes[this.#at] ?? 0;
    if (first & INDEXED.bit) return entryAt(this.#number(INDEXED.rest));
    if (first & WITH_INDEXING.bit) return this.#literal(WITH_INDEXING.rest);
    if (first & TABLE_SIZE.bit) {
      this.#number(TABLE_SIZE.rest);
      return undefined;
    }
    return this.#literal(PLAIN.rest);
  }

  #literal(bits: number): Header {
    const index = this.#number(bits);
    const name = index === 0 ? this.#text() : entryAt(index)[0];
    return [name, this.#text()];
  }

  #text(): string {
    const isHuffman = ((this.#bytes[this.#at] ?? 0) & HUFFMAN) !== 0;
    const length = this.#number(7);
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    if (bytes.length < length) throw new RangeError('a header ends too early');
    this.#at += length;
    return Buffer.from(isHuffman ? decodeHuffman(bytes) : bytes).toString('latin1');
  }

  /** A number that begins in the last `bits` bits of a byte. */
  #number(bits: number): number {
    const most = (1 << bits) - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number of a header is too large');
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new RangeError('a header ends too early');
    return byte;
  }
}

function entryAt(index: number): Header {
  const entry = STATIC[index - 1];
  if (!entry) throw new RangeError(`there is no header ${index}: the dynamic table is empty`);
  return entry;
}
