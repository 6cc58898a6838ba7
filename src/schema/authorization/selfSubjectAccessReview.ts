import { always, atVersion, kind, opt, ptr, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { authorization } from '../groups.ts';
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

export const selfsubjectaccessreviews = kind(SelfSubjectAccessReview, {
  group: authorization,
  kind: 'SelfSubjectAccessReview',
  resource: 'selfsubjectaccessreviews',
  namespaced: false,
  doc: 'Asks whether the caller may do something.',
  versions: [
    { version: 'v1', type: SelfSubjectAccessReview },
    {
      version: 'v1beta1',
      type: atVersion(SelfSubjectAccessReview, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'authorization.{domain}/v1' },
    },
  ],
  verbs: ['create'],
});
