/** Patches and field ownership: pure functions over JSON values and the types of a scheme. */
import type { FieldManager, VersionedTypes } from './types.ts';

export type { ApplyRequest, FieldManager, PatchForm, UpdateRequest, VersionedTypes } from './types.ts';
export { applyPatch } from './patch.ts';
export { jsonPatch } from './jsonPatch.ts';
export { mergePatch } from './mergePatch.ts';
export { strategicMerge } from './strategic/index.ts';

/** The field manager of one kind; cheap to make, keeps nothing. */
export function createFieldManager(_types: VersionedTypes): FieldManager {
  throw new Error('field ownership is not written yet');
}
