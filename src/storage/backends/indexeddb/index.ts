import { getOwn } from '../../../std/index.ts';
import type { WriteFailure } from '../../errors.ts';
import { WriteError } from '../../errors.ts';
import type { Backend, Batch, Row, Table } from '../backend.ts';
import { Ownership } from './ownership.ts';
import { Reserve } from './reserve.ts';
import { resultOf, transact, type Open, type StoreName } from './transactions.ts';

/**
 * `relaxed`: a write is done once the operating system has it; it survives the end of the tab, the worker and the
 * browser, but not a power failure. `strict`: it is done once it is on disk.
 */
export type Durability = 'relaxed' | 'strict';

export interface IndexedDbOptions {
  /** The cluster's name; every cluster has its own database. */
  readonly name: string;
  /** `relaxed` by default. */
  readonly durability?: Durability;
  /** Deletes data that the host can do without when the disk is full; returns whether there was any. */
  readonly freeSpace?: () => Promise<boolean>;
  /** Replaces the host's IndexedDB. */
  readonly host?: IndexedDbHost;
}

export interface IndexedDbHost {
  readonly indexedDB: IDBFactory;
  readonly IDBKeyRange: Pick<typeof IDBKeyRange, 'bound'>;
}

const PREFIX = 'vitrine/';
/** Databases have had this number from the beginning. A higher one is of a newer page. */
const VERSION = 10;

/**
 * Opens the cluster's database, creates it if it does not exist, and fences off the previous user. If there is no space
 * for that, the database is readable and the first write that finds space claims it. Throws WriteError.
 */
export async function indexedDbBackend({
  name,
  durability = 'relaxed',
  freeSpace = async () => false,
  host = globalThis,
}: IndexedDbOptions): Promise<Backend> {
  try {
    const database = await openDatabase(PREFIX + name, host);
    const backend = new IndexedDbBackend({ database, durability, freeSpace, host });
    try {
      await backend.claim();
      return backend;
    } catch (error) {
      await backend.close();
      throw error;
    }
  } catch (error) {
    throw asWriteError(error, 'opened');
  }
}

/** Deletes a cluster's database; a tab that has it open loses it. */
export async function deleteIndexedDb(name: string, { indexedDB }: IndexedDbHost = globalThis): Promise<void> {
  await resultOf(indexedDB.deleteDatabase(PREFIX + name));
}

function openDatabase(name: string, { indexedDB }: IndexedDbHost): Promise<IDBDatabase> {
  const request = indexedDB.open(name, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('owner');
    for (const table of ['head', 'base', 'log']) request.result.createObjectStore(table, { keyPath: 'id' });
  };
  return resultOf(request);
}

interface BackendParts extends Required<Pick<IndexedDbOptions, 'durability' | 'freeSpace' | 'host'>> {
  readonly database: IDBDatabase;
}

class IndexedDbBackend implements Backend {
  /** A transaction takes the browser's own process two or three milliseconds of CPU. */
  readonly gap = 16;
  readonly copies = true;
  readonly lost: Promise<string>;
  readonly #parts: BackendParts;
  readonly #reserve: Reserve;
  readonly #ownership = new Ownership();
  #full = false;

  constructor(parts: BackendParts) {
    this.#parts = parts;
    this.#reserve = new Reserve(parts.database, (work) => this.#transact(['owner'], work));
    this.lost = whenLost(parts.database);
  }

  get full(): boolean {
    return this.#full;
  }

  /** Claims the database; postpones that if there is no space for it. */
  async claim(): Promise<void> {
    await this.#reserve.look();
    try {
      await this.#usingReserve(() => this.#take((open) => this.#ownership.takeOver(open)));
    } catch (error) {
      if (!this.#full) throw error;
    }
  }

  async read(table: Table, from: number, to: number, limit: number): Promise<readonly Row[]> {
    if (from >= to) return [];
    const { database, host } = this.#parts;
    const rows = database.transaction(table).objectStore(table);
    return resultOf<Row[]>(rows.getAll(host.IDBKeyRange.bound(from, to, false, true), limit));
  }

  async write(batch: Batch): Promise<void> {
    const change = (): Promise<void> => this.#change(batch);
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
    this.#parts.database.close();
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
      if (await this.#parts.freeSpace()) return this.#withRoom(work);
      this.#full = true;
      throw problem;
    }
  }

  async #change({ remove = [], put }: Batch): Promise<void> {
    if (!this.#ownership.claimed) await this.#take((open) => this.#ownership.claim(open));
    const touched = new Set<Table>([...put, ...remove].map(({ table }) => table));
    const { IDBKeyRange } = this.#parts.host;
    await this.#transact(['owner', ...touched], (open) => {
      this.#ownership.assert(open);
      for (const { table, from, to } of remove)
        if (from < to) open.store(table).delete(IDBKeyRange.bound(from, to, false, true));
      for (const { table, id, bytes } of put) open.store(table).put({ id, bytes });
    });
  }

  async #take(work: (open: Open) => void): Promise<void> {
    await this.#transact(['owner'], work);
    this.#ownership.took();
  }

  #transact(stores: readonly StoreName[], work: (open: Open) => void): Promise<void> {
    return transact(this.#parts.database, stores, this.#parts.durability, work);
  }
}

/**
 * Resolves when the database was deleted, or the browser closed it permanently, but not after our own `close`. It closes the
 * connection, so that a tab that deletes the database or opens a newer version of it does not wait.
 */
function whenLost(database: IDBDatabase): Promise<string> {
  return new Promise((resolve) => {
    database.onversionchange = ({ newVersion }) => {
      resolve(
        newVersion === null ? 'its database was deleted' : 'a newer version of this page has opened its database',
      );
      database.close();
    };
    database.onclose = () => resolve('the browser has closed its database');
  });
}

/** What errors of IndexedDB mean; nothing but a closed connection is in a wrong state here. */
const REASONS: Readonly<Record<string, WriteFailure>> = { QuotaExceededError: 'quota', InvalidStateError: 'closed' };

function asWriteError(error: unknown, what = 'written'): WriteError {
  if (error instanceof WriteError) return error;
  const { name = '', message = String(error) } = error as { name?: string; message?: string };
  return new WriteError(getOwn(REASONS, name) ?? 'failed', `the database could not be ${what}: ${message}`, error);
}
