/** The cluster's own certificates are the bytes that the certificate library makes. */
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createAuthorityFiles,
  exportPrivateKey,
  generateKeys,
  issueCertificate,
  loadX509,
  openAuthority,
  type Authority,
} from '../../src/authn/index.ts';
import { encodePem } from '../../src/authn/x509/pem.ts';
import { x509 } from '../../src/authn/x509/library.ts';
import { seededKeys } from '../../src/authn/x509/seededKeys.ts';
import { manualClock, seededRandom } from '../../src/std/index.ts';

type Given = Parameters<Authority['issue']>;

const HOUR = 3600_000;
const YEAR = 365 * 24 * HOUR;
const server = ['digital signature', 'key encipherment', 'server auth'];
const keyMaker = seededKeys(seededRandom(3));
const { publicKey } = await keyMaker.generate();

const depsAt = (now: number) => ({ clock: manualClock(now), random: seededRandom(8), keyMaker });

describe('a certificate of the own authority', () => {
  it.each<[string, Given[0], Omit<Given[2], 'durationMs'>, number?, number?]>([
    [
      'for a server',
      { commonName: 'apiserver' },
      { usages: server, names: { dns: ['localhost'], ip: ['127.0.0.1', '::1'] } },
    ],
    [
      'for many names',
      { commonName: 'a' },
      { usages: server, names: { dns: Array.from({ length: 30 }, (_, i) => `host-${i}.example`) } },
    ],
    ['without names', { commonName: 'a' }, { usages: server, names: { dns: [], ip: [] } }],
    [
      'for a user',
      { commonName: 'system:admin', organizations: ['system:masters', 'ops'] },
      { usages: ['client auth', 'digital signature'] },
    ],
    [
      'for a user with other letters',
      { commonName: 'jörg@ops*', organizations: ['a_b', ''] },
      { usages: ['client auth'] },
    ],
    ['without usages', { commonName: '' }, { usages: [] }],
    [
      'with the last flag',
      { commonName: 'a' },
      { usages: ['decipher only', 'signing', 'any', 's/mime', 'email protection'] },
    ],
    ['that ends with its authority', { commonName: 'a' }, { usages: server }, Date.UTC(2026, 0, 1), 20 * YEAR],
    ['beyond the years of two digits', { commonName: 'a' }, { usages: server }, Date.UTC(2049, 11, 31)],
    ['in the last century', { commonName: 'a' }, { usages: server }, Date.UTC(1980, 5, 1)],
  ])('%s', async (_, subject, options, now = Date.UTC(2026, 0, 1), durationMs = HOUR) => {
    const files = await createAuthorityFiles('cluster ca', depsAt(now));
    const given: Given = [subject, publicKey, { ...options, durationMs }];
    const made = await issueCertificate(files, depsAt(now), ...given);
    expect(made).toBe(await (await openAuthority(files, depsAt(now))).issue(...given));
    expect(new X509Certificate(made).verify(new X509Certificate(files.certificate).publicKey)).toBe(true);
  });

  it('refuses what the certificate library refuses', async () => {
    const files = await createAuthorityFiles('cluster ca', depsAt(0));
    const issue = (now: number, usages: readonly string[], of = files): Promise<string> =>
      issueCertificate(of, depsAt(now), { commonName: 'a' }, publicKey, { usages, durationMs: HOUR });
    await expect(issue(0, ['cooking'])).rejects.toThrow('unrecognized usage values: ["cooking"]');
    await expect(issue(11 * YEAR, server)).rejects.toThrow('expired in the past');
    await expect(issue(0, server, { ...files, certificate: '' })).rejects.toThrow('holds no certificate');
    await expect(issue(0, server, { ...files, key: '' })).rejects.toThrow('private key');
  });
});

it('an authority with another kind of key signs by the library', async () => {
  await loadX509();
  const now = Date.UTC(2026, 0, 1);
  const { publicKey: open, privateKey } = await generateKeys('RSA');
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=given',
    notBefore: new Date(now),
    notAfter: new Date(now + YEAR),
    keys: { publicKey: open, privateKey },
    signingAlgorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as EcdsaParams,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const pem = encodePem('CERTIFICATE', new Uint8Array(certificate.rawData));
  const files = { certificate: pem, key: await exportPrivateKey(privateKey) };
  const made = await issueCertificate(files, depsAt(now), { commonName: 'a' }, publicKey, {
    usages: server,
    durationMs: HOUR,
  });
  expect(new X509Certificate(made).verify(new X509Certificate(pem).publicKey)).toBe(true);
});
