/** An etcd server of its own for tests, in a directory that goes with the process. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';

const PROGRAM = process.env['VITRINE_ETCD'] ?? 'etcd';

/** Whether etcd can be run here; where not, `why` is the line that skipped tests show. */
export const etcdHere: { readonly has: boolean; readonly why: string } = {
  has: spawnSync(PROGRAM, ['--version']).status === 0,
  why: `skipped: no etcd here (Debian: etcd-server; or name one by VITRINE_ETCD)`,
};

export interface EtcdServer {
  readonly url: string;
  /** Kills it as a power cut does. */
  kill(): Promise<void>;
  /** Stops it from answering, as a machine does that swaps; its connections stay open. Resolves once it stands still. */
  pause(): Promise<void>;
  resume(): void;
  /** Starts it again at the same address with what it kept. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface EtcdServerOptions {
  /** Flags besides those of addresses and the directory. */
  readonly flags?: readonly string[];
  readonly scheme?: 'http' | 'https';
}

export async function startEtcd({ flags = [], scheme = 'http' }: EtcdServerOptions = {}): Promise<EtcdServer> {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-etcd-'));
  const [client, peer] = await freePorts();
  const url = `${scheme}://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  const args = [
    ...['--name', 'test', '--data-dir', directory, '--logger', 'zap', '--log-outputs', 'stderr', ...flags],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...[
      '--listen-peer-urls',
      peerUrl,
      '--initial-advertise-peer-urls',
      peerUrl,
      '--initial-cluster',
      `test=${peerUrl}`,
    ],
  ];
  let running = await start(args);
  const kill = async (): Promise<void> => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const exit = once(running, 'exit');
    running.kill('SIGKILL');
    await exit;
  };
  const end = (): void => {
    running.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', end);
  return {
    url,
    kill,
    pause: async () => {
      running.kill('SIGSTOP');
      while (!isStopped(running)) await after(1);
    },
    resume: () => void running.kill('SIGCONT'),
    restart: async () => {
      running = await start(args);
    },
    stop: async () => {
      await kill();
      process.off('exit', end);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Whether every thread of a process is stopped. A stop signal takes effect when the first thread next gets a turn; on a
 * busy machine the others answer requests until then. Where threads can't be seen (`/proc` is Linux's), it is taken as done.
 */
function isStopped({ pid }: ChildProcess): boolean {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return true;
  // The state is the first field after the program's name, which stands in parentheses.
  return readdirSync(threads).every((id) => readFileSync(`${threads}/${id}/stat`, 'utf8').includes(') T '));
}

/** Resolves when it answers. */
async function start(args: readonly string[]): Promise<ChildProcess> {
  const process = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    const reading = createInterface({ input: process.stderr });
    reading.on('line', (line) => {
      lines.push(line);
      if (/serving .*client (requests|traffic)/.test(line)) resolve(process);
    });
    process.once('exit', () => reject(new Error(`etcd ended: ${lines.slice(-5).join('\n')}`)));
  });
}

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  const [first = 0, second = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return [first, second];
}
