/**
 * The reference's API server and ours on one etcd: what one writes the other shows by the same text, and neither gives out
 * what the other holds. `VITRINE_APISERVER` names a kube-apiserver of v1.20.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCluster, type Cluster, type ClusterOptions } from '../../src/cluster/index.ts';
import { etcdStorage } from '../../src/hosts/node/etcd/storage.ts';
import { httpServer } from '../bench/servers/httpServer.ts';
import type { BenchServer } from '../bench/servers/server.ts';
import { etcdHere, startEtcd, type EtcdServer } from './server.ts';

const PROGRAM = process.env['VITRINE_APISERVER'] ?? '';
const isHere = PROGRAM !== '' && etcdHere.has;
if (!isHere) console.warn('skipped: the reference beside ours on etcd (VITRINE_APISERVER names its API server)');

/** An object of each kind, with more than its required fields. */
const samples = JSON.parse(readFileSync(new URL('samples.json', import.meta.url), 'utf8')) as readonly {
  readonly path: string;
  readonly name?: string;
  readonly object: Readonly<Record<string, unknown>>;
}[];

const TOKEN = 'secret';
const TOKENS = `${TOKEN},admin,admin,system:masters\n`;
const soon = { timeout: 60_000, interval: 200 };

/** What the tests need of either server. */
type Server = Pick<BenchServer, 'ask'>;

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

async function startReference(folder: string, etcd: string): Promise<{ process: ChildProcess; server: Server }> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(folder, 'sa.key');
  writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(join(folder, 'tokens.csv'), TOKENS);
  const port = await freePort();
  const process = spawn(
    PROGRAM,
    [
      ...[`--etcd-servers=${etcd}`, '--storage-media-type=application/json', `--secure-port=${port}`],
      ...['--bind-address=127.0.0.1', '--advertise-address=10.9.0.2', `--cert-dir=${join(folder, 'certs')}`],
      ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
      ...['--service-account-issuer=https://issuer', `--token-auth-file=${join(folder, 'tokens.csv')}`],
      ...['--authorization-mode=RBAC', '--service-cluster-ip-range=10.96.0.0/16', '--allow-privileged=true'],
      '--disable-admission-plugins=ServiceAccount',
    ],
    { stdio: 'ignore' },
  );
  const server = httpServer(`https://127.0.0.1:${port}`, TOKEN);
  await vi.waitFor(() => server.ask('GET', '/readyz'), soon);
  return { process, server };
}

async function startOurs(etcd: string): Promise<{ cluster: Cluster; server: Server }> {
  const options: ClusterOptions = {
    ...{ name: 'ours', naming: 'k8s.io', nodes: 0 },
    apiserver: [
      ...[`--etcd-servers=${etcd}`, '--advertise-address=10.9.0.1', '--service-cluster-ip-range=10.96.0.0/16'],
      ...['--allow-privileged=true', '--disable-admission-plugins=ServiceAccount'],
    ],
    controllerManager: ['--controllers=-*'],
  };
  const cluster = await createCluster(options, etcdStorage(options));
  const send = cluster.transportAs('admin');
  return {
    cluster,
    server: {
      ask: async (method, path, body) => {
        const sent = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
        const answer = await send(path, { method, ...sent });
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
        return answer.text();
      },
    },
  };
}

