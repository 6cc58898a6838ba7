/** Where the control planes of a replay keep what they are given: the recorded behaviour has to be the same on every storage. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { ClusterOptions, Host } from '../../src/cluster/index.ts';
import { segmentBackend } from '../../src/hosts/node/data/segments.ts';
import { etcdStorage } from '../../src/hosts/node/etcd/storage.ts';
import { indexedDbBackend } from '../../src/storage/index.ts';
import { startEtcd } from '../etcd/server.ts';

/** What a cluster is made of on a storage of its own, with nothing in it; `close` follows the cluster's end. */
export interface Place {
  readonly options: ClusterOptions;
  readonly host: Host;
  close(): Promise<void>;
}

type Open = (options: ClusterOptions) => Promise<Place>;

export const storages = {
  memory: async (options) => ({ options, host: {}, close: () => Promise.resolve() }),
  indexeddb: async (options) => {
    const indexedDB = { indexedDB: new IDBFactory(), IDBKeyRange };
    const backend = await indexedDbBackend({ name: 'conformance', host: indexedDB });
    return { options, host: { backend }, close: () => Promise.resolve() };
  },
  files: async (options) => {
    const directory = mkdtempSync(join(tmpdir(), 'vitrine-conformance-'));
    const close = async (): Promise<void> => rmSync(directory, { recursive: true, force: true });
    return { options, host: { backend: await segmentBackend(directory) }, close };
  },
  /** Compactions are etcd's own, so each control plane has one. */
  etcd: async (options) => {
    const etcd = await startEtcd();
    const whole = { ...options, apiserver: [...(options.apiserver ?? []), `--etcd-servers=${etcd.url}`] };
    return { options: whole, host: etcdStorage(whole), close: () => etcd.stop() };
  },
} as const satisfies Readonly<Record<string, Open>>;

export type StorageName = keyof typeof storages;

export const isStorageName = (name: string | undefined): name is StorageName =>
  name !== undefined && Object.hasOwn(storages, name);
