import { kind } from '../define/index.ts';
import { authorization } from '../groups.ts';
import { toBetaFromHub, toHubFromBeta } from './review.convert.ts';
import { SubjectAccessReview, SubjectAccessReviewV1beta1 } from './subjectAccessReview.ts';

export const subjectaccessreviews = kind(SubjectAccessReview, {
  group: authorization,
  kind: 'SubjectAccessReview',
  resource: 'subjectaccessreviews',
  namespaced: false,
  doc: 'Asks whether a user may do something.',
  versions: [
    { version: 'v1', type: SubjectAccessReview },
    {
      version: 'v1beta1',
      type: SubjectAccessReviewV1beta1,
      toHub: toHubFromBeta,
      fromHub: toBetaFromHub,
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'authorization.{domain}/v1' },
    },
  ],
  verbs: ['create'],
});
