/** How a snapshot takes the place of the log: other writes go on beside it. */
import { expect, test } from 'vitest';
import type { Backend, Batch, MemoryDisk, Storage } from '../../src/storage/index.ts';
import { DamagedError, memoryBackend, memoryDisk, openStorage, WriteError } from '../../src/storage/index.ts';
import { manualClock, settle } from '../../src/std/index.ts';
import { contents, put } from './support.ts';

const tuning = { rowBytes: 1000, joinRows: 8, smallRow: 100, snapshotBytes: 4000, removeBytes: 2000, patience: 1 };
const LARGE = 'x'.repeat(900);
/** Bytes that one write may remove: what is asked for, and the row with which that is reached. */
const MOST_REMOVED = tuning.removeBytes + tuning.rowBytes * 2;

/** A backend that says of each batch how many bytes it removes, before it is written. */
function watched(inner: Backend, onWrite: (removed: number, batch: Batch) => void): Backend {
  return {
    ...inner,
    write: async (batch) => {
      let removed = 0;
      for (const { table, from, to } of batch.remove ?? [])
        for (const { bytes } of await inner.read(table, from, to, Infinity)) removed += bytes.length;
      onWrite(removed, batch);
      await inner.write(batch);
    },
  };
}

const turns = (batch: Batch): boolean => batch.put.some(({ table }) => table === 'head');

test('rule 23: one write turns the head, and others remove a few rows each', async () => {
  const removals: number[] = [];
  const heads: Batch[] = [];
  const backend = watched(memoryBackend(), (removed, batch) => {
    removals.push(removed);
    if (turns(batch)) heads.push(batch);
  });
  const storage = await openStorage({ backend, clock: manualClock() }, tuning);
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 20; i++) await storage.commit([put(`/${i}`, `${round} ${LARGE}`)]);
    const before = heads.length;
    await storage.compact(storage.revision);
    await expect.poll(() => heads.length).toBe(before + 1);
  }
  await storage.close();
  expect(Math.max(...removals)).toBeLessThanOrEqual(MOST_REMOVED);
  expect(removals.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(40 * LARGE.length);
  for (const { remove } of heads) expect(remove ?? []).toEqual([]);
});

/** A disk on which a removal was interrupted: keys 0 to 9 hold `LARGE`, and rows of the log before the snapshot are still there. */
async function interrupted(): Promise<MemoryDisk> {
  const disk = memoryDisk();
  let refused = 0;
  const backend = watched(memoryBackend(disk), (removed) => {
    if (removed === 0) return;
    refused++;
    throw new WriteError('failed', 'the disk does not answer');
  });
  const storage = await openStorage({ backend, clock: manualClock() }, { ...tuning, joinRows: Infinity });
  for (let i = 0; i < 20; i++) await storage.commit([put(`/${i}`, LARGE)]);
  for (let i = 10; i < 20; i++) await storage.commit([{ type: 'delete', key: `/${i}` }]);
  await storage.compact(storage.revision);
  await expect.poll(() => refused).toBeGreaterThan(0);
  await storage.close();
  expect(disk.tables.log.size).toBeGreaterThan(29);
  return disk;
}

test('rule 23: rows that an interruption has left mean nothing, and go with the next snapshot, a few at a time', async () => {
  const disk = await interrupted();
  const removals: number[] = [];
  const backend = watched(memoryBackend(disk), (removed) => removals.push(removed));
  const second = await openStorage({ backend, clock: manualClock() }, tuning);
  expect(contents(second)).toHaveLength(10);
  for (let i = 0; i < 40; i++) await second.commit([put(`/${i % 20}`, `again ${LARGE}`)]);
  await second.compact(second.revision);
  await expect.poll(() => disk.tables.log.size).toBeLessThan(5);
  await second.close();
  expect(Math.max(...removals)).toBeLessThanOrEqual(MOST_REMOVED);
  const third = await openStorage({ backend: memoryBackend(disk), clock: manualClock() }, tuning);
  expect(contents(third).every((text) => text.includes('again'))).toBe(true);
});

