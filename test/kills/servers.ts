/**
 * `npm run kills -- --servers [--rounds N]`: two servers on one etcd, one of which is killed at a random moment, N times, while clients write
 * and watch through both. Checks each time that every answered write is there, that watches have no gap, and that there was
 * one leader at a time. Prints one line; ends with 1 when something is wrong.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { etcdStorage } from '../../src/hosts/node/etcd/storage.ts';
import { serve } from '../../src/hosts/node/serve.ts';
import { etcdHere, startEtcd } from '../etcd/server.ts';

const TOKEN = 'kills';
const PATH = '/api/v1/namespaces/default/configmaps';
const KEYS = 20;

/** The server's own process. */
export async function runServer(etcd: string, address: string): Promise<void> {
  const election = ['--leader-elect-lease-duration=2s', '--leader-elect-renew-deadline=1s'];
  const cluster = {
    name: address,
    naming: 'k8s.io' as const,
    apiserver: [`--etcd-servers=${etcd}`, `--advertise-address=${address}`, '--token-auth-file=tokens.csv'],
    controllerManager: [...election, '--leader-elect-retry-period=200ms'],
    scheduler: [...election, '--leader-elect-retry-period=200ms'],
    files: { 'tokens.csv': `${TOKEN},admin,admin,system:masters\n` },
  };
  const served = await serve({ port: 0, host: '127.0.0.1', cluster }, etcdStorage(cluster));
  process.send?.({ url: served.url });
  served.cluster.controllers.follow(() => undefined);
  let led = false;
  // Says when it leads and when it does so no more: looked at often, as nothing tells of it.
  setInterval(() => {
    const leads = served.cluster.controllers.view().controllers.length > 0;
    if (leads !== led) process.send?.({ leads });
    led = leads;
  }, 5);
}

interface Server {
  readonly process: ChildProcess;
  readonly url: string;
  leads: boolean;
}

async function startServer(etcd: string, address: string, leads: () => void): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.url), ['--server', etcd, '--address', address], {
    serialization: 'json',
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const server: Server = { process: child, url, leads: false };
  child.on('message', (message: { leads?: boolean }) => {
    server.leads = message.leads ?? server.leads;
    leads();
  });
  return server;
}

async function send(url: string, path: string, method = 'GET', body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

interface Seen {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
    readonly data?: Record<string, string>;
  };
}

/** Follows all counts through whichever server answers, from where it was: a gap or a step back throws. */
class Follower {
  readonly seen = new Map<string, number>();
  readonly #servers: () => readonly Server[];
  #revision: string;
  #ended = false;
  events = 0;
  resumed = 0;

  constructor(servers: () => readonly Server[], revision: string) {
    this.#servers = servers;
    this.#revision = revision;
  }

  async run(): Promise<void> {
    for (let turn = 0; !this.#ended; turn++) {
      const servers = this.#servers();
      const server = servers[turn % servers.length];
      try {
        if (server) await this.#follow(server);
      } catch (error) {
        if (error instanceof Gap) throw error;
      }
      this.resumed++;
      await delay(10);
    }
  }

  end(): void {
    this.#ended = true;
  }

  async #follow({ url }: Server): Promise<void> {
    const query = `watch=1&resourceVersion=${this.#revision}&labelSelector=kills=yes&timeoutSeconds=1`;
    const response = await send(url, `${PATH}?${query}`);
    if (response.status === 410) throw new Gap(`history from ${this.#revision} is gone`);
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as Seen);
    }
  }

  #take({ type, object }: Seen): void {
    if (type === 'ERROR') throw new Gap(JSON.stringify(object));
    const { name, resourceVersion } = object.metadata;
    const count = Number(object.data?.['count']);
    const before = this.seen.get(name) ?? 0;
    if (count !== before + 1) throw new Gap(`${name} went from ${before} to ${count} at ${resourceVersion}`);
    this.seen.set(name, count);
    this.#revision = resourceVersion;
    this.events++;
  }
}

class Gap extends Error {}

