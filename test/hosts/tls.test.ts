/** Real TLS: the handshake proves client certificates, and authentication says what they are worth. */
import { generateKeyPairSync } from 'node:crypto';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createAuthorityFiles,
  exportPrivateKey,
  generateKeys,
  openAuthority,
  type Authority,
} from '../../src/authn/index.ts';
import { readArguments, UsageError } from '../../src/hosts/node/arguments.ts';
import { serve, type Served } from '../../src/hosts/node/index.ts';
import { realClock, seededRandom } from '../../src/std/index.ts';

const deps = { clock: realClock(1), random: seededRandom('tls') };
const HOUR_MS = 3600_000;

interface Pair {
  readonly cert: string;
  readonly key: string;
}

async function pair(by: Authority, commonName: string, usages: readonly string[] = ['client auth']): Promise<Pair> {
  const keys = await generateKeys();
  const subject = { commonName, organizations: ['dev'] };
  const names = { dns: ['localhost'], ip: ['127.0.0.1'] };
  const cert = await by.issue(subject, keys.publicKey, { usages, durationMs: HOUR_MS, names });
  return { cert, key: await exportPrivateKey(keys.privateKey) };
}

interface Got {
  readonly status: number;
  readonly body: { readonly message?: string; readonly items?: readonly unknown[] };
}

function ask(url: string, path: string, ca: string, client?: Partial<Pair>, headers = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { ca, ...client, agent: false, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Got['body'];
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const PODS = '/api/v1/namespaces/default/pods';
const caFiles = await createAuthorityFiles('clients', deps);
const clients = await openAuthority(caFiles, deps);
const strangers = await openAuthority(await createAuthorityFiles('clients', deps), deps);

describe('a cluster that serves TLS by its own authority', () => {
  let served: Served;
  let folder: string;
  let ca: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tls-'));
    const caFile = join(folder, 'ca.crt');
    served = await serve({
      port: 0,
      host: '127.0.0.1',
      tls: true,
      caFile,
      cluster: {
        name: 'tls',
        naming: 'k8s.io',
        apiserver: ['--authorization-mode=RBAC', '--client-ca-file=clients.crt', '--token-auth-file=tokens.csv'],
        files: { 'clients.crt': caFiles.certificate, 'tokens.csv': 'secret,admin,1,system:masters\n' },
      },
    });
    ca = await readFile(caFile, 'utf8');
  });

  afterAll(async () => {
    await served.close();
    await rm(folder, { recursive: true });
  });

  test('shows a certificate for its address that its authority signed', async () => {
    expect(served.url).toMatch(/^https:/);
    expect(ca).toBe(served.authority);
    expect((await ask(served.url, '/version', ca)).status).toBe(200);
    expect((await ask(served.url.replace('127.0.0.1', 'localhost'), '/version', ca)).status).toBe(200);
    await expect(ask(served.url, '/version', caFiles.certificate)).rejects.toThrow();
  });

  test('tells a client that speaks HTTP without TLS what is wrong', async () => {
    const answer = await fetch(served.url.replace('https:', 'http:') + PODS);
    expect([answer.status, await answer.text()]).toEqual([400, 'Client sent an HTTP request to an HTTPS server.\n']);
    expect((await ask(served.url, '/version', ca)).status).toBe(200);
  });

  test('takes a client that proves nothing as anonymous, and a token as always', async () => {
    const { status, body } = await ask(served.url, PODS, ca);
    expect([status, body.message]).toEqual([403, expect.stringContaining('User "system:anonymous" cannot list')]);
    expect((await ask(served.url, PODS, ca, {}, { authorization: 'Bearer secret' })).status).toBe(200);
  });

  test('takes the certificate of a client as its user', async () => {
    const { status, body } = await ask(served.url, PODS, ca, await pair(clients, 'jane'));
    expect([status, body.message]).toEqual([403, expect.stringContaining('User "jane" cannot list resource "pods"')]);
    const admin = await clients.issue(
      { commonName: 'root', organizations: ['system:masters'] },
      (await generateKeys()).publicKey,
      { usages: ['client auth'], durationMs: HOUR_MS },
    );
    // A certificate is worth nothing without its key.
    await expect(ask(served.url, PODS, ca, { cert: admin, key: (await pair(clients, 'x')).key })).rejects.toThrow(
      /key values mismatch/,
    );
  });

  test.each([
    ['another authority of the same name', () => pair(strangers, 'jane')],
    ['a certificate for servers', () => pair(clients, 'jane', ['server auth'])],
  ])('refuses %s', async (_what, make) => {
    expect((await ask(served.url, PODS, ca, await make())).status).toBe(401);
  });
});

test('flags name another certificate to serve with', async () => {
  const serving = await pair(clients, 'server', ['server auth']);
  const options = readArguments(
    ['--port', '0', '--config', 'c', '--tls-cert-file', 's.crt', '--tls-private-key-file', 's.key'],
    () => JSON.stringify({ name: 'own', files: { 's.crt': serving.cert, 's.key': serving.key } }),
  );
  const served = await serve(options);
  try {
    expect(served.authority).toBeUndefined();
    expect((await ask(served.url, '/version', caFiles.certificate)).status).toBe(401);
  } finally {
    await served.close();
  }
});

/** A key under a passphrase, as a CA tool may give it out. */
const encrypted = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'secret' },
}).privateKey;

test.each([
  ['is encrypted', encrypted, 'the key is encrypted; use a key without a passphrase'],
  ['is no key', 'junk', 'it holds no certificate or key in PEM'],
  ['is of another certificate', (await pair(clients, 'other')).key, 'the key does not belong to the certificate'],
])('does not serve with a key that %s, and says so', async (_what, key, why) => {
  const files = { 's.crt': (await pair(clients, 'server', ['server auth'])).cert, 's.key': key };
  const cluster = { name: 'own', apiserver: ['--tls-cert-file=s.crt', '--tls-private-key-file=s.key'], files };
  await expect(serve({ port: 0, host: '127.0.0.1', tls: true, cluster })).rejects.toThrow(
    `--tls-cert-file s.crt, --tls-private-key-file s.key: ${why}`,
  );
});

test.each([
  [
    { apiserver: ['--tls-cert-file=s.crt'], files: { 's.crt': 'x' } },
    /--tls-cert-file and --tls-private-key-file have to be given together/,
  ],
  [{ apiserver: ['--tls-cert-file=s.crt', '--tls-private-key-file=s.key'] }, /there is no file "s.crt"/],
])('refuses to serve TLS with %j', async (cluster, why) => {
  await expect(serve({ port: 0, host: '127.0.0.1', tls: true, cluster: { name: 'bad', ...cluster } })).rejects.toThrow(
    why,
  );
});

test('a file for the authority makes no sense without TLS', () => {
  expect(() => readArguments(['--ca-file', 'ca.crt'])).toThrow(UsageError);
});