test('rule 25: a repair beside such rows makes the database sound', async () => {
  const disk = await interrupted();
  const [id, bytes] = [...disk.tables.base].at(-1) ?? [];
  if (id === undefined || bytes === undefined) throw new Error('there is no snapshot');
  const broken = bytes.slice();
  broken[broken.length - 5] = (broken[broken.length - 5] ?? 0) ^ 0xff;
  disk.tables.base.set(id, broken);
  const open = (): Promise<Storage> => openStorage({ backend: memoryBackend(disk), clock: manualClock() }, tuning);
  const error = await open().catch((reason: unknown) => reason);
  if (!(error instanceof DamagedError)) throw error;
  await error.repair();
  const repaired = await open();
  expect(repaired.condition.is).toBe('sound');
  expect(disk.tables.log.size).toBe(0);
});

/** Rows of the log are joined by four, and a snapshot is made whenever it replaces anything. */
const joining = { ...tuning, joinRows: 4, snapshotBytes: 1 };
const small = ['/1=x', '/2=x', '/3=x', '/4=x', '/5=x', '/6=x'];
const isJoin = ({ put: rows, remove = [] }: Batch): boolean =>
  rows.some(({ table }) => table === 'log') && remove.some(({ table }) => table === 'log');
const logOf = (disk: MemoryDisk): number[] => [...disk.tables.log.keys()].sort((a, b) => a - b);
const rest = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await settle();
};

/** Six commits, of which the first four are in one row. */
async function joined(backend: Backend): Promise<Storage> {
  const storage = await openStorage({ backend, clock: manualClock() }, joining);
  for (let i = 1; i <= 6; i++) {
    await storage.commit([put(`/${i}`, 'x')]);
    await rest();
  }
  return storage;
}

/** Has a snapshot in the middle of the joined row, and then one at its end. */
async function snapshots(storage: Storage, disk: MemoryDisk): Promise<void> {
  await storage.compact(2);
  await rest();
  expect(disk.tables.base.size).toBe(0);
  expect(await reopened(disk)).toEqual(small);
  await storage.compact(4);
  await rest();
  expect([disk.tables.base.size > 0, (logOf(disk)[0] ?? 0) > 4, storage.stats().segments]).toEqual([
    true,
    true,
    disk.tables.log.size,
  ]);
  await storage.close();
  expect(await reopened(disk)).toEqual(small);
}

async function reopened(disk: MemoryDisk): Promise<string[]> {
  const tables = { head: new Map(disk.tables.head), base: new Map(disk.tables.base), log: new Map(disk.tables.log) };
  const storage = await openStorage({ backend: memoryBackend({ owner: 0, tables }), clock: manualClock() }, joining);
  const found = contents(storage);
  await storage.close();
  return found;
}

test('rule 23: a snapshot leaves a joined row in which later changes are', async () => {
  const disk = memoryDisk();
  const storage = await joined(memoryBackend(disk));
  expect(logOf(disk)).toHaveLength(3);
  await snapshots(storage, disk);
});

test('rule 23: nor does it drop one of which nobody knew whether it had been joined', async () => {
  const disk = memoryDisk();
  const memory = memoryBackend(disk);
  let joins = 0;
  const backend: Backend = {
    ...memory,
    write: async (batch) => {
      await memory.write(batch);
      if (isJoin(batch) && ++joins === 1) throw new WriteError('failed', 'the disk does not answer');
    },
  };
  const storage = await joined(backend);
  expect([joins, logOf(disk).length, storage.stats().upkeepError]).toEqual([1, 3, undefined]);
  await snapshots(storage, disk);
});

test('rule 23: nor one that had been joined before the database was opened; later rows are joined behind it', async () => {
  const disk = memoryDisk();
  await (await joined(memoryBackend(disk))).close();
  const storage = await openStorage({ backend: memoryBackend(disk), clock: manualClock() }, joining);
  expect(storage.stats().segments).toBe(3);
  await snapshots(storage, disk);
  const again = await openStorage({ backend: memoryBackend(disk), clock: manualClock() }, joining);
  for (let i = 1; i <= 6; i++) {
    await again.commit([put(`/${i}`, 'y')]);
    await rest();
  }
  expect(again.stats().segments).toBe(disk.tables.log.size);
  await again.close();
  expect(await reopened(disk)).toEqual(small.map((text) => text.replace('x', 'y')));
});
