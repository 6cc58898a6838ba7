/** Transfers ownership when an object changes. */
import { EMPTY } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { remembered } from './sharedSets.ts';
import type { Comparison } from './compare.ts';
import type { Conflict } from './conflicts.ts';
import type { Owner, Owners } from './owners.ts';
import type { Comparisons } from './versions.ts';

/** The added and modified paths of a comparison. */
export function changed({ added, modified }: Comparison): FieldSet {
  return remembered.union(modified, added);
}

export interface Transfer {
  /** The remaining owners; empty ones and those in unserved versions are dropped. */
  readonly owners: Map<string, Owner>;
  /** What owners lose although the field still exists. */
  readonly conflicts: readonly Conflict[];
}

/** Removes changed and removed fields from all owners except `except`. */
export function transfer(owners: Owners, comparisons: Comparisons, except?: string): Transfer {
  const kept = new Map<string, Owner>();
  const conflicts: Conflict[] = [];
  const { difference } = remembered;
  for (const [id, owner] of owners) {
    const comparison = id === except ? undefined : comparisons.in(owner.apiVersion);
    if (id !== except && comparison === undefined) continue;
    const lost = comparison === undefined ? EMPTY : remembered.intersection(owner.fields, changed(comparison));
    if (lost !== EMPTY) conflicts.push({ owner, fields: lost });
    const rest = difference(difference(owner.fields, lost), comparison?.removed ?? EMPTY);
    if (rest !== EMPTY) kept.set(id, rest === owner.fields ? owner : { ...owner, fields: rest });
  }
  return { owners: kept, conflicts };
}
