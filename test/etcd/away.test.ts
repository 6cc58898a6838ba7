/** etcd goes away, comes back, has forgotten what happened meanwhile, or wants proof of who asks. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCluster, etcdLayout, type Cluster, type ClusterOptions } from '../../src/cluster/index.ts';
import { etcdEngine } from '../../src/hosts/node/etcd/engine.ts';
import { etcdStorage } from '../../src/hosts/node/etcd/storage.ts';
import { namesOf } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import { openShared, type Storage } from '../../src/storage/index.ts';
import { contents, del, put, write } from '../storage/support.ts';
import { makeCertificates } from './certificates.ts';
import { startRelay } from './relay.ts';
import { etcdHere, startEtcd, type EtcdServer } from './server.ts';

const soon = { timeout: 60_000, interval: 20 };
const note = etcdHere.has ? '' : ` (${etcdHere.why})`;

function open(url: string): Promise<Storage> {
  const engine = etcdEngine({
    ...{ endpoints: [url], layout: etcdLayout(namesOf('k8s.io'), '/away'), timeoutMs: 2000 },
    now: () => Date.now(),
  });
  return openShared({ engine, clock: realClock(), keep: Infinity });
}

/** What a watch of everything was told, and how it ended. */
function follow(storage: Storage): string[] {
  const seen: string[] = [];
  storage.watch(
    { start: '', end: '\uffff', from: storage.revision },
    (events) => void seen.push(...events.map(({ type, key }) => `${type} ${key}`)),
    (error) => void seen.push(`ended: ${error?.name}`),
  );
  return seen;
}

describe.skipIf(!etcdHere.has)(`a server that etcd has left behind${note}`, () => {
  let etcd: EtcdServer;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd?.stop());

  test('takes over what is different once history is gone, and goes on from there', { timeout: 120_000 }, async () => {
    const relay = await startRelay(etcd.url);
    onTestFinished(() => relay.close());
    const [a, b] = [await open(etcd.url), await open(relay.url)];
    onTestFinished(async () => void (await Promise.all([a.close(), b.close()])));
    await write(a, put('/registry/gone', '1'), put('/registry/changed', '1'), put('/registry/same', '1'));
    await b.fresh();
    const seen = follow(b);
    const before = b.revision;
    relay.cut();
    await write(a, del('/registry/gone'), put('/registry/changed', '2'), put('/registry/new', '1'));
    await write(a, put('/registry/changed', '3'));
    await a.compact(a.revision);
    await expect(b.fresh()).rejects.toThrow('the database does not answer');
    relay.mend();
    await vi.waitFor(() => expect(b.revision).toBeGreaterThanOrEqual(a.revision), soon);
    expect(contents(b)).toEqual(['/registry/changed=3', '/registry/new=1', '/registry/same=1']);
    expect(b.get('/registry/same')).toEqual(a.get('/registry/same'));
    // Each difference once, without what was between; who asks for what was between is told that it is gone.
    expect(seen).toEqual(['delete /registry/gone', 'put /registry/changed', 'put /registry/new']);
    expect(b.compacted).toBeGreaterThan(before);
    expect(() => b.get('/registry/changed', before)).toThrow('has been compacted');
    await a.commit([put('/registry/later', '1')]);
    await vi.waitFor(() => expect(seen.at(-1)).toBe('put /registry/later'), soon);
  });
});

interface Answer {
  readonly status: number;
  readonly body: { readonly reason?: string; readonly message?: string };
}

async function ask(cluster: Cluster, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await cluster.transportAs('admin')(path, init);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const PATH = '/api/v1/namespaces/default/configmaps';
const ELECTION = [
  '--leader-elect-lease-duration=2s',
  '--leader-elect-renew-deadline=1s',
  '--leader-elect-retry-period=200ms',
];

describe.skipIf(!etcdHere.has)(`a control plane whose etcd goes away${note}`, () => {
  test('says so, breaks nothing off, and goes on when it is back', { timeout: 120_000 }, async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    process.on('unhandledRejection', onError);
    onTestFinished(() => void process.off('unhandledRejection', onError));
    const etcd = await startEtcd();
    // Whatever fails on the way, no etcd is left behind.
    onTestFinished(() => etcd.stop());
    const options: ClusterOptions = {
      ...{ name: 'away', naming: 'k8s.io', nodes: 1 },
      apiserver: [`--etcd-servers=${etcd.url}`],
      controllerManager: ELECTION,
      scheduler: ELECTION,
    };
    const cluster = await createCluster(options, etcdStorage(options));
    const leads = (): boolean => cluster.controllers.view().controllers.length > 0;
    await vi.waitFor(() => expect(leads()).toBe(true), soon);
    expect(await ask(cluster, PATH, { metadata: { name: 'before' } })).toMatchObject({ status: 201 });
    await etcd.kill();
    const away = { status: 503, body: { reason: 'ServiceUnavailable' } };
    expect(await ask(cluster, `${PATH}/before`)).toMatchObject(away);
    expect((await ask(cluster, `${PATH}/before`)).body.message).toMatch(
      /^the database does not answer: the connection was refused/,
    );
    expect(await ask(cluster, PATH, { metadata: { name: 'lost' } })).toMatchObject(away);
    expect(await ask(cluster, `${PATH}/before?resourceVersion=0`)).toMatchObject({ status: 200 });
    // It may be somebody else's turn by now.
    await vi.waitFor(() => expect(leads()).toBe(false), soon);
    await etcd.restart();
    await vi.waitFor(async () => expect(await ask(cluster, `${PATH}/before`)).toMatchObject({ status: 200 }), soon);
    expect(await ask(cluster, PATH, { metadata: { name: 'after' } })).toMatchObject({ status: 201 });
    await vi.waitFor(() => expect(leads()).toBe(true), soon);
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
    await vi.waitFor(
      async () => expect([201, 409]).toContain((await ask(cluster, PATH.replace('configmaps', 'pods'), pod)).status),
      soon,
    );
    await vi.waitFor(async () => {
      const { body } = await ask(cluster, `${PATH.replace('configmaps', 'pods')}/p`);
      expect(body).toMatchObject({ status: { phase: 'Running' } });
    }, soon);
    await cluster.stop();
    await etcd.stop();
    expect(errors).toEqual([]);
  });
});

