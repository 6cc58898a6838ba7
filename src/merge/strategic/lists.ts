/** Lists in a strategic merge patch. */
import { isObject, getOwn, goText } from '../../std/index.ts';
import { bareFailure, unprocessable } from '../failures.ts';
import { hasDirective, PATCH, unknownDirective } from './directives.ts';
import type { Fields } from './directives.ts';
import { keyOf, orderMerged } from './order.ts';

/** Merges two objects; passed in, because objects and lists contain each other. `T` is the type information. */
export type MergeObjects<T> = (original: Fields, patch: Fields, type: T) => Fields;

export interface ListMerge<T> {
  readonly original: readonly unknown[];
  readonly patch: readonly unknown[];
  /** Type of the items. */
  readonly of: T;
  readonly mergeKey: string;
  /** Whether the patch lists scalars to delete. */
  readonly deletion: boolean;
  readonly mergeObjects: MergeObjects<T>;
}

/** Merges a list whose strategy is `merge`: objects by their merge key, scalars as a set. */
export function mergeLists<T>(merge: ListMerge<T>): readonly unknown[] {
  const { original, patch, mergeKey } = merge;
  if (original.length === 0 && patch.length === 0) return original;
  if (elementKind(original, patch) !== 'object') {
    if (merge.deletion) return without(original, new Set(patch), (item) => item);
    return orderMerged([...new Set([...original, ...patch])], patch, original, mergeKey);
  }
  if (mergeKey === '') throw bareFailure('cannot merge lists without merge key');
  const rest = applyItemDirectives(original, patch, mergeKey);
  return orderMerged(mergeItems(rest.original, rest.patch, merge), rest.patch, rest.original, mergeKey);
}

/** All items of a list must have the same type, and none may be a list. */
function elementKind(original: readonly unknown[], patch: readonly unknown[]): string {
  const items = [...original, ...patch];
  const kinds = new Set(items.map((item) => (item === null ? 'null' : Array.isArray(item) ? 'list' : typeof item)));
  if (items[0] !== undefined && Array.isArray(items[0])) throw unprocessable('lists of lists are not supported');
  if (kinds.size !== 1 || kinds.has('null'))
    throw bareFailure(`list element types are not identical: ${goText([original, patch])}`);
  return [...kinds][0] ?? '';
}

/**
 * Applies `$patch` in items: deletes items of the original, or replaces the list; returns what remains to be merged.
 */
function applyItemDirectives(original: readonly unknown[], patch: readonly unknown[], mergeKey: string) {
  const deleted = new Set<unknown>();
  let replaced = false;
  for (const item of patch) {
    if (!isObject(item) || !(PATCH in item)) continue;
    if (item[PATCH] === 'delete') deleted.add(keyOf(item, mergeKey));
    else if (item[PATCH] === 'replace') replaced = true;
    else if (item[PATCH] === 'merge') throw bareFailure('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(item);
  }
  const content = patch.filter((item) => !hasDirective(item));
  if (replaced) return { original: content, patch: [] };
  return { original: without(original, deleted, (item) => keyIn(item, mergeKey)), patch: content };
}

function without(
  items: readonly unknown[],
  unwanted: ReadonlySet<unknown>,
  identify: (item: unknown) => unknown,
): readonly unknown[] {
  return items.filter((item) => !unwanted.has(identify(item)));
}

/** The merge key of an item; undefined if it has none. */
function keyIn(item: unknown, mergeKey: string): unknown {
  return isObject(item) ? getOwn(item, mergeKey) : undefined;
}

/** Merges each item into the first with the same key; items with new keys are appended in the patch's order. */
function mergeItems<T>(
  original: readonly unknown[],
  patch: readonly unknown[],
  { mergeKey, of, mergeObjects }: ListMerge<T>,
): unknown[] {
  const merged = [...original];
  const positions = new Map<unknown, number>();
  const note = (item: unknown, at: number): void => {
    const key = keyIn(item, mergeKey);
    if (key !== undefined && !positions.has(key)) positions.set(key, at);
  };
  merged.forEach(note);
  for (const item of patch) {
    if (!isObject(item)) continue;
    const at = positions.get(keyOf(item, mergeKey)) ?? merged.length;
    const found = merged[at];
    merged[at] = isObject(found) ? mergeObjects(found, item, of) : item;
    note(item, at);
  }
  return merged;
}
