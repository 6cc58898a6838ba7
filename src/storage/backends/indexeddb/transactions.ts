/** IndexedDB's requests and transactions as promises. */

/** The tables of a database: the rows, and who may write them. */
export type StoreName = 'owner' | 'head' | 'base' | 'log';

/** An open transaction, to which requests can be added. */
export interface Open {
  store(name: StoreName): IDBObjectStore;
  /** Goes on with what a request found. What `use` throws aborts the transaction. */
  then<T>(request: IDBRequest<T>, use: (found: T) => void): void;
  /** Aborts the transaction: it fails with this error. */
  fail(error: unknown): void;
}

/** Runs `work` in one transaction. Resolves when that is complete; rejects with what `work` throws, or IndexedDB's error. */
export function transact(
  database: IDBDatabase,
  stores: readonly StoreName[],
  durability: IDBTransactionDurability,
  work: (open: Open) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(stores, 'readwrite', { durability });
    let problem: unknown;
    const fail = (error: unknown): void => {
      problem = error;
      transaction.abort();
    };
    const attempt = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        fail(error);
      }
    };
    const open: Open = {
      store: (name) => transaction.objectStore(name),
      then: (request, use) => (request.onsuccess = () => attempt(() => use(request.result))),
      fail,
    };
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(errorOf(problem ?? transaction.error));
    attempt(() => work(open));
  });
}

/** The result of a request. */
export const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(errorOf(request.error));
  });

const errorOf = (problem: unknown): Error =>
  problem instanceof Error ? problem : new Error(String(problem ?? 'the transaction was aborted'));
