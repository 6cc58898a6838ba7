/** The certificate of a new authority is what a library would have made: two readers of certificates agree on it. */
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  certificateVerifier,
  createAuthorityFiles,
  openAuthority,
  pemBodies,
  readCertificate,
} from '../../src/authn/index.ts';
import { manualClock, seededRandom } from '../../src/std/index.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

const filesAt = (now: number, name = 'cluster-ca'): ReturnType<typeof createAuthorityFiles> =>
  createAuthorityFiles(name, { clock: manualClock(now), random: seededRandom(7) });

describe('a new authority', () => {
  it.each([
    ['in this century', START],
    ['beyond the years of two digits', Date.UTC(2049, 11, 31)],
    ['as early as clocks begin', 0],
  ])('has a CA certificate with the expected contents, %s', async (_, now) => {
    const { certificate, key } = await filesAt(now);
    const [der] = pemBodies(certificate, 'CERTIFICATE');
    expect(await readCertificate(der as Uint8Array)).toMatchObject({
      commonName: 'cluster-ca',
      subject: 'CN=cluster-ca',
      issuer: 'CN=cluster-ca',
      notBefore: now - 5 * MINUTE,
      notAfter: now + 10 * YEAR,
      isCA: true,
      keyUsage: 1 | 4 | 32,
      extendedKeyUsage: undefined,
    });
    const read = new X509Certificate(certificate);
    expect(read.ca).toBe(true);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(key).toContain('PRIVATE KEY');
  });

  it('issues certificates that its verifier accepts', async () => {
    const clock = manualClock(START);
    const files = await filesAt(START, 'ä authority');
    const authority = await openAuthority(files, { clock, random: seededRandom(8) });
    const keys = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ])) as CryptoKeyPair;
    const pem = await authority.issue({ commonName: 'someone' }, keys.publicKey, {
      usages: ['client auth'],
      durationMs: MINUTE,
    });
    const verdict = await certificateVerifier(files.certificate, clock).verify(pemBodies(pem, 'CERTIFICATE'), 'client');
    expect(verdict).toMatchObject({ ok: true, leaf: { commonName: 'someone' } });
    expect(new X509Certificate(pem).checkIssued(new X509Certificate(files.certificate))).toBe(true);
  });
});
