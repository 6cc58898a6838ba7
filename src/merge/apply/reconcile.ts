/**
 * Adjusts ownership from when a map or list was atomic or empty to the current type and live object. Runs for all
 * owners before anything is compared.
 */
import { getOwn, isObject } from '../../std/index.ts';
import type { VersionedTypes } from '../types.ts';
import { EMPTY, LEAF } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { itemsByElement } from './items.ts';
import type { Owner, Owners } from './owners.ts';
import { sharedSet } from './sharedSets.ts';
import { toFieldSet } from './toFieldSet.ts';
import type { Type } from './types.ts';
import { inVersion } from './versions.ts';
import type { Versioned } from './versions.ts';

/** Adjusts owners to the types of the live object; owners in versions that are no longer served are dropped. */
export function reconcileOwners(types: VersionedTypes, owners: Owners, live: Versioned): Owners {
  const reconciled = new Map<string, Owner>();
  for (const [id, owner] of owners) {
    const known = inVersion(types, live, owner.apiVersion);
    if (known === undefined) continue;
    const fields = reconcileFields(owner.fields, known.type, known.object);
    reconciled.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return reconciled;
}

type Compound = Exclude<Type, { form: 'scalar' | 'open' }>;

const isAtomic = (of: Compound): boolean => (of.form === 'list' ? of.merges === 'atomic' : of.atomic);

/** A cache, because sets are shared between the versions of an object and rarely change. */
const settled = new WeakMap<Type, WeakMap<FieldSet, boolean>>();

/** Whether a set needs no adjustment, whatever the object contains. */
function isSettled(set: FieldSet, of: Type): boolean {
  if (of.form === 'scalar' || of.form === 'open') return true;
  let verdicts = settled.get(of);
  if (!verdicts) settled.set(of, (verdicts = new WeakMap()));
  let verdict = verdicts.get(set);
  if (verdict === undefined) verdicts.set(set, (verdict = hasFormOf(set, of)));
  return verdict;
}

function hasFormOf(set: FieldSet, of: Compound): boolean {
  if (isAtomic(of)) return set === LEAF || set === EMPTY;
  if (set === LEAF) return false;
  for (const [element, child] of set.children) {
    const inner = typeAt(of, element);
    if (inner && !isSettled(child, inner)) return false;
  }
  return true;
}

/** Returns the same set if nothing changes. `value` is the live value at its path. */
function reconcileFields(set: FieldSet, of: Type, value: unknown): FieldSet {
  if (of.form === 'scalar' || of.form === 'open' || isSettled(set, of)) return set;
  // What is atomic now is owned as a whole.
  if (isAtomic(of)) return LEAF;
  // What was owned as a whole and is now mergeable: its owner owns everything in it.
  if (set === LEAF) return sharedSet(true, toFieldSet(value, of).children);
  const valueAt = valuesOf(of, value);
  let children: Map<string, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const inner = typeAt(of, element);
    if (inner === undefined || isSettled(child, inner)) continue;
    const next = reconcileFields(child, inner, valueAt(element));
    if (next !== child) (children ??= new Map(set.children)).set(element, next);
  }
  // Pods of one template are all adjusted in the same way.
  return children === undefined ? set : sharedSet(set.self, children);
}

function typeAt(type: Compound, element: string): Type | undefined {
  if (type.form === 'list') return type.of;
  return type.member(element.slice(2))?.type ?? type.rest;
}

/** The children of a value by path element. */
function valuesOf(type: Compound, value: unknown): (element: string) => unknown {
  if (type.form === 'fields') return (element) => (isObject(value) ? getOwn(value, element.slice(2)) : undefined);
  let items: Map<string, unknown> | undefined;
  return (element) => (items ??= itemsByElement(type, Array.isArray(value) ? value : [])).get(element);
}
