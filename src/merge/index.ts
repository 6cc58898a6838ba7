/** Patches and field ownership: pure functions over JSON values and the types of a scheme. */
export type { ApplyRequest, FieldManager, PatchForm, UpdateRequest, VersionedTypes } from './types.ts';
export { tokens } from './jsonPointer.ts';
export { createFieldManager } from './apply/fieldManager.ts';
export { keepEmptyOwners } from './apply/owners.ts';
export { conflicts } from './conflicts.ts';
export { applyPatch, jsonPatching, patchText, type PatchBody } from './patch.ts';
export { jsonDiff } from './jsonDiff.ts';
export { jsonPatch } from './jsonPatch.ts';
export { mergePatch } from './mergePatch.ts';
export { strategicMerge } from './strategic/index.ts';
export { lastApplied, lastAppliedKey, lastAppliedText, withLastApplied } from './lastApplied.ts';
export { threeWayPatch, type MergeForm } from './threeWay.ts';
