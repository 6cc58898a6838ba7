import { WriteError } from '../errors.ts';
import type { Backend, Batch, Row, Table } from './backend.ts';

/** Replaces a disk for tests: a new backend over the same object reopens the data of the one before. */
export interface MemoryDisk {
  readonly tables: Readonly<Record<Table, Map<number, Uint8Array<ArrayBuffer>>>>;
  /** The number of openings; only the last one may write. */
  owner: number;
}

export function memoryDisk(): MemoryDisk {
  return { tables: { head: new Map(), base: new Map(), log: new Map() }, owner: 0 };
}

/** Rows in memory, in place of a disk. */
export function memoryBackend(disk: MemoryDisk = memoryDisk()): Backend {
  const owner = ++disk.owner;
  let closed = false;
  const mustOwn = (): void => {
    if (closed) throw new WriteError('closed', 'the database is closed');
    if (disk.owner !== owner) throw new WriteError('fenced', 'the database has been opened by somebody else');
  };
  return {
    read: async (table, from, to, limit) => rowsBetween(disk, table, from, to).slice(0, limit),
    write: async (batch) => {
      mustOwn();
      writeRows(disk, batch);
    },
    close: async () => {
      closed = true;
    },
  };
}

function rowsBetween(disk: MemoryDisk, table: Table, from: number, to: number): Row[] {
  const rows = Array.from(disk.tables[table], ([id, bytes]) => ({ id, bytes }));
  return rows.filter(({ id }) => id >= from && id < to).sort((a, b) => a.id - b.id);
}

function writeRows(disk: MemoryDisk, { remove = [], put }: Batch): void {
  for (const { table, from, to } of remove) {
    for (const { id } of rowsBetween(disk, table, from, to)) disk.tables[table].delete(id);
  }
  for (const { table, id, bytes } of put) disk.tables[table].set(id, bytes);
}
