import { kind } from '../define/index.ts';
import { authorization } from '../groups.ts';
import { toBetaFromHub, toHubFromBeta } from './review.convert.ts';
import { LocalSubjectAccessReview, LocalSubjectAccessReviewV1beta1 } from './localSubjectAccessReview.ts';

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
