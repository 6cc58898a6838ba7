/** The keys that sign and verify service account tokens. */
import { encodeText, inOneTurn, toBase64Url } from '../../std/index.ts';
import { platformKeys, type KeyMaker } from '../x509/keyMaker.ts';
import { exportSpki, importPrivateKey, importPublicKeys, publicHalf } from '../x509/keys.ts';

export interface VerifyKey {
  readonly key: CryptoKey;
  readonly id: string;
  /** The only algorithm that the key is used with. */
  readonly algorithm: string;
}

export interface SigningKey extends VerifyKey {
  sign(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

/** Reads the key of `--service-account-signing-key-file` or `--service-account-private-key-file`. */
export async function readSigningKey(pem: string, keys: KeyMaker = platformKeys): Promise<SigningKey> {
  return inOneTurn(async () => {
    const privateKey = await importPrivateKey(pem);
    return { ...(await verifyKey(await publicHalf(privateKey))), sign: (content) => keys.sign(privateKey, content) };
  });
}

/** Reads the keys of one `--service-account-key-file`. */
export async function readVerifyKeys(pem: string): Promise<readonly VerifyKey[]> {
  return Promise.all((await importPublicKeys(pem)).map(verifyKey));
}

/** A key's id is the digest of its encoding, so that signer and verifier agree without configuration. */
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

/** Signs claims as a compact JWT (RFC 7515, 3.1). */
export async function signClaims(key: SigningKey, claims: object): Promise<string> {
  const part = (value: object): string => toBase64Url(encodeText(JSON.stringify(value)));
  const content = `${part({ alg: key.algorithm, kid: key.id })}.${part(claims)}`;
  return `${content}.${toBase64Url(await key.sign(encodeText(content)))}`;
}
