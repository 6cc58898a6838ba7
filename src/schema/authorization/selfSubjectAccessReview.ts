import { always, opt, ptr, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewStatus } from './subjectAccessReview.ts';

export const SelfSubjectAccessReviewSpec = struct('api.authorization.v1.SelfSubjectAccessReviewSpec', {
  resourceAttributes: ptr(1, ResourceAttributes),
  nonResourceAttributes: ptr(2, NonResourceAttributes),
});
export type SelfSubjectAccessReviewSpec = Infer<typeof SelfSubjectAccessReviewSpec>;

export const SelfSubjectAccessReview = object('api.authorization.v1.SelfSubjectAccessReview', {
  spec: always(2, SelfSubjectAccessReviewSpec),
  status: opt(3, SubjectAccessReviewStatus),
});
export type SelfSubjectAccessReview = Infer<typeof SelfSubjectAccessReview>;
