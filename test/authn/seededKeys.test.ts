/** Keys that follow from a seed are good keys: the platform, which knows nothing of the seed, verifies what they sign. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { exportPrivateKey, generateKeys } from '../../src/authn/index.ts';
import { platformCoordinates, publicCoordinates, scalarFrom, signature } from '../../src/authn/x509/p256.ts';
import { seededKeys } from '../../src/authn/x509/seededKeys.ts';
import { encodeText, seededRandom, toHex } from '../../src/std/index.ts';

const ECDSA = { name: 'ECDSA', hash: 'SHA-256' };

test.each([
  // Points of the curve from NIST's and RFC 6979's examples.
  [1n, '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'],
  [2n, '7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978'],
  [
    0xc9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721n,
    '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6',
  ],
])('the public half of %s', (scalar, x) => {
  expect(toHex(publicCoordinates(scalar).x)).toBe(x);
});

test('the platform finds the same public half', async () => {
  const bytes = fc.uint8Array({ minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(bytes, async (random) => {
      const scalar = scalarFrom(random);
      expect(await platformCoordinates(scalar)).toEqual(publicCoordinates(scalar));
    }),
    { numRuns: 20, examples: [[new Uint8Array(40)]] },
  );
});

test('a platform that does not read private keys without their public half is not needed', async () => {
  const refusing = vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error('DataError'));
  expect(await platformCoordinates(5n)).toEqual(publicCoordinates(5n));
  refusing.mockRestore();
});

test('the signature of RFC 6979, A.2.5, from its nonce', async () => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encodeText('sample')));
  const scalar = 0xc9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721n;
  const nonce = 0xa6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60n;
  expect(toHex(await signature(scalar, digest, nonce))).toBe(
    'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716' +
      'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
  );
});

test('WebCrypto verifies the signatures of a seeded key, and signing twice gives the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.string(), async (seed, text) => {
      const [keys, again] = [seededKeys(seededRandom(seed)), seededKeys(seededRandom(seed))];
      const [pair, same] = [await keys.generate('RSA'), await again.generate()];
      const content = encodeText(text);
      const signed = await keys.sign(pair.privateKey, content);
      expect(await crypto.subtle.verify(ECDSA, pair.publicKey, signed, content)).toBe(true);
      expect(await again.sign(same.privateKey, content)).toEqual(signed);
      expect(await exportPrivateKey(same.privateKey)).toBe(await exportPrivateKey(pair.privateKey));
    }),
    { numRuns: 15 },
  );
});

test('given keys sign as before', async () => {
  const { privateKey, publicKey } = await generateKeys('RSA');
  const content = encodeText('a token');
  const signed = await seededKeys(seededRandom(1)).sign(privateKey, content);
  expect(await crypto.subtle.verify('RSASSA-PKCS1-v1_5', publicKey, signed, content)).toBe(true);
});
