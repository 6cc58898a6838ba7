/** FieldsV1: how an entry of managedFields writes a set of fields. */
import { deepFreeze, isObject, setOwn } from '../../std/index.ts';
import { EMPTY, fieldSet, LEAF } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { parseElement, PathElementError, sortElements } from './pathElement.ts';

/** The key that says that a path with children is itself in the set. */
const SELF = '.';

/** What was read and written before: live objects are frozen and shared, and most owners keep what they have. */
const written = new WeakMap<FieldSet, Record<string, unknown>>();
const read = new WeakMap<object, FieldSet>();

/** Writes a set, `.` first, its elements in canonical order. The result is shared and frozen: reading it gives the same set. */
export function encodeFields(set: FieldSet): Record<string, unknown> {
  const known = written.get(set);
  if (known) return known;
  const fields = deepFreeze(encode(set));
  written.set(set, fields);
  read.set(fields, set.self ? fieldSet(false, set.children) : set);
  return fields;
}

function encode(set: FieldSet): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (set.self && set.children.size > 0) fields[SELF] = {};
  for (const element of sortElements(set.children.keys())) {
    const child = set.children.get(element) ?? EMPTY;
    setOwn(fields, element, child === LEAF ? {} : encode(child));
  }
  return fields;
}

/** Reads a set. Throws PathElementError where it is malformed; elements of a kind that is not known are left out. */
export function decodeFields(fields: unknown): FieldSet {
  const known = isObject(fields) ? read.get(fields) : undefined;
  if (known) return known;
  const set = decode(fields);
  const root = set.self ? fieldSet(false, set.children) : set;
  if (isObject(fields) && Object.isFrozen(fields)) read.set(fields, root);
  return root;
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
