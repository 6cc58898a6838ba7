/**
 * Two servers on one storage, each with a copy that lags behind: writes begin with what the copy shows, and come out as if
 * it had shown everything.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { realClock, seededRandom, type Random } from '../../src/std/index.ts';
import { localEngine, memoryBackend, openShared, openStorage, type LocalEngine } from '../../src/storage/index.ts';

const LAG_MS = 60;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

interface Thing {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
  /** Of a list. */
  readonly items?: readonly Thing[];
}

interface Server {
  readonly cluster: Cluster;
  readonly engine: LocalEngine;
  /** How often the storage was asked for its revision. */
  readonly asked: () => number;
  ask(method: string, path: string, body?: object): Promise<Answer>;
}

interface Answer {
  readonly code: number;
  readonly body: Thing;
}

const TYPES: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' };

const servers: Server[] = [];

beforeAll(async () => {
  const clock = realClock();
  const storage = await openStorage({ backend: memoryBackend(), clock, keep: Infinity, shared: true });
  // One after the other, so that only one of them writes what every cluster has.
  for (const hostname of ['a', 'b']) {
    const engine = localEngine(storage, clock);
    const newest = vi.spyOn(engine, 'newest');
    const cluster = await createCluster(
      { name: hostname, naming: 'k8s.io', nodes: 0, controllerManager: ['--controllers=-*'] },
      { hostname, openStorage: () => openShared({ engine, clock, keep: Infinity }) },
    );
    const send = cluster.transportAs('admin');
    servers.push({
      ...{ cluster, engine, asked: () => newest.mock.calls.length },
      ask: async (method, path, body) => {
        const headers = { 'content-type': TYPES[method] ?? 'application/json' };
        const response = await send(path, { method, ...(body && { headers, body: JSON.stringify(body) }) });
        return { code: response.status, body: (await response.json()) as Thing };
      },
    });
  }
});

afterEach(() => {
  for (const { engine } of servers) engine.delay(0);
});

afterAll(async () => {
  for (const { cluster } of servers) await cluster.stop();
});

const both = (): [Server, Server] => servers as [Server, Server];
const configMap = (name: string, data: Record<string, string> = {}, resourceVersion?: string) => ({
  metadata: { name, ...(resourceVersion !== undefined && { resourceVersion }) },
  data,
});

describe('a server with a stale copy', () => {
  const at = (name: string): string => `${CONFIG_MAPS}/${name}`;

  test('writes without a fresh read if it knows the object', async () => {
    const [a] = both();
    await a.ask('GET', CONFIG_MAPS);
    const before = a.asked();
    const { code } = await a.ask('POST', CONFIG_MAPS, configMap('own'));
    await a.ask('PUT', at('own'), configMap('own', { x: '1' }));
    expect((await a.ask('PATCH', at('own'), { data: { y: '2' } })).body.data).toEqual({ x: '1', y: '2' });
    expect([code, a.asked()]).toEqual([201, before]);
  });

  test('changes an object that is new to it', async () => {
    const [a, b] = both();
    b.engine.delay(LAG_MS);
    await a.ask('POST', CONFIG_MAPS, configMap('new'));
    expect(await b.ask('PATCH', at('new'), { data: { x: '1' } })).toMatchObject({
      code: 200,
      body: { data: { x: '1' } },
    });
  });

  test('uses a name that is free again', async () => {
    const [a, b] = both();
    await a.ask('POST', CONFIG_MAPS, configMap('gone'));
    await b.ask('GET', at('gone'));
    b.engine.delay(LAG_MS);
    await a.ask('DELETE', at('gone'));
    expect((await b.ask('POST', CONFIG_MAPS, configMap('gone'))).code).toBe(201);
  });

  test('refuses an existing name, and an old revision', async () => {
    const [a, b] = both();
    b.engine.delay(LAG_MS);
    const made = await a.ask('POST', CONFIG_MAPS, configMap('taken'));
    expect((await b.ask('POST', CONFIG_MAPS, configMap('taken'))).code).toBe(409);
    await a.ask('PUT', at('taken'), configMap('taken', { x: '1' }));
    const { resourceVersion } = made.body.metadata;
    expect((await b.ask('PUT', at('taken'), configMap('taken', { x: '2' }, resourceVersion))).code).toBe(409);
  });

  test('accepts the newest revision', async () => {
    const [a, b] = both();
    await a.ask('POST', CONFIG_MAPS, configMap('versions'));
    await b.ask('GET', at('versions'));
    b.engine.delay(LAG_MS);
    const { body } = await a.ask('PUT', at('versions'), configMap('versions', { x: '1' }));
    const { resourceVersion } = body.metadata;
    expect((await b.ask('PUT', at('versions'), configMap('versions', { x: '2' }, resourceVersion))).code).toBe(200);
  });

  test('returns the current state if a write changes nothing', async () => {
    const [a, b] = both();
    await a.ask('POST', CONFIG_MAPS, configMap('same', { x: '1' }));
    await b.ask('GET', at('same'));
    b.engine.delay(LAG_MS);
    await a.ask('PUT', at('same'), configMap('same', { x: '2' }));
    // By what the second server knows this changes nothing; by what the first has answered it does.
    expect((await b.ask('PATCH', at('same'), { data: { x: '1' } })).body.data).toEqual({ x: '1' });
    expect((await a.ask('GET', at('same'))).body.data).toEqual({ x: '1' });
  });

  test('writes into a namespace that is new to it', async () => {
    const [a, b] = both();
    b.engine.delay(LAG_MS);
    await a.ask('POST', '/api/v1/namespaces', { metadata: { name: 'fresh' } });
    expect((await b.ask('POST', '/api/v1/namespaces/fresh/configmaps', configMap('x'))).code).toBe(201);
  });
});

