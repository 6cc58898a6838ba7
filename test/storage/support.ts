import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { segmentBackend } from '../../src/hosts/node/data/segments.ts';
import { manualClock } from '../../src/std/index.ts';
import type { Clock } from '../../src/std/index.ts';
import type { Backend, CommitResult, Op, Storage, StorageEvent } from '../../src/storage/index.ts';
import { dexieBackend, memoryBackend, memoryDisk, openStorage } from '../../src/storage/index.ts';
import type { Tuning } from '../../src/storage/disk/journal.ts';

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
    name: 'dexie',
    disk: () => {
      const indexedDB = { indexedDB: new IDBFactory(), IDBKeyRange };
      return () => dexieBackend({ name: 'test', indexedDB });
    },
  },
  {
    name: 'segments',
    disk: () => {
      const directory = mkdtempSync(join(tmpdir(), 'vitrine-data-'));
      process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
      return () => segmentBackend(directory, { segmentBytes: 4096, copyBytes: 512 });
    },
  },
];

/** Tidies up after every few writes. */
export const eagerTuning: Tuning = { rowBytes: 256, joinRows: 4, smallRow: 512, snapshotBytes: 1024, patience: 1 };

/** A storage in memory with a clock that stands still. */
export async function open(options: { clock?: Clock; keep?: number; backend?: Backend } = {}): Promise<Storage> {
  return openStorage({ backend: memoryBackend(), clock: manualClock(), ...options });
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
