/** Owner references: one for each owner. */
import type { ApiObject } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import type { ResourceContext } from '../registry/registry.ts';

/** Removes duplicate references and adds a warning. */
export function dedupeOwners(context: ResourceContext, object: ApiObject): void {
  const { ownerReferences } = object.metadata;
  if (!ownerReferences || ownerReferences.length < 2) return;
  const repeated: string[] = [];
  const kept = ownerReferences.filter((reference, i) => {
    if (!ownerReferences.slice(0, i).some((earlier) => deepEqual(earlier, reference))) return true;
    repeated.push(reference.uid);
    return false;
  });
  if (repeated.length === 0) return;
  object.metadata.ownerReferences = kept;
  context.warnings.add(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  );
}
