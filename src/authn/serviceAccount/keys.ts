/** The keys that sign tokens of service accounts, and those that verify them. */
import { CompactSign } from 'jose';
import { encodeText, toBase64Url } from '../../std/index.ts';
import { exportSpki, importPrivateKey, importPublicKeys, publicHalf } from '../x509/keys.ts';

export interface VerifyKey {
  readonly key: CryptoKey;
  readonly id: string;
  /** The only algorithm that the key is ever used with. */
  readonly algorithm: string;
}

export interface SigningKey extends VerifyKey {
  readonly privateKey: CryptoKey;
}

/** Reads the key of `--service-account-signing-key-file` or `--service-account-private-key-file`. */
export async function readSigningKey(pem: string): Promise<SigningKey> {
  const privateKey = await importPrivateKey(pem);
  return { ...(await verifyKey(await publicHalf(privateKey))), privateKey };
}

/** Reads the keys of one `--service-account-key-file`. */
export async function readVerifyKeys(pem: string): Promise<readonly VerifyKey[]> {
  return Promise.all((await importPublicKeys(pem)).map(verifyKey));
}

/** A key is known by the digest of its own encoding, so that signer and verifier agree without being told. */
async function verifyKey(key: CryptoKey): Promise<VerifyKey> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await exportSpki(key)));
  return { key, id: toBase64Url(hash), algorithm: algorithmOf(key) };
}

function algorithmOf(key: CryptoKey): string {
  if (key.algorithm.name !== 'ECDSA') return 'RS256';
  return (
    { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' }[(key.algorithm as EcKeyAlgorithm).namedCurve] ?? 'ES256'
  );
}

/** Signs claims as a compact JWT. */
export function signClaims(key: SigningKey, claims: object): Promise<string> {
  return new CompactSign(encodeText(JSON.stringify(claims)))
    .setProtectedHeader({ alg: key.algorithm, kid: key.id })
    .sign(key.privateKey);
}
