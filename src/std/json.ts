/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether `value` is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are equal; key order does not matter, a missing key equals an undefined one. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) return Array.isArray(b) && equalItems(a, b);
  if (!isObject(a) || !isObject(b)) return false;
  // The loop does not create a list of keys, which would cost as much as the comparison.
  for (const key in a) if (!deepEqual(a[key], getOwn(b, key))) return false;
  for (const key in b) if (b[key] !== undefined && getOwn(a, key) === undefined) return false;
  return true;
}

function equalItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false;
  return true;
}

/** A deep copy; several times faster than structuredClone for JSON values. */
export function clone<T>(value: T): T {
  return copied(value, false) as T;
}

/** A deep copy that shares the frozen parts. These must be frozen deeply, as `deepFreeze` does it. */
export function copyUnfrozen<T>(value: T): T {
  return copied(value, true) as T;
}

function copied(value: unknown, sharesFrozen: boolean): unknown {
  if (typeof value !== 'object' || value === null || (sharesFrozen && Object.isFrozen(value))) return value;
  if (Array.isArray(value)) return value.map((item) => copied(item, sharesFrozen));
  const copy: Record<string, unknown> = {};
  for (const key in value) setOwn(copy, key, copied(getOwn(value as Record<string, unknown>, key), sharesFrozen));
  return copy;
}

/** A shallow copy. For maps with user-defined keys: for many keys it takes half the time of a spread. */
export function copyOf<T>(map: Readonly<Record<string, T>>): Record<string, T> {
  const copy: Record<string, T> = {};
  for (const key of Object.keys(map)) setOwn(copy, key, map[key] as T);
  return copy;
}

/** A copy with the keys of every object in alphabetical order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) setOwn(sorted, key, sortKeys(getOwn(value, key)));
  return sorted;
}

/** The value of an untrusted key. Inherited properties such as `constructor` are not returned. */
export function getOwn<T>(map: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return map && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Sets an untrusted key: `__proto__` becomes an ordinary key. */
export function setOwn<T>(target: Record<string, T>, key: string, value: NoInfer<T>): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  // eslint-disable-next-line local/own-keys -- This is what the rule asks others to use.
  else target[key] = value;
}

/** Freezes a JSON value deeply, so that it can be shared. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const key in value) if (typeof value[key] === 'object') deepFreeze(value[key]);
  return Object.freeze(value);
}
