/**
 * Strategic merge patch: the type says which lists merge and by which key, and the patch may contain directives. Fields
 * without a strategy are replaced; null deletes.
 */
import type { Node } from '../../schema/index.ts';
import { status } from '../../schema/index.ts';
import { copyOf, isObject, setOwn, getOwn, goType } from '../../std/index.ts';
import { bareFailure } from '../failures.ts';
import {
  applyPatchDirective,
  applyRetainKeys,
  DELETE_FROM_PRIMITIVE_LIST,
  fieldOf,
  PATCH,
  SET_ELEMENT_ORDER,
} from './directives.ts';
import type { Fields } from './directives.ts';
import { fieldType, itemType } from './fieldTypes.ts';
import { mergeLists } from './lists.ts';
import { checkElementOrder, orderLeftBehind, orderMerged } from './order.ts';

/**
 * Merges a parsed patch into a document of type `node`; neither is modified, the result shares parts with both. If the
 * document lacks a field, the patch's value is used unchanged, including directives, which decoding drops as unknown
 * fields. Likewise, values to delete from a missing list are added, as in the reference. Throws StatusError: 400 for
 * invalid directives, 422 for lists of lists, 500 for other merge failures.
 */
export function strategicMerge(document: unknown, patch: unknown, node: Node): unknown {
  if (patch === null) return document;
  if (!isObject(patch)) throw status.badRequest('a strategic merge patch is an object');
  return mergeObjects(isObject(document) ? document : {}, patch, node);
}

function mergeObjects(original: Fields, patch: Fields, node: Node): Fields {
  if (PATCH in patch) return applyPatchDirective(patch);
  const merged = copyOf(original);
  const rest = copyOf(patch);
  applyRetainKeys(merged, rest);
  for (const key of Object.keys(rest)) applyElementOrder(merged, rest, key, node);
  for (const key in rest) mergeField(merged, key, rest[key], node);
  return merged;
}

function mergeField(merged: Fields, key: string, value: unknown, node: Node): void {
  const deletionOf = fieldOf(key, DELETE_FROM_PRIMITIVE_LIST);
  const name = deletionOf ?? key;
  if (value === null) delete merged[name];
  else setOwn(merged, name, mergeValues(getOwn(merged, name), value, name, node, deletionOf !== undefined));
}

/** Merges two objects or two lists; anything else is replaced. */
function mergeValues(original: unknown, value: unknown, name: string, node: Node, deletion: boolean): unknown {
  if (Array.isArray(original) && Array.isArray(value)) {
    const field = fieldType(node, name);
    const of = itemType(field, name);
    if (!field.merges) return value;
    return mergeLists({ original, patch: value, of, mergeKey: field.mergeKey, deletion, mergeObjects });
  }
  if (!isObject(original) || !isObject(value)) return value;
  return mergeObjects(original, value, fieldType(node, name).of);
}

/** Merges and orders the list of `$setElementOrder/FIELD`, and removes both keys from the patch. */
function applyElementOrder(merged: Fields, patch: Fields, key: string, node: Node): void {
  const name = fieldOf(key, SET_ELEMENT_ORDER);
  if (name === undefined) return;
  const order = listIn(patch, key) ?? [];
  delete patch[key];
  const live = listIn(merged, name);
  const patchList = listIn(patch, name);
  const field = fieldType(node, name);
  checkElementOrder(patchList ?? [], order, field.mergeKey);
  if (!live && !patchList) return;
  const list = live && patchList ? mergeValues(live, patchList, name, node, false) : (live ?? patchList);
  delete patch[name];
  const liveOrder = orderLeftBehind(live ?? [], patchList ?? [], field);
  setOwn(merged, name, orderMerged(Array.isArray(list) ? list : [], order, liveOrder, field.mergeKey));
}

function listIn(object: Fields, name: string): readonly unknown[] | undefined {
  if (!Object.hasOwn(object, name)) return undefined;
  const value = getOwn(object, name);
  if (!Array.isArray(value))
    throw bareFailure(`expected a []interface {}, but received a ${value === null ? '%!s(<nil>)' : goType(value)}`);
  return value;
}
