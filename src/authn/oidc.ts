/** ID tokens of an OpenID Connect issuer (specification, Credential kinds; `--oidc-…`). */
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { JSONWebKeySet, JWTPayload } from 'jose';
import { isObject, getOwn } from '../std/index.ts';
import type { Clock } from '../std/index.ts';
import { accepted, passed, refused } from './attempts.ts';
import type { RemoteFetch, Trust } from './remote.ts';
import type { Attempt, TokenAuthenticator } from './types.ts';

export interface OidcOptions {
  readonly clock: Clock;
  readonly fetch: RemoteFetch;
  /** How the issuer's own certificate is verified (`--oidc-ca-file`). */
  readonly trust?: Trust;
  readonly issuer: string;
  readonly clientId: string;
  /** `sub` by default. */
  readonly usernameClaim: string;
  /** Undefined: the issuer and `#`, unless the claim is `email`. `-`: none. */
  readonly usernamePrefix: string | undefined;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly requiredClaims: ReadonlyMap<string, string>;
  /** `RS256` by default. */
  readonly algorithms: readonly string[];
}

const NOT_BEFORE_LEEWAY_S = 5 * 60;
const REFRESH_AFTER_MS = 10_000;

export function oidc(options: OidcOptions): TokenAuthenticator {
  const keys = new IssuerKeys(options);
  return {
    name: 'OpenID Connect',
    authenticateToken: async (token) => {
      const issuer = claimedIssuer(token);
      if (issuer !== options.issuer) return passed(`not a token of the issuer ${JSON.stringify(options.issuer)}`);
      try {
        return identify(await verify(token, options, keys), options);
      } catch (problem) {
        return refused(`oidc: verify token: ${problem instanceof Error ? problem.message : String(problem)}`);
      }
    },
  };
}

function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

async function verify(token: string, options: OidcOptions, keys: IssuerKeys): Promise<JWTPayload> {
  const now = options.clock.now();
  const limits = {
    algorithms: [...options.algorithms],
    audience: options.clientId,
    issuer: options.issuer,
    currentDate: new Date(now),
    clockTolerance: NOT_BEFORE_LEEWAY_S,
    requiredClaims: ['exp'],
  };
  const check = async (set: JSONWebKeySet): Promise<JWTPayload> =>
    (await jwtVerify(token, createLocalJWKSet(set), limits)).payload;
  const payload = await check(await keys.current()).catch(async (problem: unknown) => {
    // The issuer may have new keys. The refresh is rate-limited, so that forged tokens can't cause many requests.
    const fresh = await keys.refreshed();
    if (!fresh) throw problem;
    return check(fresh);
  });
  // The tolerance is for tokens that are not valid yet; expired ones get none.
  if ((payload.exp ?? 0) * 1000 <= now) throw new Error('token is expired');
  return payload;
}

/** The user in verified claims. */
function identify(claims: JWTPayload, options: OidcOptions): Attempt {
  const name = getOwn(claims, options.usernameClaim);
  if (typeof name !== 'string' || name === '')
    return refused(`oidc: claim ${JSON.stringify(options.usernameClaim)} is not present`);
  if (options.usernameClaim === 'email' && claims.email_verified !== undefined && claims.email_verified !== true)
    return refused('oidc: email not verified');
  for (const [claim, value] of options.requiredClaims) {
    if (getOwn(claims, claim) !== value) return refused(`oidc: required claim ${claim} value does not match`);
  }
  const groups = groupsOf(claims, options);
  if (!groups)
    return refused(`oidc: claim ${JSON.stringify(options.groupsClaim)} is neither a string nor a list of strings`);
  return accepted(`the issuer vouches for ${options.usernameClaim}`, {
    name: usernamePrefix(options) + name,
    groups,
    extra: {},
  });
}

function usernamePrefix({ usernamePrefix: prefix, usernameClaim, issuer }: OidcOptions): string {
  if (prefix === undefined || prefix === '') return usernameClaim === 'email' ? '' : `${issuer}#`;
  return prefix === '-' ? '' : prefix;
}

function groupsOf(claims: JWTPayload, { groupsClaim, groupsPrefix }: OidcOptions): string[] | undefined {
  const value: unknown = groupsClaim === '' ? undefined : getOwn(claims, groupsClaim);
  if (value === undefined) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.every((group) => typeof group === 'string')
    ? list.map((group) => groupsPrefix + String(group))
    : undefined;
}

/** The issuer's keys, found by discovery and cached. */
class IssuerKeys {
  readonly #options: OidcOptions;
  #set: Promise<JSONWebKeySet> | undefined;
  #fetchedAt = 0;

  constructor(options: OidcOptions) {
    this.#options = options;
  }

  async current(): Promise<JSONWebKeySet> {
    this.#set ??= this.#fetch();
    try {
      return await this.#set;
    } catch (problem) {
      this.#set = undefined;
      throw problem;
    }
  }

  /** Refreshes the keys; undefined if they were refreshed very recently. */
  async refreshed(): Promise<JSONWebKeySet | undefined> {
    if (this.#options.clock.now() - this.#fetchedAt < REFRESH_AFTER_MS) return undefined;
    this.#set = undefined;
    return this.current();
  }

  async #fetch(): Promise<JSONWebKeySet> {
    const { issuer } = this.#options;
    this.#fetchedAt = this.#options.clock.now();
    const discovery = await this.#get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (discovery.issuer !== issuer)
      throw new Error(
        `issuer did not match the issuer returned by provider, expected ${JSON.stringify(issuer)} got ${JSON.stringify(discovery.issuer)}`,
      );
    if (typeof discovery.jwks_uri !== 'string') throw new Error('the discovery document names no key set');
    const set = await this.#get(discovery.jwks_uri);
    if (!Array.isArray(set.keys)) throw new Error('the key set holds no keys');
    return { keys: set.keys.filter(isObject) };
  }

  async #get(url: string): Promise<Record<string, unknown>> {
    const { fetch, trust } = this.#options;
    const response = await fetch(new Request(url, { headers: { accept: 'application/json' } }), trust);
    const body: unknown = response.ok ? await response.json() : undefined;
    if (!isObject(body)) throw new Error(`${url} answered ${response.status}`);
    return body;
  }
}
