/**
 * Where a cluster's terminal keeps its files and its history: a database of the page's own, beside that of the cluster. What
 * belongs to a cluster in memory stays in memory.
 */
import type { HomeStore, Kept } from '../../../terminal/index.ts';

const DATABASE = 'vitrine-terminal';
const FILES = 'files';
const HISTORY = 'history';

interface KeptFile {
  readonly cluster: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

interface KeptHistory {
  readonly cluster: string;
  readonly lines: readonly string[];
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database of the terminal does not answer'));
  });
}

async function withDatabase<T>(work: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(FILES, { keyPath: ['cluster', 'path'] });
    opening.result.createObjectStore(HISTORY, { keyPath: 'cluster' });
  };
  const database = await done(opening);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/** Makes changes that are kept together or not at all. */
function write(change: (files: IDBObjectStore, history: IDBObjectStore) => void): Promise<void> {
  return withDatabase(
    (database) =>
      new Promise((resolve, reject) => {
        const writing = database.transaction([FILES, HISTORY], 'readwrite');
        writing.oncomplete = () => resolve();
        writing.onabort = () => reject(writing.error ?? new Error('the database of the terminal takes nothing'));
        change(writing.objectStore(FILES), writing.objectStore(HISTORY));
      }),
  );
}

/** All keys that begin with a cluster's name. */
const filesOf = (cluster: string): IDBKeyRange => IDBKeyRange.bound([cluster], [cluster, []]);

/** The store of a cluster in IndexedDB: kept from one visit to the next. */
export const savedHomeStore = (cluster: string): HomeStore => ({
  read: () =>
    withDatabase(async (database): Promise<Kept> => {
      const reading = database.transaction([FILES, HISTORY]);
      const files = done(reading.objectStore(FILES).getAll(filesOf(cluster)) as IDBRequest<KeptFile[]>);
      const history = done(reading.objectStore(HISTORY).get(cluster) as IDBRequest<KeptHistory | undefined>);
      const [found, lines] = await Promise.all([files, history]);
      return { files: new Map(found.map(({ path, bytes }) => [path, bytes])), history: lines?.lines ?? [] };
    }),
  keep: ({ put, remove }) =>
    write((files) => {
      for (const path of remove) files.delete([cluster, path]);
      for (const [path, bytes] of put) files.put({ cluster, path, bytes } satisfies KeptFile);
    }),
  keepHistory: (lines) =>
    write((_files, history) => void history.put({ cluster, lines: [...lines] } satisfies KeptHistory)),
});

/** The store of a cluster in memory. */
export function memoryHomeStore(): HomeStore {
  const files = new Map<string, Uint8Array>();
  let history: readonly string[] = [];
  return {
    read: () => Promise.resolve({ files, history }),
    keep: ({ put, remove }) => {
      for (const path of remove) files.delete(path);
      for (const [path, bytes] of put) files.set(path, bytes);
      return Promise.resolve();
    },
    keepHistory: (lines) => {
      history = lines;
      return Promise.resolve();
    },
  };
}

/** Forgets what a cluster's terminal has kept; the cluster is gone. */
export const clearHomeStore = (cluster: string): Promise<void> =>
  write((files, history) => {
    files.delete(filesOf(cluster));
    history.delete(cluster);
  });
