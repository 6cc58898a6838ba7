import { atVersion, kind } from '../define/index.ts';
import { authentication } from '../groups.ts';
import { TokenReview } from './tokenReview.ts';

export const tokenreviews = kind(TokenReview, {
  group: authentication,
  kind: 'TokenReview',
  resource: 'tokenreviews',
  namespaced: false,
  doc: 'Asks whose token this is.',
  versions: [
    { version: 'v1', type: TokenReview },
    {
      version: 'v1beta1',
      type: atVersion(TokenReview, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'authentication.{domain}/v1' },
    },
  ],
  verbs: ['create'],
});
