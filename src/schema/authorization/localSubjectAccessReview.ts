import { always, atVersion, kind, opt } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { authorization } from '../groups.ts';
import { object } from '../meta/object.ts';
import { toBetaFromHub, toHubFromBeta } from './review.convert.ts';
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

export const localsubjectaccessreviews = kind(LocalSubjectAccessReview, {
  group: authorization,
  kind: 'LocalSubjectAccessReview',
  resource: 'localsubjectaccessreviews',
  namespaced: true,
  doc: 'Asks whether a user may do something in one namespace.',
  versions: [
    { version: 'v1', type: LocalSubjectAccessReview },
    {
      version: 'v1beta1',
      type: LocalSubjectAccessReviewV1beta1,
      toHub: toHubFromBeta,
      fromHub: toBetaFromHub,
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'authorization.{domain}/v1' },
    },
  ],
  verbs: ['create'],
});
