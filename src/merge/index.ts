/** Patches and field ownership: pure functions over JSON values and the types of a scheme. */
import type { Node } from '../schema/index.ts';
import type { FieldManager, PatchForm, VersionedTypes } from './types.ts';

export type { ApplyRequest, FieldManager, PatchForm, UpdateRequest, VersionedTypes } from './types.ts';

/**
 * Applies the body of a PATCH request to a document; neither is changed. The result is raw: it still has to be decoded, and where
 * that fails the answer is 422 with one cause, `patch`. Throws StatusError for what the patch itself does wrong.
 * `node` is the document's type; only strategic merge patch looks at it.
 */
export function applyPatch(_form: PatchForm, _document: unknown, _body: string, _node: Node): unknown {
  throw new Error('patches are not written yet');
}

/** RFC 6902: `patch` is the parsed body. */
export function jsonPatch(_document: unknown, _patch: unknown): unknown {
  throw new Error('JSON patch is not written yet');
}

/** RFC 7386. */
export function mergePatch(_document: unknown, _patch: unknown): unknown {
  throw new Error('merge patch is not written yet');
}

/** A merge patch that knows the keys of lists, and directives. */
export function strategicMerge(_document: unknown, _patch: unknown, _node: Node): unknown {
  throw new Error('strategic merge patch is not written yet');
}

/** The field manager of one kind; cheap to make, keeps nothing. */
export function createFieldManager(_types: VersionedTypes): FieldManager {
  throw new Error('field ownership is not written yet');
}
