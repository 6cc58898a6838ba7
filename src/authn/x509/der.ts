/** Writes DER: the few types of ASN.1 of which certificates consist. */
import { encodeText } from '../../std/index.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

export const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
export const COMMON_NAME = '2.5.4.3';
export const SUBJECT_KEY = '2.5.29.14';
export const KEY_USAGE = '2.5.29.15';
export const BASIC_CONSTRAINTS = '2.5.29.19';

/** A non-negative integer of that size, big-endian. */
export function integer(bytes: Iterable<number>): Bytes {
  const all = [...bytes];
  const first = all.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? [0] : all.slice(first);
  return tlv(0x02, Uint8Array.from((digits[0] ?? 0) < 0x80 ? digits : [0, ...digits]));
}

/** With a two-digit year until 2049, then a four-digit year. */
export function time(ms: number): Bytes {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  const year = Number(digits.slice(0, 4));
  return year >= 1950 && year < 2050 ? tlv(0x17, encodeText(digits.slice(2))) : tlv(0x18, encodeText(digits));
}

/** An object identifier, such as `2.5.4.3`. */
export function oid(id: string): Bytes {
  const [first = 0, second = 0, ...rest] = id.split('.').map(Number);
  return tlv(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(inSevens)]));
}

/** In groups of seven bits; all but the last have the highest bit. */
function inSevens(arc: number): number[] {
  const groups = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left % 128) | 0x80);
  return groups;
}

export const bits = (bytes: Bytes, unused = 0): Bytes => tlv(0x03, Uint8Array.of(unused), bytes);
export const sequence = (...parts: Bytes[]): Bytes => tlv(0x30, ...parts);

export function tlv(tag: number, ...parts: Bytes[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  if (length >= 0x80 && length < 0x100) head.splice(1, 2, 0x81);
  const made = new Uint8Array(head.length + length);
  made.set(head);
  let at = head.length;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

/** One part of a distinguished name. */
export const nameOf = (type: string, value: Bytes): Bytes => tlv(0x31, sequence(oid(type), value));

/** An extension of a certificate. */
export const extension = (id: string, value: Bytes, isCritical = false): Bytes =>
  sequence(oid(id), ...(isCritical ? [TRUE] : []), tlv(0x04, value));

export const TRUE = Uint8Array.of(0x01, 0x01, 0xff);

/** The platform's signature is two concatenated numbers; a certificate contains them as a sequence. */
export function signatureOf(pair: Bytes): Bytes {
  const half = pair.length / 2;
  return bits(sequence(integer(pair.subarray(0, half)), integer(pair.subarray(half))));
}
