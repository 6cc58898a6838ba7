/** Checks that a request's sender has the key of the certificate in it (`PROOF_HEADER`, src/schema/authentication). */
import { compactVerify, decodeProtectedHeader, importX509 } from 'jose';
import { PROOF_ALGORITHMS, PROOF_HEADER, PROOF_TYPE, proofBinding, type ProofClaims } from '../schema/index.ts';
import { decodeText, ExpiringMap, fromBase64, isObject } from '../std/index.ts';
import type { Clock } from '../std/index.ts';
import { encodePem } from './x509/pem.ts';

/** The maximum age of a proof, by the cluster's clock. */
const LIFETIME_MS = 60_000;

/** The result of a check: the certificates whose key signed the request, no proof, or an invalid proof. */
export type Proven = { readonly certificates: readonly Uint8Array[] } | { readonly why: string } | undefined;

/** Verifies proofs; remembers them so that none is used twice. */
export function proofVerifier(clock: Clock): (request: Request) => Promise<Proven> {
  const seen = new ExpiringMap<true>(clock);
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
  if (!leaf || header.typ !== PROOF_TYPE || alg === undefined || !PROOF_ALGORITHMS.includes(alg))
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
  const binding = await proofBinding(request);
  if (claims.htm !== binding.htm || claims.htu !== binding.htu) return 'the proof is for another request';
  return claims.body === binding.body ? undefined : 'the proof is for another body';
}