describe('a control plane that finds no etcd', () => {
  test('is not started where none answers, with the address that was tried', async () => {
    const options: ClusterOptions = { name: 'none', apiserver: ['--etcd-servers=http://127.0.0.1:1'] };
    await expect(createCluster(options, etcdStorage(options))).rejects.toThrow(
      /^etcd at http:\/\/127\.0\.0\.1:1 can't be used: the connection was refused: no program listens there$/,
    );
  });

  test.each([
    ['http', 'so it is not etcd'],
    ['https', 'what answers there does not speak TLS'],
  ])('is not started where something else answers over %s', async (scheme, why) => {
    const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const options: ClusterOptions = { name: 'none', apiserver: [`--etcd-servers=${scheme}://127.0.0.1:${port}`] };
    await expect(createCluster(options, etcdStorage(options))).rejects.toThrow(why);
  });

  test('is not started with files that hold no certificate or key', () => {
    const optionsWith = (...flags: string[]): ClusterOptions => ({
      ...{ name: 'none', files: { junk: 'junk' } },
      apiserver: ['--etcd-servers=https://127.0.0.1:1', ...flags],
    });
    for (const flag of ['--etcd-cafile', '--etcd-certfile', '--etcd-keyfile'])
      expect(() => etcdStorage(optionsWith(`${flag}=junk`))).toThrow(
        `${flag} junk: it holds no certificate or key in PEM`,
      );
    const encrypted = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'secret' },
    }).privateKey;
    const options = optionsWith('--etcd-keyfile=encrypted');
    expect(() => etcdStorage({ ...options, files: { encrypted } })).toThrow(
      '--etcd-keyfile encrypted: the key is encrypted; use a key without a passphrase',
    );
    expect(() => etcdStorage(optionsWith('--etcd-cafile=/none.pem'))).toThrow(
      '--etcd-cafile /none.pem: no such file or directory',
    );
  });
});

describe.skipIf(!etcdHere.has)(`etcd over TLS${note}`, () => {
  test('is trusted by its authority, and asks for a certificate', { timeout: 60_000 }, async () => {
    const { files, close } = await makeCertificates();
    onTestFinished(close);
    const etcd = await startEtcd({
      scheme: 'https',
      flags: [
        ...[`--cert-file=${files.serverCert}`, `--key-file=${files.serverKey}`],
        ...['--client-cert-auth', `--trusted-ca-file=${files.ca}`],
      ],
    });
    onTestFinished(() => etcd.stop());
    const openWith = async (...flags: string[]): Promise<string> => {
      const options: ClusterOptions = { name: 'tls', apiserver: [`--etcd-servers=${etcd.url}`, ...flags] };
      const { openStorage } = etcdStorage(options);
      const storage = await openStorage?.(realClock());
      await storage?.commit([put('/registry/a', '1')]);
      const value = storage?.get('/registry/a')?.value ?? '';
      await storage?.close();
      return value;
    };
    const [ca, cert, key] = [
      `--etcd-cafile=${files.ca}`,
      `--etcd-certfile=${files.clientCert}`,
      `--etcd-keyfile=${files.clientKey}`,
    ];
    expect(await openWith(ca, cert, key)).toBe('1');
    await expect(openWith(cert, key)).rejects.toThrow(/can't be used: .*certificate/);
    await expect(openWith(ca)).rejects.toThrow(/can't be used: /);
    const plain: ClusterOptions = { name: 'plain', apiserver: [`--etcd-servers=${etcd.url.replace('https', 'http')}`] };
    await expect(etcdStorage(plain).openStorage?.(realClock())).rejects.toThrow(
      "can't be used: the server closed the connection before it spoke HTTP/2; for a server with TLS, the address must begin with https://",
    );
  });
});
