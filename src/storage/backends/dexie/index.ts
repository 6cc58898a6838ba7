import { getOwn } from '../../../std/index.ts';
import Dexie from 'dexie';
import type { DexieOptions, Table as DexieTable } from 'dexie';
import type { WriteFailure } from '../../errors.ts';
import { WriteError } from '../../errors.ts';
import type { Backend, Batch, Row, Table } from '../backend.ts';
import { Ownership } from './ownership.ts';
import { Reserve } from './reserve.ts';

/**
 * `relaxed`: a write is done once the operating system has it; it survives the end of the tab, the worker and the
 * browser, but not a power failure. `strict`: it is done once it is on disk.
 */
export type Durability = 'relaxed' | 'strict';

export interface DexieBackendOptions {
  /** The cluster's name; every cluster has its own database. */
  readonly name: string;
  /** `relaxed` by default. */
  readonly durability?: Durability;
  /** Deletes data that the host can do without when the disk is full; returns whether there was any. */
  readonly freeSpace?: () => Promise<boolean>;
  /** Replaces the host's IndexedDB. */
  readonly indexedDB?: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>;
}

const PREFIX = 'vitrine/';

/**
 * Opens the cluster's database, creates it if it does not exist, and fences off the previous user. If there is no space
 * for that, the database is readable and the first write that finds space claims it. Throws WriteError.
 */
export async function dexieBackend(options: DexieBackendOptions): Promise<Backend> {
  const database = openDatabase(options);
  const backend = new DexieBackend(database, options.freeSpace);
  try {
    await backend.claim();
    return backend;
  } catch (error) {
    await backend.close();
    throw asWriteError(error, 'opened');
  }
}

/** Deletes a cluster's database; it must not be open. */
export async function deleteDexie(name: string, indexedDB: DexieBackendOptions['indexedDB'] = {}): Promise<void> {
  await new Dexie(PREFIX + name, indexedDB).delete();
}

function openDatabase({ name, durability = 'relaxed', indexedDB }: DexieBackendOptions): Dexie {
  const options: DexieOptions = { ...indexedDB, chromeTransactionDurability: durability, cache: 'disabled' };
  const database = new Dexie(PREFIX + name, options);
  // Nobody follows the rows. Without this, each write is announced to all pages and workers of the origin.
  for (const middleware of ['Cache', 'Observability']) database.unuse({ stack: 'dbcore', name: middleware });
  database.version(1).stores({ owner: '', head: 'id', base: 'id', log: 'id' });
  return database;
}

class DexieBackend implements Backend {
  readonly lost: Promise<string>;
  readonly #database: Dexie;
  readonly #reserve: Reserve;
  readonly #ownership: Ownership;
  readonly #freeSpace: () => Promise<boolean>;
  #full = false;
  #closed = false;

  constructor(database: Dexie, freeSpace: DexieBackendOptions['freeSpace'] = async () => false) {
    this.#database = database;
    this.#freeSpace = freeSpace;
    this.#reserve = new Reserve(database);
    this.#ownership = new Ownership(database);
    this.lost = whenLost(database, () => this.#closed);
  }

  get full(): boolean {
    return this.#full;
  }

  /** Claims the database; postpones that if there is no space for it. */
  async claim(): Promise<void> {
    await this.#reserve.look();
    try {
      await this.#usingReserve(() => this.#ownership.takeOver());
    } catch (error) {
      if (!this.#full) throw error;
    }
  }

  async read(table: Table, from: number, to: number, limit: number): Promise<readonly Row[]> {
    return this.#rows(table).where(':id').between(from, to).limit(limit).toArray();
  }

  async write(batch: Batch): Promise<void> {
    const change = (): Promise<void> => this.#transact(batch);
    if (batch.frees !== true) {
      await this.#withRoom(() => this.#reserve.fill());
      await this.#withRoom(change);
      this.#full = false;
      return;
    }
    await this.#usingReserve(change);
    if (this.#full && batch.remove) await this.#refill();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#database.close();
  }

  /** After space was freed: once the reserve fits again, other writes are allowed again. */
  async #refill(): Promise<void> {
    try {
      await this.#reserve.fill(true);
      this.#full = false;
    } catch {
      // There is still no space; the next write checks again.
    }
  }

  /** Runs `work`, using the reserved space if needed. */
  async #usingReserve(work: () => Promise<void>): Promise<void> {
    try {
      await this.#withRoom(work);
    } catch (error) {
      if (!this.#full || !(await this.#reserve.release())) throw error;
      await this.#withRoom(work);
    }
  }

  /** Runs `work`; if there is no space for it, again after the host has freed some. */
  async #withRoom(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const problem = asWriteError(error);
      if (problem.reason !== 'quota') throw problem;
      if (await this.#freeSpace()) return this.#withRoom(work);
      this.#full = true;
      throw problem;
    }
  }

  async #transact(batch: Batch): Promise<void> {
    await this.#ownership.claim();
    const touched = new Set([...batch.put, ...(batch.remove ?? [])].map(({ table }) => table));
    await this.#database.transaction('rw', ['owner', ...touched], () =>
      Promise.all([this.#ownership.assert(), this.#change(batch)]),
    );
  }

  async #change({ remove = [], put }: Batch): Promise<void> {
    for (const { table, from, to } of remove) await this.#rows(table).where(':id').between(from, to).delete();
    await Promise.all(put.map(({ table, id, bytes }) => this.#rows(table).put({ id, bytes })));
  }

  #rows(table: Table): DexieTable<Row, number> {
    return this.#database.table(table);
  }
}

/**
 * Resolves when the database was deleted, or the browser closed it permanently, but not after our own `close`
 * (`isClosed`). It closes the connection, so that the next write does not create an empty database of the same name.
 */
function whenLost(database: Dexie, isClosed: () => boolean): Promise<string> {
  return new Promise((resolve) => {
    database.on('versionchange', ({ newVersion }) => {
      resolve(
        newVersion === null ? 'its database was deleted' : 'a newer version of this page has opened its database',
      );
      database.close({ disableAutoOpen: true });
      return false;
    });
    database.on('close', () => {
      if (!isClosed()) resolve('the browser has closed its database');
    });
  });
}

const REASONS: Readonly<Record<string, WriteFailure>> = { QuotaExceededError: 'quota', DatabaseClosedError: 'closed' };

/** Dexie wraps the errors of IndexedDB, and those of aborted transactions twice: the reason may be one level down. */
function asWriteError(error: unknown, what = 'written'): WriteError {
  if (error instanceof WriteError) return error;
  const { name, inner, message } = error as { name?: string; inner?: { name?: string } | null; message?: string };
  const reason = getOwn(REASONS, inner?.name ?? '') ?? getOwn(REASONS, name ?? '') ?? 'failed';
  return new WriteError(reason, `the database could not be ${what}: ${message ?? String(error)}`, error);
}
