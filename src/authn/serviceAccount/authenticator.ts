/**
 * Service account tokens: signed by one of the cluster's keys, and valid according to stored objects (specification,
 * Credential kinds).
 */
import type { ServiceAccountOptions, Validation, Validator } from './validator.ts';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { Names } from '../../names/index.ts';
import { ExpiringMap } from '../../std/index.ts';
import { accepted, passed, refused } from '../attempts.ts';
import type { Attempt, TokenAuthenticator, UserInfo } from '../types.ts';
import { boundValidator } from './bound.ts';
import { legacyValidator } from './legacy.ts';
import { accountGroups, accountUsername, legacyIssuer } from './names.ts';
import { verifyClaims } from './verify.ts';

/** Tokens from secrets, which do not expire (`--service-account-lookup`). */
export function legacyTokens(options: ServiceAccountOptions & { readonly lookup: boolean }): TokenAuthenticator {
  return accountTokens('service account secret', legacyIssuer(options.names), legacyValidator(options), options);
}

/** Tokens from TokenRequest (`--service-account-issuer`). */
export function boundTokens(options: ServiceAccountOptions & { readonly issuer: string }): TokenAuthenticator {
  return accountTokens('service account token', options.issuer, boundValidator(options), options);
}

const VERIFIED_MS = 10_000;

/** The reference's text for a signature that no key verifies. */
const CRYPTO_ERROR = 'square/go-jose: error in cryptographic primitive';

function accountTokens(
  name: string,
  issuer: string,
  validate: Validator,
  options: ServiceAccountOptions,
): TokenAuthenticator {
  const verified = new ExpiringMap<Record<string, unknown>>(options.clock, 256);
  const claimsOf = async (token: string): Promise<Record<string, unknown>> => {
    const known = verified.get(token);
    if (known) return known;
    const claims = await verifyClaims(token, options.keys);
    verified.set(token, claims, VERIFIED_MS);
    return claims;
  };
  return {
    name,
    authenticateToken: async (token, audiences) => {
      if (!isSigned(token) || !hasIssuer(token, issuer))
        return passed(`not a token of the issuer ${JSON.stringify(issuer)}`);
      let claims: Record<string, unknown>;
      try {
        claims = await claimsOf(token);
      } catch {
        return refused('the signature is not of one of this cluster’s keys', CRYPTO_ERROR);
      }
      return judge(claims, token, audiences, validate, options);
    },
  };
}

/** Whether the token has a header that can be read. */
function isSigned(token: string): boolean {
  try {
    return typeof decodeProtectedHeader(token).alg === 'string';
  } catch {
    return false;
  }
}

/** The unverified issuer in the token. */
function hasIssuer(token: string, issuer: string): boolean {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

function judge(
  claims: Record<string, unknown>,
  token: string,
  audiences: readonly string[],
  validate: Validator,
  options: ServiceAccountOptions,
): Attempt {
  const meant = audiencesOf(claims.aud);
  const own = meant.length > 0 ? meant : options.audiences;
  const shared = audiences.filter((audience) => own.includes(audience));
  if (shared.length === 0 && options.audiences.length > 0) {
    return refused(`token audiences ${quotedList(own)} is invalid for the target audiences ${quotedList(audiences)}`);
  }
  const valid = validate(claims, token);
  if ('why' in valid) return refused(valid.why);
  return accepted(`the token is valid for ${valid.namespace}/${valid.name}`, userOf(valid, options.names), shared);
}

/** A list as the reference prints it: quoted words between brackets, without commas. */
const quotedList = (words: readonly string[]): string => `[${words.map((word) => JSON.stringify(word)).join(' ')}]`;

function audiencesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return [claim];
  return Array.isArray(claim) ? claim.filter((one) => typeof one === 'string') : [];
}

function userOf(valid: Exclude<Validation, { why: string }>, names: Names): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  if (valid.pod) {
    extra[names.fill('authentication.{label}/pod-name')] = [valid.pod.name];
    extra[names.fill('authentication.{label}/pod-uid')] = [valid.pod.uid];
  }
  return { name: accountUsername(valid), uid: valid.uid, groups: accountGroups(valid.namespace), extra };
}
