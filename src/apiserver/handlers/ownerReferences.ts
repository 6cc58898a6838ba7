/** Owner references: one for each owner. */
import type { ApiObject } from '../../schema/index.ts';
import type { RequestContext } from '../context.ts';

/** Drops references to an owner that an earlier one names already, and warns of it. */
export function dedupeOwners(context: RequestContext, object: ApiObject): void {
  const { ownerReferences } = object.metadata;
  if (!ownerReferences || ownerReferences.length < 2) return;
  const seen = new Set<string>();
  const repeated: string[] = [];
  const kept = ownerReferences.filter(({ uid }) => {
    if (!seen.has(uid)) return seen.add(uid);
    repeated.push(uid);
    return false;
  });
  if (repeated.length === 0) return;
  object.metadata.ownerReferences = kept;
  context.warnings.add(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  );
}
