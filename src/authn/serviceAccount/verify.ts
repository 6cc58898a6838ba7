/** Whether a token was signed by one of the cluster's keys, and how others can tell. */
import { compactVerify, exportJWK } from 'jose';
import type { JWK } from 'jose';
import { decodeText } from '../../std/index.ts';
import type { VerifyKey } from './keys.ts';

/**
 * The claims of a token that one of the keys signed. The algorithm is the key's own, never the token's word for it: so
 * neither `none` nor an HMAC keyed with a public key is ever accepted. Throws where no key fits.
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

/** The key set that `/openid/v1/jwks` shows. */
export async function jsonWebKeySet(keys: readonly VerifyKey[]): Promise<{ readonly keys: readonly JWK[] }> {
  const shown = keys.map(async ({ key, id, algorithm }) => ({
    use: 'sig',
    ...(await exportJWK(key)),
    kid: id,
    alg: algorithm,
  }));
  return { keys: await Promise.all(shown) };
}
