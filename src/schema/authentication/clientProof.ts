/**
 * The format of a proof that a client has a certificate's key, for connections without a TLS handshake: a JWS in a
 * header. Its own header contains the certificate chain (`x5c`), and its payload binds it to one request.
 */
import { toBase64Url } from '../../std/index.ts';

export const PROOF_HEADER = 'x-client-certificate-proof';
export const PROOF_TYPE = 'client-proof+jwt';
export const PROOF_ALGORITHMS: readonly string[] = ['ES256', 'ES384', 'ES512', 'RS256'];

/** What ties a proof to a request. */
export interface ProofBinding {
  readonly htm: string;
  /** Path and query. */
  readonly htu: string;
  /** SHA-256 of the body, as base64url; empty without one. */
  readonly body: string;
}

export interface ProofClaims extends ProofBinding {
  /** Milliseconds since the epoch, by the cluster's clock. */
  readonly at: number;
  /** Different in each proof, so that none is used twice. */
  readonly nonce: string;
}

/** What ties a proof to this request; its body can still be read afterwards. */
export async function proofBinding(request: Request): Promise<ProofBinding> {
  const { pathname, search } = new URL(request.url);
  const content = request.body === null ? undefined : await request.clone().arrayBuffer();
  const body =
    content === undefined || content.byteLength === 0
      ? ''
      : toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', content)));
  return { htm: request.method, htu: pathname + search, body };
}
