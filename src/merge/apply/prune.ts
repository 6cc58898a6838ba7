/** Removes fields that an applier no longer mentions. */
import type { ApiObject } from '../../schema/index.ts';
import type { Steps } from '../../std/index.ts';
import type { VersionedTypes } from '../types.ts';
import { difference, EMPTY, intersection, union } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { identify } from './owners.ts';
import type { Owner, Owners } from './owners.ts';
import { remove } from './remove.ts';
import { toFieldSet } from './toFieldSet.ts';
import { inVersion } from './versions.ts';
import type { Versioned } from './versions.ts';

/**
 * Removes from a merged object what `last` owned and nobody owns now. `owners` already has the applier's new set. If
 * the version of `last` is no longer served, nothing is removed.
 */
export function* prune(
  types: VersionedTypes,
  merged: Versioned,
  owners: Owners,
  last: Owner | undefined,
): Steps<Versioned> {
  if (last === undefined || last.fields === EMPTY) return merged;
  if (keepsAll(owners, last)) return merged;
  const known = inVersion(types, merged, last.apiVersion);
  if (known === undefined) return merged;
  const bare = without(known, last.fields);
  yield;
  const owned = yield* addBackOwned(types, known, bare, owners);
  yield;
  const pruned = yield* addBackDangling(types, known, owned, last);
  return inVersion(types, pruned, merged.apiVersion) ?? merged;
}

/**
 * Whether the applier still lists everything that it owned, so that nothing is removed. Only determined if nothing is
 * converted.
 */
function keepsAll(owners: Owners, last: Owner): boolean {
  const sameVersion = [...owners.values()].every(({ apiVersion }) => apiVersion === last.apiVersion);
  return sameVersion && difference(last.fields, owners.get(identify(last))?.fields ?? EMPTY) === EMPTY;
}

function without(value: Versioned, fields: FieldSet): Versioned {
  // The whole object is never removed, because nobody owns its name.
  return { ...value, object: remove(value.object, fields, value.type) as ApiObject };
}

function fieldsOf(value: Versioned): FieldSet {
  return toFieldSet(value.object, value.type);
}

/** Restores what anybody owns, including the applier's new set, in each owner's version. */
function* addBackOwned(types: VersionedTypes, merged: Versioned, bare: Versioned, owners: Owners): Steps<Versioned> {
  let [whole, pruned] = [merged, bare];
  for (const [apiVersion, owned] of ownedByVersion(owners)) {
    const wholeThere = inVersion(types, whole, apiVersion);
    const prunedThere = inVersion(types, pruned, apiVersion);
    if (!wholeThere || !prunedThere) continue;
    whole = wholeThere;
    const kept = union(fieldsOf(prunedThere), owned);
    yield;
    const gone = difference(fieldsOf(whole), kept);
    yield;
    pruned = without(whole, gone);
  }
  return pruned;
}

function ownedByVersion(owners: Owners): ReadonlyMap<string, FieldSet> {
  const byVersion = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of owners.values()) {
    byVersion.set(apiVersion, union(byVersion.get(apiVersion) ?? EMPTY, fields));
  }
  return byVersion;
}

/** Restores what the applier never owned: items that were removed only together with their list or struct. */
function* addBackDangling(types: VersionedTypes, merged: Versioned, pruned: Versioned, last: Owner): Steps<Versioned> {
  const known = inVersion(types, pruned, last.apiVersion);
  if (known === undefined) return merged;
  const remaining = fieldsOf(known);
  yield;
  const gone = intersection(difference(fieldsOf(merged), remaining), last.fields);
  yield;
  return without(merged, gone);
}
