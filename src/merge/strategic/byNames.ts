/**
 * A strategic merge patch where no types are at hand: the names of fields tell which lists merge and by which key, as in
 * the patch that an apply makes.
 */
import { copyOf, getOwn, isObject, setOwn } from '../../std/index.ts';
import { keyOfItems, textLists } from '../threeWay.ts';
import { applyPatchDirective, applyRetainKeys, PATCH, type Fields } from './directives.ts';
import { mergeLists } from './lists.ts';

/** Merges a parsed patch into an object; neither is changed, the result shares with both. Throws StatusError for directives of the wrong form. */
export function strategicMergeByNames(original: Fields, patch: Fields): Fields {
  if (PATCH in patch) return applyPatchDirective(patch);
  const merged = copyOf(original);
  const rest = copyOf(patch);
  applyRetainKeys(merged, rest);
  for (const [name, value] of Object.entries(rest)) {
    const before = getOwn(merged, name);
    if (value === null) delete merged[name];
    else if (isObject(before) && isObject(value)) setOwn(merged, name, strategicMergeByNames(before, value));
    else if (Array.isArray(before) && Array.isArray(value)) setOwn(merged, name, mergedList(name, before, value));
    else setOwn(merged, name, value);
  }
  return merged;
}

function mergedList(name: string, original: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  const list = { original, patch, of: undefined, deletion: false, mergeObjects: strategicMergeByNames };
  if (textLists.includes(name)) return mergeLists({ ...list, mergeKey: '' });
  const items = [...original, ...patch].filter(isObject);
  const mergeKey = items.length === original.length + patch.length ? keyOfItems(name, items) : undefined;
  return mergeKey === undefined ? patch : mergeLists({ ...list, mergeKey });
}
