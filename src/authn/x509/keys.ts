/** Key pairs of the platform, and their files. */
import { decodePem, encodePem } from './pem.ts';

export type KeyKind = 'EC' | 'RSA';

const GENERATE: Readonly<Record<KeyKind, EcKeyGenParams | RsaHashedKeyGenParams>> = {
  EC: { name: 'ECDSA', namedCurve: 'P-256' },
  RSA: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
};

/** The possible kinds of a private key, most common first. */
const IMPORTS: readonly (EcKeyImportParams | RsaHashedImportParams)[] = [
  { name: 'ECDSA', namedCurve: 'P-256' },
  { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  { name: 'ECDSA', namedCurve: 'P-384' },
  { name: 'ECDSA', namedCurve: 'P-521' },
];

/** An invalid key file. */
class KeyError extends Error {
  override name = 'KeyError';
}

/** The default is an elliptic curve, because an RSA key takes up to a quarter of a second. */
export async function generateKeys(kind: KeyKind = 'EC'): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey(GENERATE[kind], true, ['sign', 'verify'])) as CryptoKeyPair;
}

export async function exportPrivateKey(key: CryptoKey): Promise<string> {
  return encodePem('PRIVATE KEY', new Uint8Array(await crypto.subtle.exportKey('pkcs8', key)));
}

export async function exportPublicKey(key: CryptoKey): Promise<string> {
  return encodePem('PUBLIC KEY', await exportSpki(key));
}

export async function exportSpki(key: CryptoKey): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.exportKey('spki', key));
}

/** Reads the first private key of a PEM text: PKCS#8, or the older formats for RSA and EC. Throws KeyError. */
export async function importPrivateKey(pem: string): Promise<CryptoKey> {
  for (const block of decodePem(pem)) {
    const der = block.type === 'PRIVATE KEY' ? block.der : wrapOldForm(block.type, block.der);
    const key = der && (await tryImport('pkcs8', der, ['sign']));
    if (key) return key;
  }
  throw new KeyError('data does not contain a valid RSA or ECDSA private key');
}

/** All public keys of a PEM text, including those of private keys. Throws KeyError if there are none. */
export async function importPublicKeys(pem: string): Promise<readonly CryptoKey[]> {
  const keys: CryptoKey[] = [];
  for (const block of decodePem(pem)) {
    if (block.type === 'PUBLIC KEY') {
      const key = await tryImport('spki', block.der, ['verify']);
      if (key) keys.push(key);
    } else if (block.type.endsWith('PRIVATE KEY')) {
      keys.push(await publicHalf(await importPrivateKey(encodePem(block.type, block.der))));
    }
  }
  if (keys.length === 0) throw new KeyError('data does not contain any valid RSA or ECDSA public keys');
  return keys;
}

/** The public key of a private key. */
export async function publicHalf(key: CryptoKey): Promise<CryptoKey> {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...open } = await crypto.subtle.exportKey('jwk', key);
  return crypto.subtle.importKey('jwk', { ...open, key_ops: ['verify'] }, key.algorithm as EcKeyImportParams, true, [
    'verify',
  ]);
}

async function tryImport(
  format: 'pkcs8' | 'spki',
  der: Uint8Array<ArrayBuffer>,
  usages: KeyUsage[],
): Promise<CryptoKey | undefined> {
  for (const algorithm of IMPORTS) {
    try {
      return await crypto.subtle.importKey(format, der, algorithm, true, usages);
    } catch {
      // Not this kind of key: try the next one.
    }
  }
  return undefined;
}

const RSA_ENCRYPTION = [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];
const EC_P256 = [
  0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03,
  0x01, 0x07,
];

/** The platform reads only PKCS#8; the older formats are its inner part, so they are wrapped. */
function wrapOldForm(type: string, der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const algorithm = type === 'RSA PRIVATE KEY' ? RSA_ENCRYPTION : type === 'EC PRIVATE KEY' ? EC_P256 : undefined;
  return algorithm && tlv(0x30, [0x02, 0x01, 0x00, ...algorithm, ...tlv(0x04, [...der])]);
}

function tlv(tag: number, content: readonly number[]): Uint8Array<ArrayBuffer> {
  const n = content.length;
  const length = n < 0x80 ? [n] : n < 0x100 ? [0x81, n] : [0x82, n >> 8, n & 0xff];
  return Uint8Array.from([tag, ...length, ...content]);
}
