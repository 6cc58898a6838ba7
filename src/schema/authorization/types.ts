/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type { LocalSubjectAccessReview, LocalSubjectAccessReviewV1beta1 } from './localSubjectAccessReview.ts';
export type { SelfSubjectAccessReviewSpec, SelfSubjectAccessReview } from './selfSubjectAccessReview.ts';
export type {
  NonResourceRule,
  ResourceRule,
  SelfSubjectRulesReviewSpec,
  SubjectRulesReviewStatus,
  SelfSubjectRulesReview,
} from './selfSubjectRulesReview.ts';
export type {
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
  SubjectAccessReview,
  SubjectAccessReviewSpecV1beta1,
  SubjectAccessReviewV1beta1,
} from './subjectAccessReview.ts';
