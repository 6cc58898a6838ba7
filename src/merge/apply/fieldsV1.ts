/** FieldsV1: the serialization of a field set in managedFields. */
import { deepFreeze, isObject, setOwn } from '../../std/index.ts';
import { EMPTY, fieldSet, LEAF } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { parseElement, PathElementError, sortElements } from './pathElement.ts';

/** The key for a path with children that is itself in the set. */
const SELF = '.';

/** Caches: live objects are frozen and shared, and most owners do not change. */
const written = new WeakMap<FieldSet, Record<string, unknown>>();
const read = new WeakMap<object, FieldSet>();

/**
 * Serializes a set, `.` first, elements in canonical order. The result is shared and frozen; decoding it gives the same
 * set.
 */
export function encodeFields(set: FieldSet): Record<string, unknown> {
  const known = written.get(set);
  if (known) return known;
  const fields = deepFreeze(encode(set));
  written.set(set, fields);
  read.set(fields, set);
  return fields;
}

function encode(set: FieldSet): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (set.self) fields[SELF] = {};
  for (const element of sortElements(set.children.keys())) {
    const child = set.children.get(element) ?? EMPTY;
    setOwn(fields, element, child === LEAF ? {} : encode(child));
  }
  return fields;
}

/** Parses a set. Throws PathElementError if it is malformed; unknown kinds of elements are skipped. */
export function decodeFields(fields: unknown): FieldSet {
  const known = isObject(fields) ? read.get(fields) : undefined;
  if (known) return known;
  const set = decode(fields);
  const root = set.self ? fieldSet(false, set.children) : set;
  if (isObject(fields) && Object.isFrozen(fields)) read.set(fields, root);
  return root;
}

function decode(fields: unknown): FieldSet {
  if (fields === null) return LEAF;
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
