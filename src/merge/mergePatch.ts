/** JSON merge patch: RFC 7386, with one addition of the reference: nulls are dropped from new lists, and from what is in them. */
import { copyOf, isObject, setOwn } from '../std/index.ts';
import { bareFailure } from './failures.ts';

/**
 * Merges a parsed patch into a document; neither is modified, the result shares parts with both. A list replaces the
 * whole document. Throws a bare StatusError (500) if the patch is a scalar or null.
 */
export function mergePatch(document: unknown, patch: unknown): unknown {
  if (!isObject(patch) && !Array.isArray(patch)) throw bareFailure('Invalid JSON Patch');
  return merge(document, patch);
}

function merge(current: unknown, patch: unknown): unknown {
  if (!isObject(current)) return withoutNulls(patch);
  if (!isObject(patch)) return patch;
  const merged = copyOf(current);
  for (const key in patch) {
    const value = patch[key];
    if (value === null) delete merged[key];
    else setOwn(merged, key, merge(Object.hasOwn(merged, key) ? merged[key] : null, value));
  }
  return merged;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (item !== null) setOwn(kept, key, withoutNulls(item));
  return kept;
}
