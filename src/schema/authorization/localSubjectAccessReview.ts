import { always, atVersion, opt } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import {
  SubjectAccessReviewSpec,
  SubjectAccessReviewSpecV1beta1,
  SubjectAccessReviewStatus,
} from './subjectAccessReview.ts';

export const LocalSubjectAccessReview = object('api.authorization.v1.LocalSubjectAccessReview', {
  spec: always(2, SubjectAccessReviewSpec),
  status: opt(3, SubjectAccessReviewStatus),
});
export type LocalSubjectAccessReview = Infer<typeof LocalSubjectAccessReview>;

export const LocalSubjectAccessReviewV1beta1 = object('api.authorization.v1beta1.LocalSubjectAccessReview', {
  spec: always(2, SubjectAccessReviewSpecV1beta1),
  status: opt(3, atVersion(SubjectAccessReviewStatus, 'v1beta1')),
});
export type LocalSubjectAccessReviewV1beta1 = Infer<typeof LocalSubjectAccessReviewV1beta1>;
