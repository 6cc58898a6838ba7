/** Objects in the versions of their owners. */
import type { ApiObject, Node } from '../../schema/index.ts';
import type { VersionedTypes } from '../types.ts';
import { compare } from './compare.ts';
import type { Comparison } from './compare.ts';
import { difference, EMPTY, union } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { typeOf } from './types.ts';
import type { Type } from './types.ts';
import { validate } from './validate.ts';

/** An object in one version, with its type. */
export interface Versioned {
  readonly object: ApiObject;
  readonly apiVersion: string;
  readonly type: Type;
}

/**
 * The object in `apiVersion`; undefined if that version is not served. Throws TypeMismatch if the other version does
 * not declare everything in the object, because custom resources are converted without pruning.
 */
export function inVersion(types: VersionedTypes, value: Versioned, apiVersion: string): Versioned | undefined {
  if (value.apiVersion === apiVersion) return value;
  const node = types.node(apiVersion);
  if (!node) return undefined;
  const converted = { object: types.convert(value.object, apiVersion), apiVersion, type: typeOf(node) };
  validate(converted.object, converted.type);
  return converted;
}

/** Compares two objects in any version, once for each. */
export class Comparisons {
  readonly #types: VersionedTypes;
  readonly #before: Versioned;
  readonly #after: Versioned;
  readonly #emptied: FieldSet;
  readonly #known = new Map<string, Comparison | undefined>();

  /** `emptied` counts as changed in the version of `after`, but not in others. */
  constructor(types: VersionedTypes, before: Versioned, after: Versioned, emptied: FieldSet = EMPTY) {
    this.#types = types;
    this.#before = before;
    this.#after = after;
    this.#emptied = emptied;
  }

  /** Undefined if the version is not served. */
  in(apiVersion: string): Comparison | undefined {
    if (this.#known.has(apiVersion)) return this.#known.get(apiVersion);
    const before = inVersion(this.#types, this.#before, apiVersion);
    const after = inVersion(this.#types, this.#after, apiVersion);
    const comparison = before && after && this.#compare(before, after);
    this.#known.set(apiVersion, comparison);
    return comparison;
  }

  #compare(before: Versioned, after: Versioned): Comparison {
    const comparison = compare(before.object, after.object, before.type);
    if (this.#emptied === EMPTY || after !== this.#after) return comparison;
    const modified = union(comparison.modified, difference(this.#emptied, comparison.added));
    return { ...comparison, modified };
  }
}

const empties = new WeakMap<Node, ApiObject>();

/**
 * An object before anything is set: the fields that are always written, with their zero values. A created object is
 * compared with this, so nobody owns structs and lists that always exist.
 */
export function emptyObject(types: VersionedTypes, apiVersion: string, node: Node): ApiObject {
  let empty = empties.get(node);
  if (empty === undefined) empties.set(node, (empty = types.empty(apiVersion)));
  return empty;
}