describe.skipIf(!isHere)('the reference and ours on one etcd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-reference-'));
  let etcd: EtcdServer;
  let ours: Server;
  let theirs: Server;
  let cluster: Cluster;
  let reference: ChildProcess;

  beforeAll(async () => {
    etcd = await startEtcd();
    ({ process: reference, server: theirs } = await startReference(folder, etcd.url));
    ({ cluster, server: ours } = await startOurs(etcd.url));
  }, 120_000);

  afterAll(async () => {
    reference.kill('SIGKILL');
    await cluster.stop();
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  /** Both show the same text, once what watches the object has written its part of it. */
  const expectSame = (path: string): Promise<void> =>
    vi.waitFor(async () => {
      const [shown, wanted] = [await ours.ask('GET', path), await theirs.ask('GET', path)];
      expect(shown.trim()).toBe(wanted.trim());
    }, soon);

  /** Changes annotations; again, where something else has changed the object meanwhile. */
  const annotate = (server: Server, path: string): Promise<string> =>
    vi.waitFor(async () => {
      const found = JSON.parse(await server.ask('GET', path)) as { metadata: Record<string, unknown> };
      const annotations = { z: '1', a: '2' };
      return server.ask('PUT', path, JSON.stringify({ ...found, metadata: { ...found.metadata, annotations } }));
    }, soon);

  const sides = (i: number): [Server, Server] => (i === 0 ? [ours, theirs] : [theirs, ours]);

  test.each(samples.map((sample, i) => ({ ...sample, i })))(
    '$path: made by one, changed by the other, deleted by the first',
    async ({ path, name, object, i }) => {
      for (const side of [0, 1]) {
        const [maker, other] = sides(side);
        const at = `${path}/${name ?? `s${i}-${side}`}`;
        const metadata = { name: at.slice(path.length + 1), labels: { made: 'so', by: 'one' } };
        const body = JSON.stringify({ ...object, metadata });
        // One of the same name may be on its way out still.
        await vi.waitFor(() => maker.ask('POST', path, body), soon);
        await expectSame(at);
        await annotate(other, at);
        await expectSame(at);
        await maker.ask('DELETE', `${at}?propagationPolicy=Background&gracePeriodSeconds=0`);
      }
    },
    60_000,
  );

  test('lists are the same', async () => {
    for (const path of ['/api/v1/services', '/api/v1/configmaps', '/apis/rbac.authorization.k8s.io/v1/clusterroles'])
      await expectSame(path);
  });

  test('watches of both tell the same by the same text, whoever made the changes', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const { metadata } = JSON.parse(await ours.ask('GET', path)) as { metadata: { resourceVersion: string } };
    const changed = { metadata: { name: 'watched' }, data: { a: '1' } };
    await ours.ask('POST', path, JSON.stringify({ metadata: { name: 'watched' } }));
    await theirs.ask('PUT', `${path}/watched`, JSON.stringify(changed));
    await ours.ask('DELETE', `${path}/watched`);
    const watch = `${path}?watch=1&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=2`;
    const [told, wanted] = await Promise.all([ours.ask('GET', watch), theirs.ask('GET', watch)]);
    expect(told.trim().split('\n')).toHaveLength(3);
    expect(told).toBe(wanted);
  });

  test('both are behind the service of the cluster', async () => {
    const { subsets } = JSON.parse(await theirs.ask('GET', '/api/v1/namespaces/default/endpoints/kubernetes')) as {
      subsets: readonly { addresses: readonly { ip: string }[] }[];
    };
    expect(subsets[0]?.addresses.map(({ ip }) => ip)).toEqual(['10.9.0.1', '10.9.0.2']);
  });

  test('addresses and ports of services never collide', async () => {
    const path = '/api/v1/namespaces/default/services';
    const make = async (i: number): Promise<{ clusterIP: string; ports: [{ nodePort: number }] }> => {
      const body = { metadata: { name: `race-${i}` }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };
      const text = await (i % 2 ? ours : theirs).ask('POST', path, JSON.stringify(body));
      return (JSON.parse(text) as { spec: { clusterIP: string; ports: [{ nodePort: number }] } }).spec;
    };
    const made = await Promise.all(Array.from({ length: 40 }, (_, i) => make(i)));
    expect(new Set(made.map(({ clusterIP }) => clusterIP)).size).toBe(40);
    expect(new Set(made.map(({ ports }) => ports[0].nodePort)).size).toBe(40);
    // What one has freed the other may give out.
    await ours.ask('DELETE', `${path}/race-0`);
    const again = { metadata: { name: 'again' }, spec: { clusterIP: made[0]?.clusterIP, ports: [{ port: 80 }] } };
    await theirs.ask('POST', path, JSON.stringify(again));
    await theirs.ask('DELETE', `${path}/again`);
    await vi.waitFor(() => ours.ask('POST', path, JSON.stringify(again)), soon);
  }, 60_000);
});
