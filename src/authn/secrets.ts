/** Reads and compares the data of secrets. */
import type { ApiObject } from '../schema/index.ts';
import { decodeText, fromBase64, isObject, getOwn } from '../std/index.ts';

/** One key of a secret's data as text. */
export function textOfData(secret: ApiObject, key: string): string | undefined {
  const data = secret.data;
  const value = isObject(data) ? getOwn(data, key) : undefined;
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined;
  return bytes && decodeText(bytes);
}

/** Compares in constant time. */
export function equalSecrets(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1));
  return difference === 0;
}
