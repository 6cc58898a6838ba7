/**
 * Arithmetic on the curve P-256 (FIPS 186-4, D.1.2.3), for keys and signatures derived from a seed, because the
 * platform's are random. It is not constant-time, so it must not be used for secrets; keys from a seed are not secret.
 */

import { fromBase64Url, must } from '../../std/index.ts';

/** The size in bytes of a number, of a coordinate, and of half a signature. */
const SIZE = 32;

const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
/** The number of points. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** A point as (x/z², y/z³), which avoids divisions; z is 0 for the point at infinity. */
interface Jacobian extends Point {
  readonly z: bigint;
}

const G: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};

/** A private key from at least 40 random bytes, so that all keys are practically equally likely. */
export function scalarFrom(bytes: Uint8Array): bigint {
  return (toNumber(bytes) % (N - 1n)) + 1n;
}

interface Coordinates {
  readonly x: Uint8Array;
  readonly y: Uint8Array;
}

/** The coordinates of a private key's public point. */
export function publicCoordinates(scalar: bigint): Coordinates {
  const { x, y } = timesG(scalar);
  return { x: toBytes(x), y: toBytes(y) };
}

/** PKCS#8 of a private key on this curve without its public half, up to the key. */
const PRIVATE_KEY = [
  ...[0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01],
  ...[0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20],
];

/** The same, a hundred times faster where the platform reads a private key without its public half. */
export async function platformCoordinates(scalar: bigint): Promise<Coordinates> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const file = Uint8Array.from([...PRIVATE_KEY, ...toBytes(scalar)]);
  try {
    const key = await crypto.subtle.importKey('pkcs8', file, algorithm, true, ['sign']);
    const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', key);
    return { x: coordinate(x), y: coordinate(y) };
  } catch {
    return publicCoordinates(scalar);
  }
}

const coordinate = (text: string): Uint8Array => must(fromBase64Url(text), 'the platform writes base64url');

/**
 * The ECDSA signature of a SHA-256 digest: both halves concatenated. `nonce` comes from `scalarFrom` and is never used
 * with another digest.
 */
export async function signature(scalar: bigint, digest: Uint8Array, nonce: bigint): Promise<Uint8Array<ArrayBuffer>> {
  const r = modulo(toNumber((await platformCoordinates(nonce)).x), N);
  const s = modulo(inverse(nonce, N) * (toNumber(digest) + r * scalar), N);
  const pair = new Uint8Array(2 * SIZE);
  pair.set(toBytes(r));
  pair.set(toBytes(s), SIZE);
  return pair;
}

export function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

export function toBytes(number: bigint): Uint8Array<ArrayBuffer> {
  const digits = number.toString(16).padStart(2 * SIZE, '0');
  return Uint8Array.from({ length: SIZE }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

/** Double-and-add, from the highest bit down. */
function timesG(scalar: bigint): Point {
  let sum: Jacobian = { x: 0n, y: 1n, z: 0n };
  for (const bit of scalar.toString(2)) {
    sum = doubled(sum);
    if (bit === '1') sum = plusG(sum);
  }
  const z = inverse(sum.z, P);
  const square = modulo(z * z, P);
  return { x: modulo(sum.x * square, P), y: modulo(sum.y * square * z, P) };
}

function doubled({ x, y, z }: Jacobian): Jacobian {
  const delta = modulo(z * z, P);
  const gamma = modulo(y * y, P);
  const beta = modulo(x * gamma, P);
  const alpha = modulo(3n * (x - delta) * (x + delta), P);
  const x3 = modulo(alpha * alpha - 8n * beta, P);
  return {
    x: x3,
    y: modulo(alpha * (4n * beta - x3) - 8n * gamma * gamma, P),
    z: modulo((y + z) * (y + z) - gamma - delta, P),
  };
}

function plusG(point: Jacobian): Jacobian {
  const { x, y, z } = point;
  if (z === 0n) return { ...G, z: 1n };
  const square = modulo(z * z, P);
  const h = modulo(G.x * square - x, P);
  const r = modulo(G.y * square * z - y, P);
  if (h === 0n) return r === 0n ? doubled(point) : { x: 0n, y: 1n, z: 0n };
  const h2 = modulo(h * h, P);
  const h3 = modulo(h2 * h, P);
  const x3 = modulo(r * r - h3 - 2n * x * h2, P);
  return { x: x3, y: modulo(r * (x * h2 - x3) - y * h3, P), z: modulo(z * h, P) };
}

const modulo = (number: bigint, by: bigint): bigint => ((number % by) + by) % by;

/** Uses the extended Euclidean algorithm; `number` is not 0. */
function inverse(number: bigint, by: bigint): bigint {
  let [a, b, u, v] = [modulo(number, by), by, 1n, 0n];
  while (a > 1n) {
    const quotient = b / a;
    [a, b, u, v] = [b - quotient * a, a, v - quotient * u, u];
  }
  return modulo(u, by);
}
