/** Parses the body of a PATCH request and applies it. */
import type { Node } from '../schema/index.ts';
import { status } from '../schema/index.ts';
import { JsonBody, nestsDeeper, Part, shapeOfJson } from '../std/index.ts';
import { bareFailure } from './failures.ts';
import { mergePatch } from './mergePatch.ts';
import { strategicMerge } from './strategic/index.ts';
import type { PatchForm } from './types.ts';

/** Loaded with the first JSON patch, because components send none. */
export const jsonPatching = new Part(() => import('./jsonPatch.ts'));

/** The maximum nesting of a patch, so that recursion over it can't exhaust the stack. */
const MAX_DEPTH = 1_000;

/** The body of a PATCH request: its text, or its value if the client is in this process. */
export type PatchBody = string | JsonBody;

export const patchText = (body: PatchBody): string => (typeof body === 'string' ? body : body.text);

/**
 * Applies the body of a PATCH request to a document; neither is modified, the result shares parts with both. It is raw: it
 * still has to be decoded, and if that fails the answer is 422 with one cause, `patch`. It may lack apiVersion and kind
 * (`$patch: replace`). Throws StatusError for an invalid patch. `node` is the document's type; only strategic merge patch
 * uses it. A JSON patch needs `jsonPatching`.
 */
export function applyPatch(form: PatchForm, document: unknown, body: PatchBody, node: Node): unknown {
  const patch = parse(form, body);
  if (form === 'json') return jsonPatching.get().jsonPatch(document, patch);
  return form === 'merge' ? mergePatch(document, patch) : strategicMerge(document, patch, node);
}

function parse(form: PatchForm, body: PatchBody): unknown {
  const isValue = body instanceof JsonBody;
  if (isValue ? nestsDeeper(body.value, MAX_DEPTH) : shapeOfJson(body).depth > MAX_DEPTH)
    throw status.badRequest(`the patch nests deeper than ${MAX_DEPTH} levels`);
  if (isValue) return body.value;
  try {
    return JSON.parse(body) as unknown;
  } catch (error) {
    const message = `the patch is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
    throw form === 'merge' ? bareFailure(message) : status.badRequest(message);
  }
}
