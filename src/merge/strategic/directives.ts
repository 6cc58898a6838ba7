/** The directives of a strategic merge patch. */
import { status } from '../../schema/index.ts';
import { isObject, getOwn, goText, goType } from '../../std/index.ts';
import { bareFailure } from '../failures.ts';

/** `$patch: replace | delete | merge`, in an object or in a list item. */
export const PATCH = '$patch';
/** `$retainKeys: [field, …]` removes all other fields of the document's object. */
const RETAIN_KEYS = '$retainKeys';
/** `$setElementOrder/FIELD: [item, …]` sets the order of a merged list. */
export const SET_ELEMENT_ORDER = '$setElementOrder';
/** `$deleteFromPrimitiveList/FIELD: [value, …]` removes values from a list of scalars. */
export const DELETE_FROM_PRIMITIVE_LIST = '$deleteFromPrimitiveList';

export type Fields = Record<string, unknown>;

type ListDirective = typeof SET_ELEMENT_ORDER | typeof DELETE_FROM_PRIMITIVE_LIST;

/** The names of the directives in the reference's errors. */
const FORMATS: Readonly<Record<ListDirective, string>> = {
  [SET_ELEMENT_ORDER]: 'setElementOrder list',
  [DELETE_FROM_PRIMITIVE_LIST]: 'primitive list',
};

/** The field in a key such as `$setElementOrder/containers`; undefined for a key without that prefix. */
export function fieldOf(key: string, prefix: ListDirective): string | undefined {
  if (!key.startsWith(prefix)) return undefined;
  if (!key.startsWith(`${prefix}/`)) throw status.badRequest(`invalid patch format of ${FORMATS[prefix]}`);
  return key.slice(prefix.length + 1);
}

/** Applies `$patch` to a whole object. */
export function applyPatchDirective(patch: Fields): Fields {
  const { [PATCH]: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw unknownDirective(patch);
}

export function unknownDirective(patch: Fields): Error {
  const directive = patch[PATCH];
  const text = typeof directive === 'string' ? directive : `%!s(${goType(directive)}=${goText(directive)})`;
  return bareFailure(`unknown patch type: ${text} in map: ${goText(patch)}`);
}

/** Whether a list item is a directive. */
export function hasDirective(item: unknown): boolean {
  return isObject(item) && PATCH in item;
}

/** Removes `$retainKeys` from the patch, and all unlisted fields from the document's object. */
export function applyRetainKeys(original: Fields, patch: Fields): void {
  if (!(RETAIN_KEYS in patch)) return;
  const retained = patch[RETAIN_KEYS];
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(retained)) throw status.badRequest('invalid patch format of retainKeys');
  const keys = new Set<unknown>(retained);
  const isMissing = (key: string): boolean => !keys.has(key) && getOwn(patch, key) !== null && !isListDirective(key);
  if (Object.keys(patch).some(isMissing)) throw status.badRequest('invalid patch format of retainKeys');
  for (const key of Object.keys(original)) if (!keys.has(key)) delete original[key];
}

function isListDirective(key: string): boolean {
  return key.startsWith(DELETE_FROM_PRIMITIVE_LIST) || key.startsWith(SET_ELEMENT_ORDER);
}
