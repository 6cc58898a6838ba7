/** A data directory on a disk that is full. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { segmentBackend } from '../../src/hosts/node/data/segments.ts';
import { writeAll, type WriteAll } from '../../src/hosts/node/data/writeAll.ts';
import { manualClock } from '../../src/std/index.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { contents, put, write } from '../storage/support.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vitrine-full-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const sizeOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
const used = (): number => sizeOf(readdirSync(directory));
/** Without what is kept back. */
const usedBySegments = (): number => sizeOf(readdirSync(directory).filter((name) => name.endsWith('.segment')));

/** A disk with room for so many bytes, which takes a part of what does not fit whole, as disks do. */
function diskOf(capacity: number): { room: number; write: WriteAll } {
  const disk = {
    room: capacity,
    write: async (file: FileHandle, bytes: Uint8Array, at: number) => {
      const { size } = await file.stat();
      const fits = Math.max(0, disk.room - used() + Math.max(0, size - at));
      await writeAll(file, bytes.subarray(0, fits), at);
      if (fits < bytes.length)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
  };
  return disk;
}

const open = async (disk: { write: WriteAll }): Promise<Storage> =>
  openStorage({
    backend: await segmentBackend(directory, { segmentBytes: 256 << 10, copyBytes: 32 << 10, writeAll: disk.write }),
    clock: manualClock(),
  });

/** Text that does not repeat itself, as rows are compressed. */
const text = (i: number): string => Array.from({ length: 300 }, (_, j) => (i * 300 + j) * 2_654_435_761).join();

/** Writes until the disk is full; how many were taken. */
async function fill(storage: Storage): Promise<number> {
  for (let i = 0; i < 5000; i++) {
    const refused = await write(storage, put(`/fill-${i}`, text(i))).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refused === undefined) continue;
    expect(refused).toMatchObject({ name: 'WriteError', reason: 'quota' });
    return i;
  }
  throw new Error('the disk never became full');
}

test('takes deletions, and writes again when they have made room', async () => {
  const disk = diskOf(6 << 20);
  const storage = await open(disk);
  const filled = await fill(storage);
  expect(filled).toBeGreaterThan(100);
  expect(storage.condition.is).toBe('full');
  for (let i = 1; i < filled; i++) await storage.commit([{ type: 'delete', key: `/fill-${i}` }]);
  await expect.poll(() => storage.condition.is).toBe('sound');
  await write(storage, put('/again', '1'));
  await storage.close();
  expect(usedBySegments()).toBeLessThan(2.5 * 2 ** 20);
  const again = await open(disk);
  expect(contents(again).map((line) => line.split('=')[0])).toEqual(['/again', '/fill-0']);
  await again.close();
});

test('loses nothing that was confirmed, and opens while it is still full', async () => {
  const disk = diskOf(5 << 20);
  const storage = await open(disk);
  const filled = await fill(storage);
  await storage.commit([{ type: 'delete', key: '/fill-3' }]);
  await storage.close();
  disk.room = used();
  const again = await open(disk);
  expect(contents(again)).toHaveLength(filled - 1);
  expect(again.get('/fill-0')?.value).toBe(text(0));
  await expect(write(again, put('/more', text(1)))).rejects.toMatchObject({ reason: 'quota' });
  await again.close();
});