/** One client that works at either server by turns, and remembers what it was told. */
class Worker {
  readonly #id: number;
  readonly #random: Random;
  /** Fields that it was told are written, by object. */
  readonly written: [name: string, field: string][] = [];
  /** How often it was told that it has counted. */
  counted = 0;

  constructor(id: number, random: Random) {
    this.#id = id;
    this.#random = random;
  }

  async work(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.#step(step);
  }

  #server(): Server {
    return servers[Math.floor(this.#random.next() * servers.length)] as Server;
  }

  async #step(step: number): Promise<void> {
    const name = `shared-${Math.floor(this.#random.next() * 3)}`;
    const chance = this.#random.next();
    if (chance < 0.2) this.#server().engine.delay(Math.floor(this.#random.next() * 10));
    if (chance < 0.6) await this.#writeField(name, `f${this.#id}-${step}`);
    else if (chance < 0.8) await this.#count();
    else await this.#confirm();
  }

  async #writeField(name: string, field: string): Promise<void> {
    const server = this.#server();
    const made = await server.ask('PATCH', `${CONFIG_MAPS}/${name}`, { data: { [field]: '1' } });
    const { code } =
      made.code === 404 ? await server.ask('POST', CONFIG_MAPS, configMap(name, { [field]: '1' })) : made;
    // Somebody else may have made it first.
    expect([200, 201, 409]).toContain(code);
    if (code !== 409) this.written.push([name, field]);
  }

  /** Adds one to what a server knows, which may be old: only if nobody else has counted since. */
  async #count(): Promise<void> {
    const path = `${CONFIG_MAPS}/counter`;
    const known = await this.#server().ask('GET', `${path}?resourceVersion=0`);
    if (known.code === 404)
      return void (await this.#server().ask('POST', CONFIG_MAPS, configMap('counter', { n: '0' })));
    const n = String(Number(known.body.data?.['n']) + 1);
    const { code } = await this.#server().ask(
      'PUT',
      path,
      configMap('counter', { n }, known.body.metadata.resourceVersion),
    );
    expect([200, 409]).toContain(code);
    if (code === 200) this.counted++;
  }

  /** A write that changes nothing shows all that this worker was told before. */
  async #confirm(): Promise<void> {
    const [name, field] = this.written.at(-1) ?? [];
    if (name === undefined || field === undefined) return;
    const { code, body } = await this.#server().ask('PATCH', `${CONFIG_MAPS}/${name}`, { data: { [field]: '1' } });
    expect(code).toBe(200);
    for (const [of, each] of this.written) if (of === name) expect(body.data).toHaveProperty([each], '1');
  }
}

test('concurrent writes at both servers: no acknowledged write is lost or counted twice', async () => {
  const random = seededRandom('stale writes');
  const workers = Array.from({ length: 6 }, (_, id) => new Worker(id, random));
  await Promise.all(workers.map((worker) => worker.work(80)));
  for (const server of servers) {
    const { body } = await server.ask('GET', CONFIG_MAPS);
    const found = new Map(body.items?.map((each) => [each.metadata.name, each.data]));
    for (const [name, field] of workers.flatMap(({ written }) => written))
      expect(found.get(name)).toHaveProperty([field], '1');
    const counted = workers.reduce((sum, worker) => sum + worker.counted, 0);
    expect(Number(found.get('counter')?.['n'])).toBe(counted);
  }
}, 60_000);
