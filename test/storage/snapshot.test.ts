/** How a snapshot takes the place of the log: other writes go on beside it. */
import { expect, test } from 'vitest';
import type { Backend, Batch } from '../../src/storage/index.ts';
import { memoryBackend, memoryDisk, openStorage, WriteError } from '../../src/storage/index.ts';
import { manualClock } from '../../src/std/index.ts';
import { contents, put } from './support.ts';

const tuning = { rowBytes: 1000, joinRows: 8, smallRow: 100, snapshotBytes: 4000, removeBytes: 2000, patience: 1 };
const LARGE = 'x'.repeat(900);

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
  expect(Math.max(...removals)).toBeLessThanOrEqual(tuning.removeBytes + LARGE.length + tuning.rowBytes * 2);
  expect(removals.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(40 * LARGE.length);
  for (const { remove } of heads) expect(remove ?? []).toEqual([]);
});

test('rule 23: rows that an interruption has left mean nothing, and go with the next snapshot', async () => {
  const disk = memoryDisk();
  let refused = 0;
  const backend = watched(memoryBackend(disk), (removed) => {
    if (removed === 0) return;
    refused++;
    throw new WriteError('failed', 'the disk does not answer');
  });
  const first = await openStorage({ backend, clock: manualClock() }, { ...tuning, joinRows: Infinity });
  for (let i = 0; i < 20; i++) await first.commit([put(`/${i}`, LARGE)]);
  await first.compact(first.revision);
  await expect.poll(() => refused).toBeGreaterThan(0);
  await first.close();
  expect(disk.tables.log.size).toBeGreaterThan(19);

  const second = await openStorage({ backend: memoryBackend(disk), clock: manualClock() }, tuning);
  expect(contents(second)).toHaveLength(20);
  for (let i = 0; i < 40; i++) await second.commit([put(`/${i % 20}`, `again ${LARGE}`)]);
  await second.compact(second.revision);
  await expect.poll(() => disk.tables.log.size).toBeLessThan(5);
  await second.close();
  const third = await openStorage({ backend: memoryBackend(disk), clock: manualClock() }, tuning);
  expect(contents(third).every((text) => text.includes('again'))).toBe(true);
});
