/**
 * Ownership that was written when a map or list was one value, or when there was nothing in it, and the type or the live
 * object of today. Runs before anything is compared, on all owners.
 */
import type { VersionedTypes } from '../types.ts';
import { EMPTY, fieldSet, LEAF, union } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import type { Owner, Owners } from './owners.ts';
import { toFieldSet } from './toFieldSet.ts';
import type { Type } from './types.ts';
import { inVersion } from './versions.ts';
import type { Versioned } from './versions.ts';

/** Owners as the live object's types have their fields; those of versions that are not served any more are left out. */
export function reconcileOwners(types: VersionedTypes, owners: Owners, live: Versioned): Owners {
  const reconciled = new Map<string, Owner>();
  for (const [id, owner] of owners) {
    const known = inVersion(types, live, owner.apiVersion);
    if (known === undefined) continue;
    const fields = reconcileFields(owner.fields, known);
    reconciled.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return reconciled;
}

/** The same set where there is nothing to reconcile. */
function reconcileFields(fields: FieldSet, { object, type }: Versioned): FieldSet {
  let mentioned: FieldSet | undefined;
  const walk = (set: FieldSet, of: Type, path: readonly string[]): FieldSet => {
    if (of.form === 'scalar' || of.form === 'open') return set;
    const atomic = of.form === 'list' ? of.merges === 'atomic' : of.atomic;
    // What is one value today is owned as one.
    if (atomic) return set === LEAF || set === EMPTY ? set : LEAF;
    // What was owned as one value, and merges: its owner owns all that is in it.
    if (set === LEAF) return union(set, at((mentioned ??= toFieldSet(object, type)), path));
    let children: Map<string, FieldSet> | undefined;
    for (const [element, child] of set.children) {
      const inner = typeAt(of, element);
      const next = inner === undefined ? child : walk(child, inner, [...path, element]);
      if (next !== child) (children ??= new Map(set.children)).set(element, next);
    }
    return children === undefined ? set : fieldSet(set.self, children);
  };
  return walk(fields, type, []);
}

function typeAt(type: Exclude<Type, { form: 'scalar' | 'open' }>, element: string): Type | undefined {
  if (type.form === 'list') return type.of;
  return type.member(element.slice(2))?.type ?? type.rest;
}

function at(set: FieldSet, path: readonly string[]): FieldSet {
  return path.reduce((found, element) => found.children.get(element) ?? EMPTY, set);
}
