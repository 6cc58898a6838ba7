import { proveRequest } from '../../src/client/index.ts';
import { describe, expect, it } from 'vitest';
import {
  certificateVerifier,
  readCertificate,
  usageNames,
  pemBodies,
  generateKeys,
  readSigningRequest,
  decodePem,
} from '../../src/authn/index.ts';
import { x509 } from '../../src/authn/x509/library.ts';
import { PROOF_HEADER } from '../../src/schema/index.ts';
import { manualClock, seededRandom } from '../../src/std/index.ts';
import { authority, chain, client, DAY_MS, get, shown } from './helpers.ts';

const clock = manualClock();
const own = await authority('own', clock);
const other = await authority('other', clock);
const alice = await client(own, 'alice', ['dev', 'ops']);

describe('client certificates over a connection', () => {
  it.each<[string, () => Promise<readonly Uint8Array[]>, number, string]>([
    ['name a user and its groups', async () => alice.ders, 0, 'alice [dev, ops, system:authenticated]'],
    ['without groups', async () => (await client(own, 'bob')).ders, 0, 'bob [system:authenticated]'],
    ['of an unknown authority', async () => (await client(other, 'alice')).ders, 0, 'refused'],
    ['that have ended', async () => alice.ders, DAY_MS + 1000, 'refused'],
    ['that have not begun', async () => alice.ders, -3600_000, 'refused'],
    ['for servers only', async () => (await client(own, 'alice', [], ['server auth'])).ders, 0, 'refused'],
    ['for anything', async () => (await client(own, 'alice', [], ['any'])).ders, 0, 'alice [system:authenticated]'],
    [
      'without a name',
      async () => (await client(own, '', ['dev'])).ders,
      0,
      'system:anonymous [system:unauthenticated]',
    ],
    ['that are none', async () => [new Uint8Array([1, 2, 3])], 0, 'refused'],
  ])('%s', async (_what, ders, after, expected) => {
    const at = manualClock(clock.now() + after);
    const { authenticate } = chain({ clock: at, clientCA: own.certificatePem });
    expect(shown(await authenticate(get(), { certificates: await ders() }))).toBe(expected);
  });

  it('are used unless a valid token is given, and precede anonymous', async () => {
    const { authenticate } = chain({ clock, clientCA: own.certificatePem, tokenFile: 'good,carol,1' });
    const { ders } = await client(other, 'mallory');
    expect(shown(await authenticate(get('good'), { certificates: ders }))).toBe('carol [system:authenticated]');
    expect(shown(await authenticate(get(), { certificates: ders }))).toBe('refused');
  });
});

describe('chains of certificates', () => {
  const issue = async (
    subject: string,
    issuer: string,
    publicKey: CryptoKey,
    signingKey: CryptoKey,
    isCA: boolean,
    pathLength?: number,
  ) =>
    new Uint8Array(
      (
        await x509.X509CertificateGenerator.create({
          subject,
          issuer,
          publicKey,
          signingKey,
          notBefore: new Date(clock.now() - 1000),
          notAfter: new Date(clock.now() + DAY_MS),
          signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
          extensions: isCA
            ? [
                new x509.BasicConstraintsExtension(true, pathLength, true),
                new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
              ]
            : [new x509.BasicConstraintsExtension(false)],
        })
      ).rawData,
    );

  it.each<[string, boolean, number | undefined, boolean, boolean]>([
    ['reach the anchor through an authority', true, undefined, true, true],
    ['not without the certificate between', true, undefined, false, false],
    ['not through a certificate that is no authority', false, undefined, true, false],
    ['within the length that the root allows', true, 0, true, true],
  ])('%s', async (_what, middleIsCA, pathLength, sendMiddle, valid) => {
    const [root, middle, leaf] = await Promise.all([generateKeys(), generateKeys(), generateKeys()]);
    const rootDer = await issue('CN=root', 'CN=root', root.publicKey, root.privateKey, true);
    const middleDer = await issue('CN=middle', 'CN=root', middle.publicKey, root.privateKey, middleIsCA, pathLength);
    const leafDer = await issue('CN=leaf', 'CN=middle', leaf.publicKey, middle.privateKey, false);
    const pem = new x509.X509Certificate(rootDer).toString('pem');
    const verified = await certificateVerifier(pem, clock).verify(
      sendMiddle ? [leafDer, middleDer] : [leafDer],
      'client',
    );
    expect(verified.ok).toBe(valid);
  });

  it('are not longer than an authority allows', async () => {
    const [root, first, second, leaf] = await Promise.all([
      generateKeys(),
      generateKeys(),
      generateKeys(),
      generateKeys(),
    ]);
    const rootDer = await issue('CN=root', 'CN=root', root.publicKey, root.privateKey, true, 0);
    const firstDer = await issue('CN=first', 'CN=root', first.publicKey, root.privateKey, true);
    const secondDer = await issue('CN=second', 'CN=first', second.publicKey, first.privateKey, true);
    const leafDer = await issue('CN=leaf', 'CN=second', leaf.publicKey, second.privateKey, false);
    const pem = new x509.X509Certificate(rootDer).toString('pem');
    expect(await certificateVerifier(pem, clock).verify([leafDer, secondDer, firstDer], 'client')).toMatchObject({
      ok: false,
      why: 'x509: too many intermediates for path length constraint',
    });
  });
});