/** Counts one object up, one write after another, through whichever server answers; knows what was answered. */
class Writer {
  readonly name: string;
  readonly #servers: () => readonly Server[];
  /** The highest count that was answered. */
  answered = 0;
  #ended = false;

  constructor(name: string, servers: () => readonly Server[]) {
    this.name = name;
    this.#servers = servers;
  }

  async run(): Promise<void> {
    for (let turn = 0; !this.#ended; turn++) {
      const servers = this.#servers();
      const server = servers[turn % servers.length];
      if (!server) await delay(5);
      else await this.#write(server).catch(() => delay(5));
    }
  }

  end(): void {
    this.#ended = true;
  }

  async #write({ url }: Server): Promise<void> {
    const found = await send(url, `${PATH}/${this.name}`);
    if (found.status !== 200 && found.status !== 404) return;
    const object = (await found.json()) as { metadata: object; data?: { count: string } };
    const count = found.status === 404 ? 0 : Number(object.data?.count);
    if (count < this.answered) throw new Error(`${this.name}: ${this.answered} was answered, ${count} is there`);
    const data = { count: String(count + 1) };
    const metadata = found.status === 404 ? { name: this.name, labels: { kills: 'yes' } } : object.metadata;
    const made =
      found.status === 404
        ? await send(url, PATH, 'POST', { metadata, data })
        : await send(url, `${PATH}/${this.name}`, 'PUT', { metadata, data });
    await made.text();
    if (made.ok) this.answered = count + 1;
  }
}

export async function killServers(rounds: number): Promise<string> {
  if (!etcdHere.has) return etcdHere.why;
  const etcd = await startEtcd();
  let leaders = 0;
  const problems: string[] = [];
  const servers: (Server | undefined)[] = [];
  const alive = (): Server[] => servers.filter((server) => server !== undefined);
  const judge = (): void => {
    const leading = alive().filter(({ leads }) => leads).length;
    if (leading > 1) problems.push('two servers led at the same time');
    if (leading === 1) leaders++;
  };
  const start = async (i: number): Promise<void> => {
    servers[i] = await startServer(etcd.url, `10.9.0.${i + 1}`, judge);
  };
  try {
    await Promise.all([start(0), start(1)]);
    const { metadata } = (await (await send(alive()[0]?.url ?? '', PATH)).json()) as {
      metadata: { resourceVersion: string };
    };
    const follower = new Follower(alive, metadata.resourceVersion);
    const following = follower.run().catch((error: unknown) => problems.push(String(error)));
    const writers = Array.from({ length: KEYS }, (_, i) => new Writer(`key-${i}`, alive));
    const writing = writers.map((writer) => writer.run());
    for (let round = 1; round <= rounds && problems.length === 0; round++) {
      await delay(Math.random() * 300);
      const victim = round % 2;
      const killed = servers[victim];
      servers[victim] = undefined;
      killed?.process.kill('SIGKILL');
      await start(victim);
    }
    for (const writer of writers) writer.end();
    await Promise.all(writing);
    for (const writer of writers) {
      const found = (await (await send(alive()[0]?.url ?? '', `${PATH}/${writer.name}`)).json()) as {
        data?: { count: string };
      };
      const count = Number(found.data?.count);
      if (count < writer.answered) problems.push(`${writer.name}: ${writer.answered} was answered, ${count} is there`);
      for (let i = 0; i < 500 && (follower.seen.get(writer.name) ?? 0) < count; i++) await delay(20);
      if (follower.seen.get(writer.name) !== count)
        problems.push(`${writer.name}: the watch saw ${follower.seen.get(writer.name)} of ${count}`);
    }
    follower.end();
    await following;
    if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
    const writes = writers.reduce((sum, { answered }) => sum + answered, 0);
    return `${rounds} kills of two servers on one etcd: ${writes} answered writes, none lost; ${follower.events} events over ${follower.resumed} watches without a gap; ${leaders} times one leader`;
  } finally {
    for (const server of alive()) server.process.kill('SIGKILL');
    await etcd.stop();
  }
}
