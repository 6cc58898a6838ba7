/**
 * Keys and signatures that follow from a seed, so that the same seed gives the same bytes. Who knows the seed knows the keys:
 * that is what a seed is for, and clusters without one have keys of the platform.
 */
import { encodeText, fromBase64Url, inOneTurn, must, toBase64Url, toHex, type Random } from '../../std/index.ts';
import { platformKeys, type KeyMaker } from './keyMaker.ts';
import { publicCoordinates, scalarFrom, signature, toBytes, toNumber } from './p256.ts';

const CURVE: EcKeyImportParams = { name: 'ECDSA', namedCurve: 'P-256' };

/** Makes elliptic keys only, also where RSA is asked for: to search for its prime numbers takes seconds. */
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
  const { x, y } = publicCoordinates(scalar);
  const open: JsonWebKey = { kty: 'EC', crv: CURVE.namedCurve, x: toBase64Url(x), y: toBase64Url(y) };
  const secret: JsonWebKey = { ...open, d: toBase64Url(toBytes(scalar)) };
  return {
    publicKey: await crypto.subtle.importKey('jwk', open, CURVE, true, ['verify']),
    privateKey: await crypto.subtle.importKey('jwk', secret, CURVE, true, ['sign']),
  };
}

/** Undefined for a key of another kind, such as one that was given: RSA signs the same way every time, other curves don't. */
async function scalarOf(key: CryptoKey): Promise<bigint | undefined> {
  if ((key.algorithm as EcKeyAlgorithm).namedCurve !== CURVE.namedCurve || !key.extractable) return undefined;
  const { d = '' } = await crypto.subtle.exportKey('jwk', key);
  return toNumber(must(fromBase64Url(d), 'a private key of this curve has 32 bytes'));
}

/** The nonce follows from key and content, so that no two contents share one. */
async function signWith(scalar: bigint, content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  const seed = encodeText(`nonce ${toHex(toBytes(scalar))} ${toHex(digest)}`);
  const nonce = scalarFrom(new Uint8Array(await crypto.subtle.digest('SHA-512', seed)));
  return signature(scalar, digest, nonce);
}
