/**
 * Proof of possession without a TLS handshake. A tab has none, so whoever holds a certificate signs each request: a JWS
 * whose header carries the certificate chain and whose payload binds the signature to this one request.
 */
import { CompactSign, compactVerify, decodeProtectedHeader, importX509 } from 'jose';
import { decodeText, encodeText, fromBase64, isObject, toBase64, toBase64Url } from '../std/index.ts';
import type { Clock, Random } from '../std/index.ts';
import { AnswerCache } from './remote.ts';
import { encodePem, pemBodies } from './x509/pem.ts';

export const PROOF_HEADER = 'x-client-certificate-proof';
const PROOF_TYPE = 'client-proof+jwt';
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256'];
/** A proof older than this, by the cluster's clock, proves nothing any more. */
const LIFETIME_MS = 60_000;

interface ProofClaims {
  readonly htm: string;
  /** Path and query. */
  readonly htu: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly nonce: string;
  /** Digest of the body; empty where there is none. */
  readonly body: string;
}

export interface ProofSigner {
  /** The request with the proof in its headers. */
  sign(request: Request): Promise<Request>;
}

/** Signs requests with a certificate (PEM, its chain after it) and its key. `random` makes each proof a different one. */
export function proofSigner(certificatePem: string, key: CryptoKey, clock: Clock, random: Random): ProofSigner {
  const chain = pemBodies(certificatePem, 'CERTIFICATE').map((der) => toBase64(der));
  return {
    sign: async (request) => {
      const nonce = toBase64Url(random.bytes(12));
      const claims: ProofClaims = { ...(await bindingOf(request)), at: clock.now(), nonce };
      const header = { alg: algorithmOf(key), typ: PROOF_TYPE, x5c: chain };
      const proof = await new CompactSign(encodeText(JSON.stringify(claims))).setProtectedHeader(header).sign(key);
      const headers = new Headers(request.headers);
      headers.set(PROOF_HEADER, proof);
      return new Request(request, { headers });
    },
  };
}

/** What a request proves: the certificates whose key signed it, nothing at all, or something that does not hold. */
export type Proven = { readonly certificates: readonly Uint8Array[] } | { readonly why: string } | undefined;

/** Checks proofs; remembers those it saw so that none is used twice. */
export function proofVerifier(clock: Clock): (request: Request) => Promise<Proven> {
  const seen = new AnswerCache<true>(clock);
  return async (request) => {
    const proof = request.headers.get(PROOF_HEADER);
    if (proof === null) return undefined;
    try {
      const { certificates, claims } = await open(proof);
      const why = await mismatch(claims, request, clock.now());
      if (why !== undefined) return { why };
      if (seen.get(claims.nonce)) return { why: 'the proof was used before' };
      seen.set(claims.nonce, true, 2 * LIFETIME_MS);
      return { certificates };
    } catch (problem) {
      return { why: `the proof does not verify: ${problem instanceof Error ? problem.message : String(problem)}` };
    }
  };
}

async function open(proof: string): Promise<{ certificates: Uint8Array[]; claims: ProofClaims }> {
  const header = decodeProtectedHeader(proof);
  const certificates = (header.x5c ?? []).map((text) => fromBase64(text)).filter((der) => der !== undefined);
  const [leaf] = certificates;
  const { alg } = header;
  if (!leaf || header.typ !== PROOF_TYPE || alg === undefined || !ALGORITHMS.includes(alg))
    throw new Error('unexpected header');
  const { payload } = await compactVerify(proof, await importX509(encodePem('CERTIFICATE', leaf), alg), {
    algorithms: [alg],
  });
  return { certificates, claims: readClaims(JSON.parse(decodeText(payload))) };
}

function readClaims(value: unknown): ProofClaims {
  if (!isObject(value)) throw new Error('unexpected claims');
  const { htm, htu, at, nonce, body } = value;
  if (
    typeof htm !== 'string' ||
    typeof htu !== 'string' ||
    typeof at !== 'number' ||
    typeof nonce !== 'string' ||
    typeof body !== 'string'
  )
    throw new Error('unexpected claims');
  return { htm, htu, at, nonce, body };
}

async function mismatch(claims: ProofClaims, request: Request, now: number): Promise<string | undefined> {
  if (Math.abs(now - claims.at) > LIFETIME_MS) return 'the proof is too old';
  const binding = await bindingOf(request);
  if (claims.htm !== binding.htm || claims.htu !== binding.htu) return 'the proof is for another request';
  return claims.body === binding.body ? undefined : 'the proof is for another body';
}

/** What ties a proof to a request. */
async function bindingOf(request: Request): Promise<Pick<ProofClaims, 'htm' | 'htu' | 'body'>> {
  const { pathname, search } = new URL(request.url);
  const content = request.body === null ? undefined : await request.clone().arrayBuffer();
  const body =
    content === undefined || content.byteLength === 0
      ? ''
      : toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', content)));
  return { htm: request.method, htu: pathname + search, body };
}

function algorithmOf(key: CryptoKey): string {
  if (key.algorithm.name !== 'ECDSA') return 'RS256';
  return (
    { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' }[(key.algorithm as EcKeyAlgorithm).namedCurve] ?? 'ES256'
  );
}
