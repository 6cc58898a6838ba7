/**
 * Proves with each request that the client has a certificate's key, where there is no TLS handshake
 * (src/schema/authentication).
 */
import { decodePem, PROOF_HEADER, PROOF_TYPE, proofBinding, type ProofClaims } from '../../schema/index.ts';
import { encodeText, toBase64, toBase64Url, getOwn } from '../../std/index.ts';
import type { Transport } from '../types.ts';
import type { CertificatePair } from './execCredential.ts';

/** A certificate (PEM, followed by its chain) and its key, which may be non-extractable. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: CryptoKey;
}

export interface ProofSettings {
  /** The cluster's time, in milliseconds since the epoch. */
  readonly now: () => number | Promise<number>;
  readonly random: { bytes(count: number): Uint8Array };
}

/** Returns the request with a proof in its headers. */
export async function proveRequest(
  request: Request,
  { certificate, key }: ClientCertificate,
  { now, random }: ProofSettings,
): Promise<Request> {
  const nonce = toBase64Url(random.bytes(12));
  const claims: ProofClaims = { ...(await proofBinding(request)), at: await now(), nonce };
  const x5c = decodePem(certificate).flatMap(({ type, der }) => (type === 'CERTIFICATE' ? [toBase64(der)] : []));
  const { alg, signing } = algorithmOf(key);
  const parts = [{ alg, typ: PROOF_TYPE, x5c }, claims].map((part) => toBase64Url(encodeText(JSON.stringify(part))));
  const signed = parts.join('.');
  const signature = new Uint8Array(await crypto.subtle.sign(signing, key, encodeText(signed)));
  const headers = new Headers(request.headers);
  headers.set(PROOF_HEADER, `${signed}.${toBase64Url(signature)}`);
  return new Request(request, { headers });
}

/** A transport that authenticates with the certificate. A request with its own credential keeps it. */
export function certificateTransport(
  transport: Transport,
  certificate: ClientCertificate,
  settings: ProofSettings,
): Transport {
  return async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (headers.has('authorization')) return transport(path, init);
    const proved = await proveRequest(new Request(new URL(path, 'http://cluster.local'), init), certificate, settings);
    headers.set(PROOF_HEADER, proved.headers.get(PROOF_HEADER) ?? '');
    return transport(path, { ...init, headers });
  };
}

const CURVES: Readonly<Record<string, { readonly alg: string; readonly hash: string }>> = {
  'P-256': { alg: 'ES256', hash: 'SHA-256' },
  'P-384': { alg: 'ES384', hash: 'SHA-384' },
  'P-521': { alg: 'ES512', hash: 'SHA-512' },
};

function algorithmOf(key: CryptoKey): { readonly alg: string; readonly signing: AlgorithmIdentifier | EcdsaParams } {
  const curve = 'namedCurve' in key.algorithm ? getOwn(CURVES, String(key.algorithm.namedCurve)) : undefined;
  if (!curve) return { alg: 'RS256', signing: { name: 'RSASSA-PKCS1-v1_5' } };
  return { alg: curve.alg, signing: { name: 'ECDSA', hash: curve.hash } };
}

/** The possible kinds of a private key, most common first. */
const KEY_KINDS: readonly (EcKeyImportParams | RsaHashedImportParams)[] = [
  { name: 'ECDSA', namedCurve: 'P-256' },
  { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  { name: 'ECDSA', namedCurve: 'P-384' },
  { name: 'ECDSA', namedCurve: 'P-521' },
];

/** Imports a plugin's certificate pair; the key becomes non-extractable. Throws if the key is not PKCS#8. */
async function readClientCertificate(pair: CertificatePair): Promise<ClientCertificate> {
  const block = decodePem(pair.key).find(({ type }) => type === 'PRIVATE KEY');
  for (const kind of block ? KEY_KINDS : []) {
    try {
      const key = await crypto.subtle.importKey('pkcs8', block?.der ?? new Uint8Array(), kind, false, ['sign']);
      return { certificate: pair.certificate, key };
    } catch {
      // Not this kind of key: try the next one.
    }
  }
  throw new Error('the client key is no RSA or ECDSA key in PKCS#8');
}

/**
 * The `connect` of `ExecOptions` for requests with certificate proofs. A pair is imported once, when it first occurs.
 */
export function provingConnect(
  transport: Transport,
  settings: ProofSettings,
): (pair: CertificatePair | undefined) => Transport {
  return (pair) => {
    if (!pair) return transport;
    let reading: Promise<ClientCertificate> | undefined;
    return async (path, init) => {
      reading ??= readClientCertificate(pair);
      return certificateTransport(transport, await reading, settings)(path, init);
    };
  };
}
