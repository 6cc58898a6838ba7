/** What a server needs to issue service account tokens, and to let others verify them. */
import { Part } from '../../std/index.ts';
import type { VerifyKey } from './keys.ts';
import type { TokenMaker } from './tokens.ts';

export const verifying = new Part(() => import('./verify.ts'));

export interface AccountIssuer {
  /** `--service-account-issuer`. */
  readonly issuer: string;
  /** The default audiences of a token. */
  readonly audiences: readonly string[];
  readonly keys: readonly VerifyKey[];
  readonly maker: TokenMaker;
  /** `--service-account-max-token-expiration` in seconds; 0 for no limit. */
  readonly maxExpirationSeconds: number;
  /** `--service-account-extend-token-expiration`. */
  readonly extendExpiration: boolean;
  /** `--service-account-jwks-uri`, or this server's own key set. */
  readonly jwksUri: string;
}

/** The document at `/.well-known/openid-configuration`. */
export function discoveryDocument({ issuer, jwksUri, keys }: AccountIssuer): object {
  return {
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map((key) => key.algorithm))].sort(),
  };
}

/** The document at `/openid/v1/jwks`. */
export async function keySetDocument({ keys }: AccountIssuer): Promise<object> {
  return (await verifying.load()).jsonWebKeySet(keys);
}
