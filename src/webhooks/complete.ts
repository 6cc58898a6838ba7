/**
 * Completes a handler's result to the review that the API server expects. A handler may return the whole review, or
 * only the relevant part: the response of an AdmissionReview, the status of others, or a boolean.
 */
import { encodeText, isObject, toBase64, getOwn } from '../std/index.ts';

type Fields = Record<string, unknown>;

/** `review` is the request. Results that do not belong to a review are returned unchanged. */
export function completed(review: unknown, answer: unknown): unknown {
  if (!isObject(review) || answer === undefined || answer === null) return answer;
  const complete = getOwn(completions, String(review.kind));
  if (!complete) return answer;
  return { apiVersion: review.apiVersion, kind: review.kind, ...complete(review, answer) };
}

const completions: Readonly<Record<string, (review: Fields, answer: unknown) => Fields>> = {
  AdmissionReview: (review, answer) => {
    const whole = partOf(answer, 'response', 'allowed');
    return isObject(whole.response) ? { ...whole, response: admission(review, whole.response) } : whole;
  },
  ConversionReview: (review, answer) => {
    const whole = conversionPart(answer);
    return isObject(whole.response) ? { ...whole, response: { uid: uidOf(review), ...whole.response } } : whole;
  },
  TokenReview: (_review, answer) => partOf(answer, 'status', 'authenticated'),
  SubjectAccessReview: (_review, answer) => partOf(answer, 'status', 'allowed'),
  ImageReview: (_review, answer) => partOf(answer, 'status', 'allowed'),
};

/** The part of the answer, if present; otherwise the answer is the part itself, or its one boolean field. */
function partOf(answer: unknown, part: string, word: string): Fields {
  if (typeof answer === 'boolean') return { [part]: { [word]: answer } };
  return isObject(answer) && Object.hasOwn(answer, part) ? answer : { [part]: answer };
}

/** The whole answer, its response, or the converted objects themselves. */
function conversionPart(answer: unknown): Fields {
  if (isObject(answer) && 'response' in answer) return answer;
  const response = isObject(answer) ? answer : { convertedObjects: Array.isArray(answer) ? answer : [] };
  return { response: { result: { status: 'Success' }, ...response } };
}

const uidOf = ({ request }: Fields): unknown => (isObject(request) ? request.uid : undefined);

/** A patch may be a list of operations; in the review it is base64. */
function admission(review: Fields, response: Fields): Fields {
  const { patch } = response;
  return {
    uid: uidOf(review),
    ...response,
    ...(Array.isArray(patch) ? { patch: toBase64(encodeText(JSON.stringify(patch))), patchType: 'JSONPatch' } : {}),
  };
}
