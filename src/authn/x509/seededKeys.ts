/**
 * Keys and signatures derived from a seed, so that the same seed gives the same bytes. Everybody who knows the seed
 * knows the keys, which is intended; clusters without a seed use the platform's keys.
 */
import { encodeText, fromBase64Url, inOneTurn, must, toBase64Url, toHex, type Random } from '../../std/index.ts';
import { platformKeys, type KeyMaker } from './keyMaker.ts';
import { platformCoordinates, scalarFrom, signature, toBytes, toNumber } from './p256.ts';

const CURVE: EcKeyImportParams = { name: 'ECDSA', namedCurve: 'P-256' };

/** Creates only elliptic keys, even if RSA is requested, because searching for primes takes seconds. */
export function seededKeys(random: Random): KeyMaker {
  return {
    generate: () => inOneTurn(() => keyPair(scalarFrom(random.bytes(40)))),
    sign: async (key, content) => {
      const scalar = await inOneTurn(() => scalarOf(key));
      return scalar === undefined ? platformKeys.sign(key, content) : inOneTurn(() => signWith(scalar, content));
    },
  };
}

async function keyPair(scalar: bigint): Promise<CryptoKeyPair> {
  const { x, y } = await platformCoordinates(scalar);
  const open: JsonWebKey = { kty: 'EC', crv: CURVE.namedCurve, x: toBase64Url(x), y: toBase64Url(y) };
  const secret: JsonWebKey = { ...open, d: toBase64Url(toBytes(scalar)) };
  return {
    publicKey: await crypto.subtle.importKey('jwk', open, CURVE, true, ['verify']),
    privateKey: await crypto.subtle.importKey('jwk', secret, CURVE, true, ['sign']),
  };
}

/**
 * Undefined for a key of another kind, such as a given one: RSA signatures are deterministic, and other curves are not
 * supported.
 */
async function scalarOf(key: CryptoKey): Promise<bigint | undefined> {
  if ((key.algorithm as EcKeyAlgorithm).namedCurve !== CURVE.namedCurve || !key.extractable) return undefined;
  const { d = '' } = await crypto.subtle.exportKey('jwk', key);
  return toNumber(must(fromBase64Url(d), 'a private key of this curve has 32 bytes'));
}

/** The nonce is derived from key and content, so that different contents have different nonces. */
async function signWith(scalar: bigint, content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  const seed = encodeText(`nonce ${toHex(toBytes(scalar))} ${toHex(digest)}`);
  const nonce = scalarFrom(new Uint8Array(await crypto.subtle.digest('SHA-512', seed)));
  return signature(scalar, digest, nonce);
}
