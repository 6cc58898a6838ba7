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
import { Counter, CounterFollower, COUNTERS, type Send } from './counters.ts';

const TOKEN = 'kills';
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
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error(`the server at ${address} ended at its start`)),
  );
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
  ended.catch(() => undefined);
  const server: Server = { process: child, url, leads: false };
  child.on('message', (message: { leads?: boolean }) => {
    server.leads = message.leads ?? server.leads;
    leads();
  });
  return server;
}

const sendTo =
  (url: string): Send =>
  (path, init) =>
    fetch(url + path, { ...init, headers: { ...init?.headers, authorization: `Bearer ${TOKEN}` } });

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
  const sending = (): Send[] => alive().map(({ url }) => sendTo(url));
  try {
    await Promise.all([start(0), start(1)]);
    const found = await sendTo(alive()[0]?.url ?? '')(COUNTERS);
    const { metadata } = (await found.json()) as { metadata: { resourceVersion: string } };
    const follower = new CounterFollower({ servers: sending, revision: metadata.resourceVersion });
    const following = follower.run().catch((error: unknown) => problems.push(String(error)));
    const counters = Array.from({ length: KEYS }, (_, i) => new Counter(`key-${i}`, sending));
    const writing = counters.map((counter) => counter.run().catch((error: unknown) => problems.push(String(error))));
    for (let round = 1; round <= rounds && problems.length === 0; round++) {
      await delay(Math.random() * 300);
      const victim = round % 2;
      const killed = servers[victim];
      servers[victim] = undefined;
      killed?.process.kill('SIGKILL');
      await start(victim);
      if (round % 20 === 0) console.log(`${round} kills, ${follower.events} events, ${problems.length} problems`);
    }
    for (const counter of counters) counter.end();
    await Promise.all(writing);
    for (const counter of counters) {
      const count = await counter.read();
      if (count < counter.answered)
        problems.push(`${counter.name}: ${counter.answered} was answered, ${count} is there`);
      for (let i = 0; i < 500 && (follower.seen.get(counter.name) ?? 0) < count; i++) await delay(20);
      if (follower.seen.get(counter.name) !== count)
        problems.push(`${counter.name}: the watch saw ${follower.seen.get(counter.name)} of ${count}`);
    }
    follower.end();
    await following;
    if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
    const writes = counters.reduce((sum, { answered }) => sum + answered, 0);
    return `${rounds} kills of two servers on one etcd: ${writes} answered writes, none lost; ${follower.events} events over ${follower.resumed} watches without a gap; ${leaders} times one leader`;
  } finally {
    for (const server of alive()) server.process.kill('SIGKILL');
    await etcd.stop();
  }
}
