/** Limits the number of owners: updaters above it are merged into one, oldest first. */
import { union } from './fieldSet.ts';
import { compareText, identify, secondsOf, UPDATE, APPLY } from './owners.ts';
import type { Owner, Owners } from './owners.ts';

const MAX_UPDATERS = 10;
/** The manager name of merged old updaters, one for each version. */
const ANCIENT = 'ancient-changes';

/** At most ten updaters, as far as merging those of the same version permits. */
export function capUpdaters(owners: Owners): Owners {
  const updaters = [...owners].filter(([, owner]) => owner.operation !== APPLY);
  if (updaters.length <= MAX_UPDATERS) return owners;
  updaters.sort(([idA, a], [idB, b]) => secondsOf(a) - secondsOf(b) || compareText(idA, idB));
  const kept = new Map(owners);
  const firsts = new Map<string, string>();
  let count = updaters.length;
  for (const [id, owner] of updaters) {
    if (count <= MAX_UPDATERS) break;
    const first = firsts.get(owner.apiVersion);
    if (first === undefined) firsts.set(owner.apiVersion, id);
    else {
      mergeInto(kept, first, id, owner);
      count -= 1;
    }
  }
  return kept;
}

/** Merges an updater into the bucket of its version, which starts with the oldest updater of that version. */
function mergeInto(owners: Map<string, Owner>, first: string, id: string, owner: Owner): void {
  const ancient = { ...owner, manager: ANCIENT, operation: UPDATE };
  const bucket = identify(ancient);
  const start = owners.get(bucket) ?? owners.get(first);
  if (!owners.has(bucket)) owners.delete(first);
  owners.delete(id);
  owners.set(bucket, { ...ancient, fields: start ? union(start.fields, owner.fields) : owner.fields });
}
