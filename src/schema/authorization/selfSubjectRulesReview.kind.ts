import { atVersion, kind } from '../define/index.ts';
import { authorization } from '../groups.ts';
import { SelfSubjectRulesReview } from './selfSubjectRulesReview.ts';

export const selfsubjectrulesreviews = kind(SelfSubjectRulesReview, {
  group: authorization,
  kind: 'SelfSubjectRulesReview',
  resource: 'selfsubjectrulesreviews',
  namespaced: false,
  doc: 'Asks for all that the caller may do in a namespace.',
  versions: [
    { version: 'v1', type: SelfSubjectRulesReview },
    {
      version: 'v1beta1',
      type: atVersion(SelfSubjectRulesReview, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'authorization.{domain}/v1' },
    },
  ],
  verbs: ['create'],
});
