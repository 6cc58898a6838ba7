/** The key right after every key that begins with `prefix`: `[prefix, prefixEnd(prefix))` is the range of a prefix. */
export function prefixEnd(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}

/** The key right after `key`: `[key, keyEnd(key))` is the range that holds it alone. */
export const keyEnd = (key: string): string => `${key}\0`;
