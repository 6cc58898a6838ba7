/**
 * Keys that were made in the page, with the certificates that were signed for them. A key is held as the browser's own object,
 * which signs but cannot be read out; what is kept from one visit to the next lies in a database of the page's own, so that no
 * export of a cluster holds it.
 */
import { useEffect } from 'preact/compat';
import { create } from '../store.ts';
import { useCluster } from './session.ts';

export interface HeldKey {
  /** The uid of the signing request that it was made for. */
  readonly id: string;
  readonly cluster: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly key: CryptoKey;
  /** PEM; there as soon as the request is signed. */
  readonly certificate?: string;
  /** When the certificate ends, in milliseconds since the epoch. */
  readonly notAfter?: number;
}

const useKeyring = create<{ readonly held: readonly HeldKey[] }>()(() => ({ held: [] }));

const DATABASE = 'vitrine-keyring';
const STORE = 'keys';

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the keyring cannot be read'));
  });
}

async function withStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' });
  const database = await done(opening);
  try {
    return await done(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

const readAll = (): Promise<readonly HeldKey[]> =>
  withStore('readonly', (store) => store.getAll() as IDBRequest<HeldKey[]>);

/** Keeps a key, or what is new of it. `lasting`: from one visit to the next, as the cluster itself is. */
export async function holdKey(held: HeldKey, lasting: boolean): Promise<void> {
  useKeyring.setState((ring) => ({ held: [...ring.held.filter(({ id }) => id !== held.id), held] }));
  if (lasting) await withStore('readwrite', (store) => store.put(held));
}

export async function dropKey(id: string): Promise<void> {
  useKeyring.setState((ring) => ({ held: ring.held.filter((each) => each.id !== id) }));
  await withStore('readwrite', (store) => store.delete(id));
}

/** Drops all keys that were made for a cluster; with it they are worth nothing. */
export async function dropKeysOf(cluster: string): Promise<void> {
  for (const { id } of (await readAll()).filter((each) => each.cluster === cluster)) await dropKey(id);
}

/** The key of an identity. Throws where it is no longer held. */
export function heldKey(id: string): HeldKey {
  const held = useKeyring.getState().held.find((each) => each.id === id);
  if (!held) throw new Error('The key of this certificate is no longer held by the page.');
  return held;
}

/** The keys for the open cluster, those of earlier visits included. */
export function useHeldKeys(): readonly HeldKey[] {
  const { cluster } = useCluster();
  const held = useKeyring((ring) => ring.held);
  useEffect(() => {
    void readAll().then(
      (kept) =>
        useKeyring.setState((ring) => ({
          held: [...kept.filter(({ id }) => !ring.held.some((each) => each.id === id)), ...ring.held],
        })),
      () => undefined,
    );
  }, [cluster.name]);
  return held.filter((each) => each.cluster === cluster.name);
}
