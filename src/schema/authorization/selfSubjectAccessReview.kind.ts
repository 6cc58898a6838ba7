import { atVersion, kind } from '../define/index.ts';
import { authorization } from '../groups.ts';
import { SelfSubjectAccessReview } from './selfSubjectAccessReview.ts';

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