describe('proof of possession in a tab', () => {
  const authenticate = (request: Request) => chain({ clock, clientCA: own.certificatePem }).authenticate(request);
  const signed = (request: Request, as = alice, now = clock.now()) =>
    proveRequest(request, { certificate: as.pem, key: as.key }, { now: () => now, random: seededRandom(1) });
  const post = (body: string): Request =>
    new Request('https://cluster.test/api/v1/pods?dryRun=All', { method: 'POST', body });

  it('stands for the handshake', async () => {
    expect(shown(await authenticate(await signed(get())))).toBe('alice [dev, ops, system:authenticated]');
    expect(shown(await authenticate(await signed(post('{}'))))).toBe('alice [dev, ops, system:authenticated]');
  });

  it('leaves the body readable', async () => {
    const request = await signed(post('{"a":1}'));
    await authenticate(request);
    expect(await request.json()).toEqual({ a: 1 });
  });

  it.each<[string, () => Promise<Request>]>([
    [
      'with a key that is not the certificate’s',
      async () => signed(get(), { ...alice, key: (await generateKeys()).privateKey }),
    ],
    ['of an unknown authority', async () => signed(get(), await client(other, 'alice'))],
    [
      'moved to another path',
      async () => new Request('https://cluster.test/apis', { headers: (await signed(get())).headers }),
    ],
    [
      'moved to another method',
      async () => new Request('https://cluster.test/api', { method: 'DELETE', headers: (await signed(get())).headers }),
    ],
    [
      'moved to another body',
      async () => new Request(post('{"changed":true}'), { headers: (await signed(post('{}'))).headers }),
    ],
    ['made too long ago', () => signed(get(), alice, clock.now() - 120_000)],
    [
      'without a signature',
      async () =>
        get(undefined, {
          [PROOF_HEADER]: String((await signed(get())).headers.get(PROOF_HEADER)).replace(/[^.]+$/, ''),
        }),
    ],
    [
      'with alg none',
      async () =>
        get(undefined, {
          [PROOF_HEADER]: `${btoa(JSON.stringify({ alg: 'none', typ: 'client-proof+jwt', x5c: [btoa('x')] }))}.e30.`,
        }),
    ],
  ])('%s is refused', async (_what, make) => {
    expect(shown(await authenticate(await make()))).toBe('refused');
  });

  it('is accepted once', async () => {
    const { authenticate: same } = chain({ clock, clientCA: own.certificatePem });
    const request = await signed(get());
    expect(shown(await same(request))).toBe('alice [dev, ops, system:authenticated]');
    expect(shown(await same(new Request(request)))).toBe('refused');
  });
});

describe('identity in headers', () => {
  const options = {
    clientCA: own.certificatePem,
    allowedNames: ['proxy'],
    usernameHeaders: ['X-Remote-User'],
    groupHeaders: ['X-Remote-Group'],
    extraHeaderPrefixes: ['X-Remote-Extra-'],
  };
  const headers = { 'X-Remote-User': 'zoe', 'X-Remote-Group': 'g1', 'X-Remote-Extra-Scopes%2fx': 'read' };
  const ask = async (certificates: readonly Uint8Array[], sent: Record<string, string> = headers) =>
    chain({ clock, clientCA: other.certificatePem, requestHeader: options }).authenticate(get(undefined, sent), {
      certificates,
    });

  it('is accepted from a proxy with a valid certificate', async () => {
    const answer = await ask((await client(own, 'proxy')).ders);
    expect([shown(answer), answer.user?.extra]).toEqual(['zoe [g1, system:authenticated]', { 'scopes/x': ['read'] }]);
  });

  it.each<[string, () => Promise<readonly Uint8Array[]>, string]>([
    ['a proxy with another name', async () => (await client(own, 'impostor')).ders, 'refused'],
    ['a proxy of another authority', async () => (await client(other, 'proxy')).ders, 'proxy [system:authenticated]'],
    ['no proxy at all', async () => [], 'system:anonymous [system:unauthenticated]'],
  ])('from %s is ignored', async (_what, ders, expected) => {
    expect(shown(await ask(await ders()))).toBe(expected);
  });

  it('without a user is ignored', async () => {
    expect(shown(await ask((await client(other, 'plain')).ders, {}))).toBe('plain [system:authenticated]');
  });
});

