/** FieldsV1: how an entry of managedFields writes a set of fields. */
import { isObject, setOwn } from '../../std/index.ts';
import { EMPTY, fieldSet, LEAF } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { compareElements, parseElement, PathElementError } from './pathElement.ts';

/** The key that says that a path with children is itself in the set. */
const SELF = '.';

/** Writes a set, its elements in canonical order, `.` last. */
export function encodeFields(set: FieldSet): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const elements = [...set.children.keys()];
  if (elements.length > 1) elements.sort(compareElements);
  for (const element of elements) {
    const child = set.children.get(element) ?? EMPTY;
    setOwn(fields, element, child === LEAF ? {} : encodeFields(child));
  }
  if (set.self && elements.length > 0) fields[SELF] = {};
  return fields;
}

/** Reads a set. Throws PathElementError where it is malformed; elements of a kind that is not known are left out. */
export function decodeFields(fields: unknown): FieldSet {
  const set = decode(fields);
  return set.self ? fieldSet(false, set.children) : set;
}

function decode(fields: unknown): FieldSet {
  if (fields === null || fields === undefined) return LEAF;
  if (!isObject(fields))
    throw new PathElementError(`expected an object of path elements, got ${JSON.stringify(fields)}`);
  let self = false;
  let children: Map<string, FieldSet> | undefined;
  for (const key in fields) {
    if (key === SELF) self = true;
    else {
      const element = parseElement(key);
      if (element !== undefined) (children ??= new Map()).set(element, decode(fields[key]));
    }
  }
  return children === undefined ? LEAF : fieldSet(self, children);
}
