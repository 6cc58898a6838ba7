import { encodeText, isObject } from '../../std/index.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A short name for a template; `collisions` tells templates apart that happen to have the same. */
export function templateHash(template: unknown, collisions?: number): string {
  const text = canonical(template) + (collisions === undefined ? '' : `#${collisions}`);
  return safe(String(fnv32a(text)));
}

/** Text in which equal values are equal, whatever the order of their keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(',')}}`;
}

function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of encodeText(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** Letters and digits that spell no words. */
function safe(text: string): string {
  return Array.from(text, (char) => ALPHABET[char.charCodeAt(0) % ALPHABET.length]).join('');
}
