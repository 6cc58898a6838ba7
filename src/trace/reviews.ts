/** Reviews for display, without secrets. */
import { isObject } from '../std/index.ts';
import { withoutSecrets } from './secrets.ts';

/** A review for display, and whether something was hidden in it. */
export interface Shown {
  readonly review: unknown;
  readonly hidden: boolean;
}

export function shownReview(review: unknown): Shown {
  if (!isObject(review)) return { review, hidden: false };
  const whole = withoutSecrets(review);
  const { request } = review;
  if (whole !== review || !isObject(request)) return { review: whole, hidden: whole !== review };
  const [object, oldObject] = [withoutSecrets(request.object), withoutSecrets(request.oldObject)];
  if (object === request.object && oldObject === request.oldObject) return { review, hidden: false };
  return { review: { ...review, request: { ...request, object, oldObject } }, hidden: true };
}

/** The answer to a review with hidden parts: a patch may repeat them. */
export function shownAnswer(answer: unknown, hidden: boolean): unknown {
  if (!hidden || !isObject(answer) || !isObject(answer.response) || answer.response.patch === undefined) return answer;
  return { ...answer, response: { ...answer.response, patch: '(hidden)' } };
}
