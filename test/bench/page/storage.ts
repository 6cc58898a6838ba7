import { realClock } from '../../../src/std/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { deleteIndexedDb, indexedDbBackend, openStorage } from '../../../src/storage/index.ts';
import { pod } from '../objects.ts';
import type { Row } from '../row.ts';
import { byTurns, concurrently, perSecond, rate, timed } from '../row.ts';

const name = 'bench';
const OBJECTS = 100_000;
const CREATES = 10_000;
const BATCH = 100;

/** A pod as it is stored: some 2.3 KB. */
const value = (i: number): string => pod(`pod-${i}`).padEnd(2300);
const key = (i: number): string => `/registry/pods/default/pod-${i}`;

async function withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage({ backend: await indexedDbBackend({ name }), clock: realClock() });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

async function creates(inFlight: number): Promise<number> {
  await deleteIndexedDb(name);
  return withStorage(async (storage) => {
    const create = (i: number): Promise<unknown> =>
      storage.commit([{ type: 'put', key: key(i), value: value(i), expect: 0 }]);
    return rate(CREATES, await timed(() => concurrently(CREATES, inFlight, create)));
  });
}

/** The same objects as rows of an IndexedDB store, `BATCH` to a transaction, one transaction after another. */
async function rawPuts(): Promise<number> {
  const database = await opened('raw');
  const took = await timed(async () => {
    for (let from = 0; from < CREATES; from += BATCH) await putBatch(database, from);
  });
  database.close();
  indexedDB.deleteDatabase('raw');
  return rate(CREATES, took);
}

function opened(database: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('rows');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB does not open'));
  });
}

function putBatch(database: IDBDatabase, from: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction('rows', 'readwrite', { durability: 'relaxed' });
    for (let i = from; i < from + BATCH; i++) transaction.objectStore('rows').put(value(i), key(i));
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
  });
}

/** Reads all rows of the database as they are: the least that opening it can cost. */
async function readAll(): Promise<number> {
  const backend = await indexedDbBackend({ name });
  const took = await timed(async () => {
    for (const table of ['base', 'log'] as const) {
      for (let from = 0; ;) {
        const rows = await backend.read(table, from, Infinity, 16);
        if (rows.length === 0) break;
        from = (rows.at(-1)?.id ?? 0) + 1;
      }
    }
  });
  await backend.close();
  return took;
}

export const storageRows: readonly Row[] = [
  {
    name: 'durable creates in storage, 100 in flight',
    aim: '≥ 1 of raw IndexedDB puts in batches of 100',
    run: async () => {
      const measured = await byTurns(() => creates(100), rawPuts);
      return {
        subject: perSecond(measured.subject, 'creates'),
        reference: perSecond(measured.reference, 'raw puts'),
        ratio: measured.subject / measured.reference,
      };
    },
  },
  {
    name: 'durable creates in storage, 1 in flight',
    aim: 'none: one transaction for each',
    run: async () => {
      const measured = await byTurns(() => creates(1), rawPuts, 1);
      return {
        subject: perSecond(measured.subject, 'creates'),
        reference: perSecond(measured.reference, 'raw puts in batches'),
        ratio: measured.subject / measured.reference,
      };
    },
  },
  {
    name: 'opening 100 000 stored objects',
    aim: '≤ 3 s',
    run: async () => {
      await deleteIndexedDb(name);
      await withStorage((storage) =>
        concurrently(OBJECTS, 1000, (i) => storage.commit([{ type: 'put', key: key(i), value: value(i) }])),
      );
      const open = (): Promise<number> => timed(() => withStorage(() => Promise.resolve()));
      const measured = await byTurns(open, readAll, 3);
      return {
        subject: `${Math.round(measured.subject)} ms`,
        reference: `${Math.round(measured.reference)} ms to read the rows alone`,
        ratio: measured.subject / measured.reference,
      };
    },
  },
];
