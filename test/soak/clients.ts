/**
 * A server over TLS whose clients behave badly: watches that vanish or are never read, requests that break off, commands and
 * forwarded ports whose connection is cut. Afterwards the server has to hold what it held before: watches of storage, sockets,
 * timers, open files and memory. The server runs on memory, on files or on etcd.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ClusterOptions, Host } from '../../src/cluster/index.ts';
import { segmentBackend } from '../../src/hosts/node/data/segments.ts';
import { etcdStorage } from '../../src/hosts/node/etcd/storage.ts';
import { serve, type Served } from '../../src/hosts/node/index.ts';
import { startEtcd } from '../etcd/server.ts';
import { bytesInUse, grown, held, leaked } from './leaks.ts';

export const places = ['memory', 'files', 'etcd'] as const;
export type Place = (typeof places)[number];

const TOKEN = 'secret';
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };
const PODS = '/api/v1/namespaces/default/pods';
const MAPS = '/api/v1/namespaces/default/configmaps';
/** Of each kind of client, in each round. */
const CLIENTS = 10;
/** What code compiles and caches at first use stays in memory. */
const WARM_UP = 4;

interface Opened {
  readonly host: Host;
  readonly flags: readonly string[];
  close(): Promise<void>;
}

async function open(place: Place): Promise<Opened> {
  if (place === 'memory') return { host: {}, flags: [], close: () => Promise.resolve() };
  if (place === 'etcd') {
    const etcd = await startEtcd();
    const flags = [`--etcd-servers=${etcd.url}`];
    return { host: etcdStorage({ name: 'clients', apiserver: flags }), flags, close: () => etcd.stop() };
  }
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-clients-'));
  const close = async (): Promise<void> => rmSync(directory, { recursive: true, force: true });
  return { host: { backend: await segmentBackend(directory) }, flags: [], close };
}

const optionsWith = (flags: readonly string[]): ClusterOptions => ({
  ...{ name: 'clients', naming: 'k8s.io', nodes: 1 },
  apiserver: ['--token-auth-file=tokens.csv', ...flags],
  files: { 'tokens.csv': `${TOKEN},admin,admin,system:masters\n` },
});

/** Plays so many rounds after those that warm up; resolves with what is held on to. */
export async function badClients(place: Place, rounds: number): Promise<readonly string[]> {
  const { host, flags, close } = await open(place);
  const start = (apiserver: readonly string[], its: Host): Promise<Served> =>
    serve({ port: 0, host: '127.0.0.1', tls: true, cluster: optionsWith(apiserver) }, its);
  // The first server of a process opens what the process keeps.
  await (await start([], {})).close();
  const before = held();
  const served = await start(flags, host);
  const clients = new BadClients(served);
  try {
    await clients.startPod();
    for (let i = 0; i < WARM_UP; i++) await clients.round();
    const [watches, bytes, resources] = [clients.watches, await bytesInUse(), held()];
    for (let i = 0; i < rounds; i++) await clients.round();
    const faults = [...grown(`the server on ${place}`, bytes, await bytesInUse()), ...(await leaked(resources))];
    if (clients.watches > watches) faults.push(`${clients.watches} watches of storage where there were ${watches}`);
    await served.close();
    return [...faults, ...(await leaked(before)).map((fault) => `after the server has ended: ${fault}`)];
  } finally {
    await close();
  }
}

class BadClients {
  readonly #served: Served;
  #count = 0;

  constructor(served: Served) {
    this.#served = served;
  }

  get watches(): number {
    return this.#served.cluster.storage.stats().watches;
  }

  async startPod(): Promise<void> {
    const command = ['sh', '-c', 'echo begun; sleep 100000'];
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
    const other = { metadata: { name: 'q' }, spec: { containers: [{ name: 'c', image: 'busybox', command }] } };
    for (const each of [pod, other])
      while ((await this.#send('POST', PODS, JSON.stringify(each))) !== 201) await setImmediate();
    for (const name of ['p', 'q']) while (!(await this.#isRunning(name))) await setImmediate();
  }

  /** All kinds of clients at once; over when the server has let go of them. */
  async round(): Promise<void> {
    const before = this.watches;
    const many = (act: (i: number) => Promise<unknown>): Promise<unknown>[] =>
      Array.from({ length: CLIENTS }, (_, i) => act(i));
    await Promise.all([
      ...many(() => this.#vanish(`${MAPS}?watch=1`)),
      ...many(() => this.#vanish(`${PODS}/q/log?follow=true`)),
      ...many(() => this.#breakOff()),
      ...many(() => this.#cut(`${PODS}/p/exec?container=c&command=sh&stdin=true&stdout=true`, 'v4.channel.k8s.io')),
      ...many(() => this.#cut(`${PODS}/p/portforward?ports=80`, 'v4.channel.k8s.io')),
      ...many(() => this.#write()),
    ]);
    while (this.watches > before) await setImmediate();
  }

  /** Opens a stream, reads its beginning, and cuts the connection. */
  #vanish(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const asked = request(this.#at('GET', path), (response) => {
        response.once('error', () => undefined);
        asked.destroy();
        resolve();
      });
      asked.once('error', reject);
      asked.end();
    });
  }

  /** Promises a body and cuts the connection in the middle of it. */
  #breakOff(): Promise<void> {
    return new Promise((resolve) => {
      const options = this.#at('POST', MAPS, { 'content-type': 'application/json', 'content-length': '1000' });
      const asked = request(options);
      asked.once('close', resolve);
      asked.once('error', () => undefined);
      asked.write('{"metadata":', () => asked.destroy());
    });
  }

  /** Opens a WebSocket, and cuts it without a word. */
  #cut(path: string, protocol: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const url = `${this.#served.url.replace('https', 'wss')}${path}`;
      const socket = new WebSocket(url, [protocol], { headers: AUTHORIZATION, rejectUnauthorized: false });
      socket.once('error', reject);
      socket.once('open', () => {
        socket.terminate();
        resolve();
      });
    });
  }

  /** A client that behaves, beside the others: what it makes it removes. */
  async #write(): Promise<void> {
    const name = `c-${this.#count++}`;
    await this.#send('POST', MAPS, JSON.stringify({ metadata: { name } }));
    await this.#send('DELETE', `${MAPS}/${name}`);
  }

  async #isRunning(name: string): Promise<boolean> {
    const answer = await this.#served.cluster.transportAs('admin')(`${PODS}/${name}`, {});
    return ((await answer.json()) as { status?: { phase?: string } }).status?.phase === 'Running';
  }

  /** The code of the answer. */
  #send(method: string, path: string, body: string = ''): Promise<number> {
    return new Promise((resolve, reject) => {
      const asked = request(this.#at(method, path, { 'content-type': 'application/json' }), (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      asked.once('error', reject);
      asked.end(body);
    });
  }

  /** Each request has a connection of its own. */
  #at(method: string, path: string, headers: Readonly<Record<string, string>> = {}): RequestOptions {
    const { hostname, port } = new URL(this.#served.url);
    const where = { hostname, port, path, method, agent: false, rejectUnauthorized: false };
    return { ...where, headers: { ...AUTHORIZATION, ...headers } };
  }
}
