/** Reviews as they may be shown: without the secrets that some of them carry. */
import { clone, isObject } from '../std/index.ts';

const HIDDEN = '(hidden)';

/** A review that is fit to be looked at, and whether something had to be taken out of it. */
export interface Shown {
  readonly review: unknown;
  readonly hidden: boolean;
}

export function shownReview(review: unknown): Shown {
  if (!isObject(review)) return { review, hidden: false };
  const { kind, request, spec } = review;
  if (kind === 'TokenReview' && isObject(spec))
    return { review: { ...review, spec: { ...spec, token: HIDDEN } }, hidden: true };
  if (kind !== 'AdmissionReview' || !isObject(request)) return { review, hidden: false };
  if (![request.object, request.oldObject].some(isSecret)) return { review, hidden: false };
  const shown = { ...request, object: withoutSecrets(request.object), oldObject: withoutSecrets(request.oldObject) };
  return { review: { ...review, request: shown }, hidden: true };
}

/** The answer to a review that had something to hide: a patch or a message may repeat it. */
export function shownAnswer(answer: unknown, hidden: boolean): unknown {
  if (!hidden || !isObject(answer) || !isObject(answer.response) || answer.response.patch === undefined) return answer;
  return { ...answer, response: { ...answer.response, patch: HIDDEN } };
}

const isSecret = (object: unknown): boolean =>
  isObject(object) && (object.kind === 'Secret' || object.kind === 'TokenRequest');

/** Annotations too: one of them may hold the object as it was last applied. */
function withoutSecrets(object: unknown): unknown {
  if (!isSecret(object)) return object;
  const copy = clone(object) as Record<string, unknown>;
  for (const field of ['data', 'stringData', 'status']) hideValues(copy[field]);
  if (isObject(copy.metadata)) hideValues(copy.metadata.annotations);
  return copy;
}

function hideValues(map: unknown): void {
  if (!isObject(map)) return;
  for (const key of Object.keys(map)) map[key] = HIDDEN;
}
