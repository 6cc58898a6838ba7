/** The end of the range of a prefix: `[prefix, prefixEnd(prefix))` contains all keys that start with it. */
export function prefixEnd(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}

/** The key right after `key`: the range `[key, keyEnd(key))` contains only `key`. */
export const keyEnd = (key: string): string => `${key}\0`;
