/** The keys and values of a strategic merge patch that say how to merge, rather than what. */
import { status } from '../../schema/index.ts';
import { isObject, getOwn } from '../../std/index.ts';
import { bareFailure } from '../failures.ts';

/** `$patch: replace | delete | merge`, in an object or in an item of a list. */
export const PATCH = '$patch';
/** `$retainKeys: [field, …]` clears every field of the document's object that it doesn't list. */
const RETAIN_KEYS = '$retainKeys';
/** `$setElementOrder/FIELD: [item, …]` gives the order of a merged list. */
export const SET_ELEMENT_ORDER = '$setElementOrder';
/** `$deleteFromPrimitiveList/FIELD: [value, …]` removes values from a list of scalars. */
export const DELETE_FROM_PRIMITIVE_LIST = '$deleteFromPrimitiveList';

export type Fields = Record<string, unknown>;

/** The field that a key such as `$setElementOrder/containers` speaks of; undefined for a key without that prefix. */
export function fieldOf(key: string, prefix: string): string | undefined {
  if (!key.startsWith(prefix)) return undefined;
  if (!key.startsWith(`${prefix}/`)) throw status.badRequest(`invalid patch format of ${prefix}: ${key}`);
  return key.slice(prefix.length + 1);
}

/** What `$patch` makes of a whole object. */
export function applyPatchDirective(patch: Fields): Fields {
  const { [PATCH]: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw unknownDirective(directive);
}

export function unknownDirective(directive: unknown): Error {
  return bareFailure(`unknown patch type: ${JSON.stringify(directive)}`);
}

/** Whether an item of a list carries a directive rather than content. */
export function hasDirective(item: unknown): boolean {
  return isObject(item) && PATCH in item;
}

/** Takes `$retainKeys` out of the patch and clears what it doesn't list from the document's object. */
export function applyRetainKeys(original: Fields, patch: Fields): void {
  if (!(RETAIN_KEYS in patch)) return;
  const retained = patch[RETAIN_KEYS];
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(retained)) throw status.badRequest('invalid patch format of retainKeys');
  const keys = new Set<unknown>(retained);
  const missing = Object.keys(patch).find(
    (key) => !keys.has(key) && getOwn(patch, key) !== null && !isListDirective(key),
  );
  if (missing !== undefined)
    throw status.badRequest(`invalid patch format of retainKeys: ${missing} is set, but not listed`);
  for (const key of Object.keys(original)) if (!keys.has(key)) delete original[key];
}

function isListDirective(key: string): boolean {
  return key.startsWith(DELETE_FROM_PRIMITIVE_LIST) || key.startsWith(SET_ELEMENT_ORDER);
}
