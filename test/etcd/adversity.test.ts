/** Servers on an etcd that is compacted, killed, slow or full, while clients write, patch, apply, list and watch. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCluster, etcdLayout, type Cluster, type ClusterOptions } from '../../src/cluster/index.ts';
import { Channel } from '../../src/hosts/node/etcd/channel.ts';
import { etcdEngine } from '../../src/hosts/node/etcd/engine.ts';
import { etcdStorage } from '../../src/hosts/node/etcd/storage.ts';
import { namesOf } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import { openShared, type Storage } from '../../src/storage/index.ts';
import { Counter, CounterFollower, COUNTERS, type Send } from '../kills/counters.ts';
import { contents, put, write } from '../storage/support.ts';
import { etcdHere, startEtcd, type EtcdServer } from './server.ts';

const soon = { timeout: 60_000, interval: 20 };
const note = etcdHere.has ? '' : ` (${etcdHere.why})`;

async function etcdWith(...flags: string[]): Promise<EtcdServer> {
  const etcd = await startEtcd({ flags });
  onTestFinished(() => etcd.stop());
  return etcd;
}

/** An API server without controllers, so that only the test writes. */
async function serverOn({ url }: EtcdServer, address: string): Promise<{ cluster: Cluster; send: Send }> {
  const options: ClusterOptions = {
    ...{ name: address, naming: 'k8s.io', controllerManager: ['--controllers='] },
    apiserver: [`--etcd-servers=${url}`, `--advertise-address=${address}`],
  };
  const cluster = await createCluster(options, etcdStorage(options));
  onTestFinished(() => cluster.stop());
  return { cluster, send: cluster.transportAs('admin') };
}

const WRITERS = 4;
const typed = (type: string, method: string, body: unknown) => ({
  ...{ method, body: JSON.stringify(body) },
  headers: { 'content-type': type },
});

/** Changes its own key of a shared object, and applies an object of its own, one after the other; knows what was answered. */
class Changer {
  readonly #name: string;
  readonly #servers: readonly Send[];
  #ended = false;
  #last = 0;
  patched = 0;
  applied = 0;

  constructor(name: string, servers: readonly Send[]) {
    this.#name = name;
    this.#servers = servers;
  }

