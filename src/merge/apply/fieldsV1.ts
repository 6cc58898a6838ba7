/** FieldsV1: the serialization of a field set in managedFields. */
import { isObject, Recent, setOwn } from '../../std/index.ts';
import { EMPTY, fieldSet, LEAF } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { parseElement, PathElementError, sortElements } from './pathElement.ts';
import { noChildren } from './sharedSets.ts';
import type { Children } from './sharedSets.ts';

/** The key for a path with children that is itself in the set. */
const SELF = '.';

/**
 * Caches: live objects are frozen and shared, and most owners do not change. An object is written several times within a short
 * time and then rests: what it has to itself is not kept as long as the object.
 */
const MOST_KNOWN = 1024;
const written = new Recent<FieldSet, Record<string, unknown>>(MOST_KNOWN);
const read = new Recent<object, FieldSet>(MOST_KNOWN);

/** What stands for a path without children. */
const NOTHING: Record<string, unknown> = Object.freeze({});

/**
 * Serializes a set, `.` first, elements in canonical order. The result and its parts are frozen, and shared by all sets
 * that share these parts; decoding it gives the same set.
 */
export function encodeFields(set: FieldSet): Record<string, unknown> {
  let fields = written.get(set);
  if (fields === undefined) {
    written.set(set, (fields = encode(set)));
    // The root of what is decoded is never in its own set.
    if (!set.self) read.set(fields, set);
  }
  return fields;
}

function encode(set: FieldSet): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (set.self) fields[SELF] = NOTHING;
  for (const element of sortElements(set.children.keys())) {
    const child = set.children.get(element) ?? EMPTY;
    setOwn(fields, element, child === LEAF ? NOTHING : encodeFields(child));
  }
  return Object.freeze(fields);
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
  let children: Children | undefined;
  for (const key in fields) {
    if (key === SELF) self = true;
    else {
      const element = parseElement(key);
      if (element !== undefined) children = (children ?? noChildren()).with(element, decode(fields[key]));
    }
  }
  return children === undefined ? LEAF : children.set(self);
}
