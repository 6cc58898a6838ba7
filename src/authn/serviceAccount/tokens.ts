/** Creates service account tokens: for secrets, and requested ones with a limited lifetime. */
import type { Names } from '../../names/index.ts';
import type { AccountName, BoundClaims, BoundRef } from './names.ts';
import { accountUsername, legacyClaims, legacyIssuer } from './names.ts';
import { signClaims } from './keys.ts';
import type { SigningKey } from './keys.ts';

export interface TokenMaker {
  /** A token without expiry, for a secret. */
  legacy(account: AccountName & { readonly uid: string }, secretName: string): Promise<string>;
  bound(request: BoundTokenRequest): Promise<string>;
}

export interface BoundTokenRequest {
  readonly account: AccountName & { readonly uid: string };
  readonly pod?: BoundRef;
  readonly secret?: BoundRef;
  readonly audiences: readonly string[];
  /** Seconds since the epoch. */
  readonly now: number;
  readonly expiresInSeconds: number;
  readonly warnAfterSeconds?: number;
}

export function tokenMaker(key: SigningKey, issuer: string, names: Names): TokenMaker {
  const claims = legacyClaims(names);
  return {
    legacy: (account, secretName) =>
      signClaims(key, {
        iss: legacyIssuer(names),
        [claims.namespace]: account.namespace,
        [claims.secret]: secretName,
        [claims.account]: account.name,
        [claims.uid]: account.uid,
        sub: accountUsername(account),
      }),
    bound: (request) =>
      signClaims(key, {
        aud: request.audiences,
        exp: request.now + request.expiresInSeconds,
        iat: request.now,
        iss: issuer,
        [names.label]: boundClaims(request),
        nbf: request.now,
        sub: accountUsername(request.account),
      }),
  };
}

function boundClaims(request: BoundTokenRequest): BoundClaims {
  const { account, pod, secret, now, warnAfterSeconds } = request;
  return {
    namespace: account.namespace,
    ...(pod ? { pod } : {}),
    ...(secret ? { secret } : {}),
    serviceaccount: { name: account.name, uid: account.uid },
    ...(warnAfterSeconds === undefined ? {} : { warnafter: now + warnAfterSeconds }),
  };
}