  async run(): Promise<void> {
    while (!this.#ended) {
      const value = ++this.#last;
      const send = this.#servers[value % this.#servers.length] as Send;
      const patch = { data: { [this.#name]: `${value}` } };
      if (await done(send(`${COUNTERS}/shared`, typed('application/merge-patch+json', 'PATCH', patch))))
        this.patched = value;
      const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `own-${this.#name}` }, ...patch };
      const path = `${COUNTERS}/own-${this.#name}?fieldManager=${this.#name}&force=true`;
      if (await done(send(path, typed('application/apply-patch+yaml', 'PATCH', applied)))) this.applied = value;
    }
  }

  end(): void {
    this.#ended = true;
  }

  /** What is there of it. A write whose answer was lost may be there, too. */
  async check(send: Send): Promise<void> {
    const [shared, own] = await Promise.all(['shared', `own-${this.#name}`].map((name) => dataOf(send, name)));
    expect(Number(shared?.[this.#name])).toBeGreaterThanOrEqual(this.patched);
    expect(Number(own?.[this.#name])).toBeGreaterThanOrEqual(this.applied);
  }
}

async function done(sent: Promise<Response>): Promise<boolean> {
  const response = await sent.catch(() => undefined);
  await response?.text();
  return response?.ok === true;
}

async function dataOf(send: Send, name: string): Promise<Record<string, string> | undefined> {
  const found = await send(`${COUNTERS}/${name}`);
  return ((await found.json()) as { data?: Record<string, string> }).data;
}

/** The names on all pages of a list, each page at the same revision; undefined where its history was compacted or etcd is away. */
async function pages(send: Send): Promise<string[] | undefined> {
  const names: string[] = [];
  const revisions = new Set<string>();
  for (let token: string | undefined = ''; token !== undefined;) {
    const response = await send(`${COUNTERS}?limit=3&continue=${encodeURIComponent(token)}`);
    if (response.status === 410 || response.status === 503) return undefined;
    expect(response.status).toBe(200);
    const { metadata, items } = (await response.json()) as {
      metadata: { resourceVersion: string; continue?: string };
      items: { metadata: { name: string } }[];
    };
    names.push(...items.map((item) => item.metadata.name));
    revisions.add(metadata.resourceVersion);
    token = metadata.continue === '' ? undefined : metadata.continue;
  }
  expect(revisions.size).toBe(1);
  expect(new Set(names).size).toBe(names.length);
  return names;
}

describe.skipIf(!etcdHere.has)(`mixed load on two servers${note}`, () => {
  test('goes on over compactions and an etcd that is killed: nothing that was answered is lost, and watches have no gap', async () => {
    const etcd = await etcdWith();
    const [a, b] = [await serverOn(etcd, '10.9.0.1'), await serverOn(etcd, '10.9.0.2')];
    const servers = [a.send, b.send];
    expect(await done(a.send(COUNTERS, typed('application/json', 'POST', { metadata: { name: 'shared' } })))).toBe(
      true,
    );
    const start = (await (await a.send(COUNTERS)).json()) as { metadata: { resourceVersion: string } };
    let compacted = 0;
    const follower = new CounterFollower({
      ...{ servers: () => servers, revision: start.metadata.resourceVersion },
      mayBeGone: (revision) => Number(revision) < compacted,
    });
    const following = follower.run();
    const counters = Array.from({ length: WRITERS }, (_, i) => new Counter(`key-${i}`, () => servers));
    const changers = Array.from({ length: WRITERS }, (_, i) => new Changer(`changer-${i}`, servers));
    const working = [...counters, ...changers].map((each) => each.run());
    /** Until each of them has had so many more answers. */
    const further = (answers: number): Promise<void> => {
      const wanted = [
        ...counters.map((each) => each.answered + answers),
        ...changers.map((each) => each.applied + answers),
      ];
      const now = (): number[] => [...counters.map((each) => each.answered), ...changers.map((each) => each.applied)];
      return vi.waitFor(() => expect(now().every((count, i) => count >= (wanted[i] ?? 0))).toBe(true), soon);
    };
    for (let round = 0; round < 3; round++) {
      await further(5);
      expect(await pages(a.send)).toContain('shared');
      compacted = b.cluster.storage.revision;
      await b.cluster.storage.compact(compacted);
      await further(5);
      await etcd.kill();
      expect((await a.send(`${COUNTERS}/shared`)).status).toBe(503);
      expect((await a.send(`${COUNTERS}/shared?resourceVersion=0`)).status).toBe(200);
      await etcd.restart();
    }
    await further(5);
    for (const each of [...counters, ...changers]) each.end();
    await Promise.all(working);
    for (const changer of changers) for (const send of servers) await changer.check(send);
    for (const counter of counters) {
      const count = await counter.read();
      expect(count).toBeGreaterThanOrEqual(counter.answered);
      await vi.waitFor(() => expect(follower.seen.get(counter.name)).toBe(count), soon);
    }
    expect(await pages(a.send)).toEqual(await pages(b.send));
    follower.end();
    await following;
  });
});

function open({ url }: EtcdServer, timeoutMs: number): Promise<Storage> {
  const layout = etcdLayout(namesOf('k8s.io'), '/adversity');
  return openShared({
    ...{ engine: etcdEngine({ endpoints: [url], layout, timeoutMs, now: () => Date.now() }), clock: realClock() },
    keep: Infinity,
  });
}

describe.skipIf(!etcdHere.has)(`an etcd that does not answer for a while${note}`, () => {
  test('is named with the time that it had, and is used again when it answers; watches go on', async () => {
    const etcd = await etcdWith();
    const storage = await open(etcd, 500);
    onTestFinished(() => storage.close());
    await write(storage, put('/registry/a', '1'));
    const seen: string[] = [];
    storage.watch(
      { start: '', end: '\uffff', from: storage.revision },
      (events) => void seen.push(...events.map(({ key, type }) => `${type} ${key}`)),
      (error) => void seen.push(`ended: ${error?.message}`),
    );
    await etcd.pause();
    await expect(storage.fresh()).rejects.toThrow(`the database does not answer: ${etcd.url} did not answer in 500 ms`);
    await expect(write(storage, put('/registry/b', '1'))).rejects.toThrow(`etcd: ${etcd.url} did not answer in 500 ms`);
    expect(storage.get('/registry/a')?.value).toBe('1');
    etcd.resume();
    await vi.waitFor(() => storage.fresh(), soon);
    await vi.waitFor(() => write(storage, put('/registry/c', '1')), soon);
    await vi.waitFor(() => expect(seen.at(-1)).toBe('put /registry/c'), soon);
    expect(seen.filter((line) => line.startsWith('ended'))).toEqual([]);
    expect(contents(storage)).toEqual(expect.arrayContaining(['/registry/a=1', '/registry/c=1']));
  });
});

describe.skipIf(!etcdHere.has)(`an etcd that is full${note}`, () => {
  test('refuses writes with 507, answers reads and deletions, and takes writes once it has room again', async () => {
    const etcd = await etcdWith('--quota-backend-bytes=2097152');
    const { cluster, send } = await serverOn(etcd, '10.9.0.1');
    const large = (name: string) =>
      typed('application/json', 'POST', { metadata: { name }, data: { text: 'x'.repeat(200_000) } });
    const made: string[] = [];
    let refused: Response | undefined;
    for (let i = 0; !refused && i < 100; i++) {
      const response = await send(COUNTERS, large(`large-${i}`));
      if (response.ok) made.push(`large-${i}`);
      else refused = response;
    }
    expect(await refused?.json()).toMatchObject({ code: 507, message: expect.stringMatching(/space/) as string });
    for (const name of made) expect((await send(`${COUNTERS}/${name}`)).status).toBe(200);
    for (const name of made) expect((await send(`${COUNTERS}/${name}`, { method: 'DELETE' })).status).toBe(200);
    expect((await send(COUNTERS, large('too-early'))).status).toBe(507);
    await cluster.storage.compact(cluster.storage.revision);
    await makeRoom(etcd);
    expect((await send(COUNTERS, large('again'))).status).toBe(201);
  });
});

/** What an administrator does: `etcdctl defrag` and `etcdctl alarm disarm`. */
async function makeRoom({ url }: EtcdServer): Promise<void> {
  const channel = new Channel({ endpoints: [url] });
  try {
    await channel.call('/etcdserverpb.Maintenance/Defragment', new Uint8Array());
    // The answer is one alarm: its tag and length, then the member's tag and number, then the kind of alarm in two bytes.
    const alarm = Buffer.from(await channel.call('/etcdserverpb.Maintenance/Alarm', new Uint8Array()));
    const member = alarm.subarray(3, -2);
    const disarm = Buffer.concat([Buffer.from([0x08, 2, 0x10]), member, Buffer.from([0x18, 1])]);
    await channel.call('/etcdserverpb.Maintenance/Alarm', disarm);
  } finally {
    channel.close();
  }
}
