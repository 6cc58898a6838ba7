import { always, int64, list, nullable, opt, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const BoundObjectReference = struct('api.authentication.v1.BoundObjectReference', {
  kind: opt(1, string),
  apiVersion: opt(2, string),
  name: opt(3, string),
  uid: opt(4, string),
});
export type BoundObjectReference = Infer<typeof BoundObjectReference>;

export const TokenRequestSpec = struct('api.authentication.v1.TokenRequestSpec', {
  audiences: always(1, list(string)),
  boundObjectRef: nullable(3, BoundObjectReference),
  expirationSeconds: nullable(4, int64, { default: 3600 }),
});
export type TokenRequestSpec = Infer<typeof TokenRequestSpec>;

export const TokenRequestStatus = struct('api.authentication.v1.TokenRequestStatus', {
  token: always(1, string),
  expirationTimestamp: always(2, time),
});
export type TokenRequestStatus = Infer<typeof TokenRequestStatus>;

export const TokenRequest = object('api.authentication.v1.TokenRequest', {
  spec: always(2, TokenRequestSpec),
  status: opt(3, TokenRequestStatus),
});
export type TokenRequest = Infer<typeof TokenRequest>;
