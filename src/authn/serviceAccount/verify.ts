/** Verifies tokens with the cluster's keys, and publishes the keys. */
import { compactVerify, exportJWK } from 'jose';
import type { JWK } from 'jose';
import { decodeText } from '../../std/index.ts';
import type { VerifyKey } from './keys.ts';

/**
 * The claims of a token signed by one of the keys. The algorithm is the key's, never the token's claim: so neither
 * `none` nor an HMAC keyed with a public key is accepted. Throws if no key matches.
 */
export async function verifyClaims(token: string, keys: readonly VerifyKey[]): Promise<Record<string, unknown>> {
  let problem: unknown = new Error('no keys to verify with');
  for (const { key, algorithm } of keys) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
      return JSON.parse(decodeText(payload)) as Record<string, unknown>;
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** The key set at `/openid/v1/jwks`. */
export async function jsonWebKeySet(keys: readonly VerifyKey[]): Promise<{ readonly keys: readonly JWK[] }> {
  const shown = keys.map(async ({ key, id, algorithm }) => ({
    use: 'sig',
    ...(await exportJWK(key)),
    kid: id,
    alg: algorithm,
  }));
  return { keys: await Promise.all(shown) };
}
