/**
 * What a handler returns, as the whole review that the API server expects. A handler may return that itself, or only the part that
 * matters: the response of an AdmissionReview, the status of the others, or just true or false.
 */
import { encodeText, isObject, toBase64, getOwn } from '../std/index.ts';

type Fields = Record<string, unknown>;

/** `review` is what was asked. What is no review is handed on as it was returned. */
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

/** The answer where it has that part; otherwise the answer is the part, or the one word in it. */
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

/** A patch may be a list of operations; on the wire it is base64. */
function admission(review: Fields, response: Fields): Fields {
  const { patch } = response;
  return {
    uid: uidOf(review),
    ...response,
    ...(Array.isArray(patch) ? { patch: toBase64(encodeText(JSON.stringify(patch))), patchType: 'JSONPatch' } : {}),
  };
}
