import { always, bool, boxed, list, map, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const UserInfo = struct(
  'api.authentication.v1.UserInfo',
  {
    username: opt(1, string, { doc: 'Name.' }),
    uid: opt(2, string, { doc: 'Identity.' }),
    groups: opt(3, list(string), { doc: 'Groups.' }),
    extra: opt(4, map(boxed(string)), { doc: 'What else is known.' }),
  },
  { doc: 'Who someone is.' },
);
export type UserInfo = Infer<typeof UserInfo>;

export const TokenReviewSpec = struct(
  'api.authentication.v1.TokenReviewSpec',
  {
    token: opt(1, string, { doc: 'The token.' }),
    audiences: opt(2, list(string), { doc: 'For whom the token should be meant.' }),
  },
  { doc: 'A token to look at.' },
);
export type TokenReviewSpec = Infer<typeof TokenReviewSpec>;

export const TokenReviewStatus = struct(
  'api.authentication.v1.TokenReviewStatus',
  {
    authenticated: opt(1, bool, { doc: 'Whether the token is good.' }),
    user: opt(2, UserInfo, { doc: 'Whose it is.' }),
    audiences: opt(4, list(string), { doc: 'For whom the token is meant, of those that were asked for.' }),
    error: opt(3, string, { doc: 'What went wrong in looking.' }),
  },
  { doc: 'Whose token it is.' },
);
export type TokenReviewStatus = Infer<typeof TokenReviewStatus>;

export const TokenReview = object('api.authentication.v1.TokenReview', {
  spec: always(2, TokenReviewSpec),
  status: opt(3, TokenReviewStatus),
});
export type TokenReview = Infer<typeof TokenReview>;
