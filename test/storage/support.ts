import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { etcdEngine } from '../../src/hosts/node/etcd/engine.ts';
import { segmentBackend } from '../../src/hosts/node/data/segments.ts';
import { manualClock } from '../../src/std/index.ts';
import type { Clock } from '../../src/std/index.ts';
import type { Backend, CommitResult, Op, Storage, StorageEvent } from '../../src/storage/index.ts';
import {
  indexedDbBackend,
  localEngine,
  memoryBackend,
  memoryDisk,
  openShared,
  openStorage,
} from '../../src/storage/index.ts';
import type { Tuning } from '../../src/storage/disk/tuning.ts';
import { etcdHere, startEtcd, type EtcdServer } from '../etcd/server.ts';
import { shifted } from '../etcd/shifted.ts';

/** A disk of its own for each call: what it returns opens the same database again and again. */
export const disks: readonly { readonly name: string; readonly disk: () => () => Promise<Backend> }[] = [
  {
    name: 'memory',
    disk: () => {
      const disk = memoryDisk();
      return async () => memoryBackend(disk);
    },
  },
  {
    name: 'IndexedDB',
    disk: () => {
      const indexedDB = { indexedDB: new IDBFactory(), IDBKeyRange };
      return () => indexedDbBackend({ name: 'test', host: indexedDB });
    },
  },
  {
    name: 'segments',
    disk: () => {
      const directory = mkdtempSync(join(tmpdir(), 'vitrine-data-'));
      const opened: Backend[] = [];
      // A test that plays a crash leaves its backend open; files must not wait for the garbage collection.
      onTestFinished(async () => {
        for (const backend of opened) await backend.close();
        rmSync(directory, { recursive: true, force: true });
      });
      return async () => {
        const backend = await segmentBackend(directory, { segmentBytes: 4096, copyBytes: 512 });
        opened.push(backend);
        return backend;
      };
    },
  },
];

/** Tidies up after every few writes. */
export const eagerTuning: Tuning = {
  rowBytes: 256,
  joinRows: 4,
  smallRow: 512,
  snapshotBytes: 1024,
  removeBytes: 512,
  patience: 1,
};

/** A storage in memory with a clock that stands still. */
export async function open(options: { clock?: Clock; keep?: number; backend?: Backend } = {}): Promise<Storage> {
  return openStorage({ backend: memoryBackend(), clock: manualClock(), ...options });
}

/** Every kind of storage, opened with nothing in it; `has` says whether it can be had on this machine. */
export const storages: readonly {
  readonly name: string;
  readonly has: boolean;
  readonly open: (clock?: Clock) => Promise<Storage>;
}[] = [
  { name: 'memory', has: true, open: (clock = manualClock()) => openStorage({ clock }) },
  { name: 'a disk in memory', has: true, open: (clock) => open(clock && { clock }) },
  { name: 'the storage of another server in the process', has: true, open: openBeside },
  { name: etcdHere.has ? 'etcd' : `etcd (${etcdHere.why})`, has: etcdHere.has, open: openOnEtcd },
];

async function openBeside(clock: Clock = manualClock()): Promise<Storage> {
  const engine = localEngine(
    await openStorage({ backend: memoryBackend(), clock, keep: Infinity, shared: true }),
    clock,
  );
  const storage = await openShared({ engine, clock });
  opened.push(storage);
  return storage;
}

let etcd: Promise<EtcdServer> | undefined;
let opened: Storage[] = [];

/** One server for all of them; each has keys and a count of revisions of its own. */
async function openOnEtcd(clock: Clock = manualClock()): Promise<Storage> {
  const { url } = await (etcd ??= startEtcd());
  const prefix = `/test-${opened.length}/`;
  const layout = { prefix, toEtcd: under(prefix), fromEtcd: from(prefix) };
  const engine = etcdEngine({ endpoints: [url], layout, now: () => clock.now() });
  const storage = await openShared({ engine: shifted(engine, await engine.newest()), clock });
  opened.push(storage);
  return storage;
}

const under = (prefix: string) => (key: string) => prefix + key;
const from = (prefix: string) => (key: string) => key.slice(prefix.length);

/** After all tests of a file. */
export async function closeStorages(): Promise<void> {
  for (const storage of opened) await storage.close();
  opened = [];
  const server = await etcd;
  etcd = undefined;
  await server?.stop();
}

export const put = (key: string, value: string, expect?: number): Op => ({
  type: 'put',
  key,
  value,
  ...(expect === undefined ? {} : { expect }),
});

export const del = (key: string, expect?: number): Op => ({
  type: 'delete',
  key,
  ...(expect === undefined ? {} : { expect }),
});

/** Commits each op by itself, one after another; returns the last result. */
export async function write(storage: Storage, ...ops: readonly Op[]): Promise<CommitResult | undefined> {
  let result: CommitResult | undefined;
  for (const op of ops) result = await storage.commit([op]);
  return result;
}

/** An event in few words: `3 put /a=x`, `4 delete /a`. */
export const brief = ({ revision, type, key, entry }: StorageEvent): string =>
  `${revision} ${type} ${key}${entry ? `=${entry.value}` : ''}`;

/** All keys with their values: `/a=x`. */
export function contents(storage: Storage, revision?: number): string[] {
  const range = { start: '', end: '\uffff', ...(revision === undefined ? {} : { revision }) };
  return storage.range(range).entries.map(({ key, value }) => `${key}=${value}`);
}
