import type { Names } from '../../names/index.ts';
import { printedForm, podTemplateType, type objects } from '../../schema/index.ts';
import { encodeText, isObject, getOwn } from '../../std/index.ts';

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a, 32 bits: each byte is mixed in before the multiplication. */
function fnv1a(bytes: Uint8Array): number {
  let hash = OFFSET;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, PRIME) >>> 0;
  return hash;
}

/** FNV-1, 32 bits: each byte is mixed in after the multiplication. */
function fnv1(bytes: Uint8Array): number {
  let hash = OFFSET;
  for (const byte of bytes) hash = (Math.imul(hash, PRIME) ^ byte) >>> 0;
  return hash;
}

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Encodes a number with letters and digits that form no words. */
function safeEncode(hash: number): string {
  return Array.from(String(hash), (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join('');
}

/**
 * The hash in the names of what a deployment or daemon set creates from a template. `collisions` distinguishes
 * templates with the same hash. Both naming profiles give the same hash.
 */
export function templateHash(template: objects.PodTemplateSpec, names: Names, collisions?: number): string {
  const text = encodeText(printedForm(podTemplateType, template, (name) => names.asInField(name)));
  if (collisions === undefined) return safeEncode(fnv1a(text));
  const bytes = new Uint8Array(text.length + 8);
  bytes.set(text);
  new DataView(bytes.buffer).setUint32(text.length, collisions, true);
  return safeEncode(fnv1a(bytes));
}

/**
 * The hash of the data of a stateful set's revision, as JSON with sorted keys. Both naming profiles give the same hash.
 */
export function revisionHash(data: unknown, names: Names, collisions: number): string {
  return safeEncode(fnv1(encodeText(goJson(data, (text) => names.asInField(text)) + String(collisions))));
}

/** JSON as Go encodes a map: keys sorted, HTML characters escaped. */
function goJson(value: unknown, rename: (text: string) => string): string {
  if (typeof value === 'string') return escapeAsGo(JSON.stringify(rename(value)));
  if (Array.isArray(value)) return `[${value.map((item) => goJson(item, rename)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const renamed = entries.map(([key, item]) => [rename(key), item] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${renamed.map(([key, item]) => `${escapeAsGo(JSON.stringify(key))}:${goJson(item, rename)}`).join(',')}}`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\\b': '\\u0008', '\\f': '\\u000c' };

/** Escapes a JSON string as Go does. */
function escapeAsGo(json: string): string {
  return json
    .replace(/\\./g, (escape) => getOwn(SHORT_ESCAPES, escape) ?? escape)
    .replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
