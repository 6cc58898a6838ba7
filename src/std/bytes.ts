const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** Chromium takes three times as long for each character of a text of a megabyte as for one of a piece of so many. */
const PIECE = 8192;

/** Encodes text as UTF-8. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  if (text.length <= PIECE) return encoder.encode(text);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE);
    const { read, written } = encoder.encodeInto(piece, bytes.subarray(at));
    // Only ASCII takes a byte a character.
    if (written !== read || read < piece.length) return encoder.encode(text);
  }
  return bytes;
}

/** The length of a text in UTF-8 bytes. Plain ASCII is not encoded to count it. */
export const utf8Length = (text: string): number => (ASCII.test(text) ? text.length : encodeText(text).length);

const ASCII = /^[\0-\x7f]*$/;

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Standard base64 with padding, as in `bytes` fields in JSON. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

/** Decodes standard base64; undefined if the text is invalid. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const joined = text.replace(/[\r\n]/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(joined) && joined.length % 4 === 0 ? bytesOf(joined) : undefined;
}

/** Decodes base64url with or without padding; undefined if the text is invalid. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  bytesOf(text.replaceAll('-', '+').replaceAll('_', '/'));

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return undefined;
  }
}

/** base64url without padding, as in JWTs and detached signatures. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
