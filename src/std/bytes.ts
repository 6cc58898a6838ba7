const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** UTF-8 bytes of a text. */
export const encodeText = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** How many bytes a text takes in UTF-8; no bytes are made of texts that are plain ASCII. */
export const utf8Length = (text: string): number => (ASCII.test(text) ? text.length : encoder.encode(text).length);

const ASCII = /^[\0-\x7f]*$/;

/** Text of UTF-8 bytes; what is not UTF-8 becomes U+FFFD. */
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Standard base64 with padding, as `bytes` fields have it in JSON. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

/** The bytes of standard base64, or undefined where the text is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const joined = text.replace(/[\r\n]/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(joined) && joined.length % 4 === 0 ? bytesOf(joined) : undefined;
}

/** The bytes of base64url with or without padding, or undefined where the text is none. */
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

/** base64url without padding, as JWTs and detached signatures have it. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
