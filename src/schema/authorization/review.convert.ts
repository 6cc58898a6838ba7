/** Access reviews of v1beta1 spell the user's groups `group`. */
import type { SubjectAccessReviewSpec, SubjectAccessReviewSpecV1beta1 } from './subjectAccessReview.ts';

export function toHubFromBeta<R extends { spec: SubjectAccessReviewSpecV1beta1 }>(review: R): object {
  const { group, ...spec } = review.spec;
  return { ...review, spec: { ...spec, groups: group } };
}

export function toBetaFromHub<R extends { spec: SubjectAccessReviewSpec }>(review: R): object {
  const { groups, ...spec } = review.spec;
  return { ...review, spec: { ...spec, group: groups } };
}
