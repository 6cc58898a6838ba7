import { always, atVersion, bool, boxed, kind, list, map, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { authentication } from '../groups.ts';
import { object } from '../meta/object.ts';

export const UserInfo = struct('api.authentication.v1.UserInfo', {
  username: opt(1, string),
  uid: opt(2, string),
  groups: opt(3, list(string)),
  extra: opt(4, map(boxed(string))),
});
export type UserInfo = Infer<typeof UserInfo>;

export const TokenReviewSpec = struct('api.authentication.v1.TokenReviewSpec', {
  token: opt(1, string),
  audiences: opt(2, list(string)),
});
export type TokenReviewSpec = Infer<typeof TokenReviewSpec>;

export const TokenReviewStatus = struct('api.authentication.v1.TokenReviewStatus', {
  authenticated: opt(1, bool),
  user: opt(2, UserInfo),
  error: opt(3, string),
  audiences: opt(4, list(string)),
});
export type TokenReviewStatus = Infer<typeof TokenReviewStatus>;

export const TokenReview = object('api.authentication.v1.TokenReview', {
  spec: always(2, TokenReviewSpec),
  status: opt(3, TokenReviewStatus),
});
export type TokenReview = Infer<typeof TokenReview>;

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
