import Dexie from 'dexie';
import type { DexieOptions, Table as DexieTable } from 'dexie';
import type { WriteFailure } from '../../errors.ts';
import { WriteError } from '../../errors.ts';
import type { Backend, Batch, Row, Table } from '../backend.ts';

/**
 * `relaxed`: a write is done when it is with the operating system; it survives the tab, the worker and the browser being
 * killed, not a power cut. `strict`: it is done when the disk has it.
 */
export type Durability = 'relaxed' | 'strict';

export interface DexieBackendOptions {
  /** The cluster's name; every cluster has a database of its own. */
  readonly name: string;
  /** `relaxed` unless told. */
  readonly durability?: Durability;
  /** An IndexedDB other than the host's. */
  readonly indexedDB?: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>;
}

const PREFIX = 'vitrine/';

/** The one row of the table `owner`: how often the database was opened, so who opened it last. */
const OWNER = 0;

/** Opens the cluster's database, makes it where there is none, and fences off whoever had it before. */
export async function dexieBackend({ name, durability = 'relaxed', indexedDB }: DexieBackendOptions): Promise<Backend> {
  const database = new Dexie(PREFIX + name, {
    ...indexedDB,
    chromeTransactionDurability: durability,
    cache: 'disabled',
  });
  database.version(1).stores({ owner: '', head: 'id', base: 'id', log: 'id' });
  // Somebody deletes the database: let go of it, and don't make an empty one under the same name at the next write.
  database.on('versionchange', () => {
    database.close({ disableAutoOpen: true });
    return false;
  });
  try {
    return new DexieBackend(database, await claim(database));
  } catch (error) {
    database.close();
    throw asWriteError(error, 'opened');
  }
}

/** Removes a cluster's database; it must not be open. */
export async function deleteDexie(name: string, indexedDB: DexieBackendOptions['indexedDB'] = {}): Promise<void> {
  await new Dexie(PREFIX + name, indexedDB).delete();
}

/** The names of the clusters that have a database here. */
export async function listDexie(): Promise<string[]> {
  const names = await Dexie.getDatabaseNames();
  return names.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
}

async function claim(database: Dexie): Promise<number> {
  const owners: DexieTable<number, number> = database.table('owner');
  return database.transaction('rw', owners, async () => {
    const owner = ((await owners.get(OWNER)) ?? 0) + 1;
    await owners.put(owner, OWNER);
    return owner;
  });
}

class DexieBackend implements Backend {
  readonly #database: Dexie;
  readonly #owner: number;

  constructor(database: Dexie, owner: number) {
    this.#database = database;
    this.#owner = owner;
  }

  async read(table: Table, from: number, to: number, limit: number): Promise<readonly Row[]> {
    return this.#rows(table).where(':id').between(from, to).limit(limit).toArray();
  }

  async write(batch: Batch): Promise<void> {
    const touched = new Set([...batch.put, ...(batch.remove ?? [])].map(({ table }) => table));
    try {
      await this.#database.transaction('rw', ['owner', ...touched], () =>
        Promise.all([this.#assertOwner(), this.#change(batch)]),
      );
    } catch (error) {
      throw asWriteError(error);
    }
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** Throws, and thereby takes back the transaction around it, when the database has been opened again since. */
  async #assertOwner(): Promise<void> {
    const owner: unknown = await this.#database.table('owner').get(OWNER);
    if (owner !== this.#owner) throw new WriteError('fenced', 'the database has been opened by somebody else');
  }

  async #change({ remove = [], put }: Batch): Promise<void> {
    for (const { table, from, to } of remove) await this.#rows(table).where(':id').between(from, to).delete();
    await Promise.all(put.map(({ table, id, bytes }) => this.#rows(table).put({ id, bytes })));
  }

  #rows(table: Table): DexieTable<Row, number> {
    return this.#database.table(table);
  }
}

const REASONS: Readonly<Record<string, WriteFailure>> = { QuotaExceededError: 'quota', DatabaseClosedError: 'closed' };

/** Dexie wraps what IndexedDB says, an aborted transaction once more: the reason may lie one level down. */
function asWriteError(error: unknown, what = 'written'): WriteError {
  if (error instanceof WriteError) return error;
  const { name, inner, message } = error as { name?: string; inner?: { name?: string } | null; message?: string };
  const reason = REASONS[inner?.name ?? ''] ?? REASONS[name ?? ''] ?? 'failed';
  return new WriteError(reason, `the database could not be ${what}: ${message ?? String(error)}`, error);
}