describe('signing', () => {
  const request = async (subject: string, extensions: InstanceType<typeof x509.Extension>[] = []) => {
    const keys = await generateKeys();
    const made = await x509.Pkcs10CertificateRequestGenerator.create({
      name: subject,
      keys,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions,
    });
    return readSigningRequest(new Uint8Array(made.rawData));
  };

  it('uses subject and alternative names, adds usages, and never creates a CA', async () => {
    const names = new x509.SubjectAlternativeNameExtension([
      { type: 'dns', value: 'node-1' },
      { type: 'ip', value: '10.0.0.1' },
    ]);
    const asked = await request('O=system:nodes,CN=system:node:node-1', [
      names,
      new x509.BasicConstraintsExtension(true, undefined, true),
    ]);
    expect(asked).toMatchObject({
      commonName: 'system:node:node-1',
      organizations: ['system:nodes'],
      altNames: { dns: ['node-1'], ip: ['10.0.0.1'] },
    });
    const pem = await own.sign(asked, {
      usages: ['digital signature', 'key encipherment', 'server auth'],
      durationMs: DAY_MS,
    });
    const made = await readCertificate(pemBodies(pem, 'CERTIFICATE')[0] ?? new Uint8Array());
    expect(made).toMatchObject({
      commonName: 'system:node:node-1',
      organizations: ['system:nodes'],
      isCA: false,
      issuer: 'CN=own',
      altNames: { dns: ['node-1'], ip: ['10.0.0.1'] },
    });
    expect(usageNames(made.keyUsage, made.extendedKeyUsage)).toEqual([
      'digital signature',
      'key encipherment',
      'server auth',
    ]);
    expect(made.notAfter - clock.now()).toBe(DAY_MS);
    expect(
      (
        await certificateVerifier(own.certificatePem, clock).verify(
          [new Uint8Array(made.certificate.rawData)],
          'server',
        )
      ).ok,
    ).toBe(true);
  });

  it('never outlives the CA', async () => {
    const pem = await own.sign(await request('CN=x'), { usages: ['client auth'], durationMs: 100 * 365 * DAY_MS });
    const made = await readCertificate(pemBodies(pem, 'CERTIFICATE')[0] ?? new Uint8Array());
    expect(made.notAfter).toBe(own.certificate.notAfter);
  });

  it('lists each purpose once, in a fixed order', async () => {
    const usages = ['s/mime', 'server auth', 'email protection', 'any', 'microsoft sgc', 'crl sign', 'signing'];
    const pem = await own.sign(await request('CN=x'), { usages, durationMs: DAY_MS });
    const made = await readCertificate(pemBodies(pem, 'CERTIFICATE')[0] ?? new Uint8Array());
    expect(usageNames(made.keyUsage, made.extendedKeyUsage)).toEqual([
      'digital signature',
      'crl sign',
      'any',
      'server auth',
      'email protection',
      'microsoft sgc',
    ]);
  });

  it('refuses unknown usages', async () => {
    await expect(own.sign(await request('CN=x'), { usages: ['world domination'], durationMs: DAY_MS })).rejects.toThrow(
      'unrecognized usage values: ["world domination"]',
    );
  });

  it('reads PEM as it comes', () => {
    const body = btoa('hello');
    expect(
      decodePem(
        `text\n-----BEGIN A-----\n${body}\n-----END A-----\nmore\n-----BEGIN B-----\nX: y\n\n${body}\n-----END B-----\n`,
      ).map(({ type, hasHeaders }) => [type, hasHeaders]),
    ).toEqual([
      ['A', false],
      ['B', true],
    ]);
  });
});
