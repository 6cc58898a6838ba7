import { expect, test } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import { memoryBackend, openStorage, WriteError, type Backend, type Storage } from '../../src/storage/index.ts';
import { contents, eagerTuning, put, write } from './support.ts';

/** A disk that is full or not, as the test says; rule 27 is the backend's part. */
function disk(): { backend: Backend; full: boolean } {
  const memory = memoryBackend();
  const state = { full: false, backend: memory };
  state.backend = {
    ...memory,
    get full() {
      return state.full;
    },
    write: async (batch) => {
      if (state.full && batch.frees !== true) throw new WriteError('quota', 'there is no room');
      await memory.write(batch);
    },
  };
  return state;
}

async function open(): Promise<{ storage: Storage; state: ReturnType<typeof disk> }> {
  const state = disk();
  const storage = await openStorage({ backend: state.backend, clock: manualClock() });
  for (const key of ['/a', '/b', '/c']) await write(storage, put(key, '1'));
  return { storage, state };
}

const quota = { name: 'WriteError', reason: 'quota' };

test('rule 27: deletes are written beside writes that are refused, also of one group', async () => {
  const { storage, state } = await open();
  state.full = true;
  const outcomes = await Promise.allSettled([
    storage.commit([{ type: 'put', key: '/d', value: '1' }]),
    storage.commit([{ type: 'delete', key: '/a' }]),
    storage.commit([{ type: 'put', key: '/b', value: '2' }]),
    storage.commit([{ type: 'put', key: '/c', value: 'going' }], { frees: true }),
  ]);
  expect(outcomes).toMatchObject([
    { reason: quota },
    { value: { ok: true, revision: 4 } },
    { reason: quota },
    { value: { ok: true, revision: 5 } },
  ]);
  expect(contents(storage)).toEqual(['/b=1', '/c=going']);
});

test('rule 27: a commit that writes beside what it deletes makes no room', async () => {
  const { storage, state } = await open();
  state.full = true;
  const both = storage.commit([
    { type: 'delete', key: '/a' },
    { type: 'put', key: '/d', value: '1' },
  ]);
  await expect(both).rejects.toMatchObject({ reason: 'quota' });
  const deletes = storage.commit([
    { type: 'delete', key: '/a' },
    { type: 'check', key: '/b', expect: 2 },
  ]);
  expect(await deletes).toMatchObject({ ok: true });
  expect(contents(storage)).toEqual(['/b=1', '/c=1']);
});

test('rule 27: a delete that rests on a write that was refused is judged again', async () => {
  const { storage, state } = await open();
  state.full = true;
  const [written, deleted] = await Promise.allSettled([
    storage.commit([{ type: 'put', key: '/a', value: '2' }]),
    storage.commit([{ type: 'delete', key: '/a', expect: 1 }]),
  ]);
  expect([written, deleted]).toMatchObject([{ reason: quota }, { value: { ok: true, revision: 4 } }]);
});

test('rule 29: on a full disk deletes are compacted at once, and the condition is told', async () => {
  const { storage, state } = await open();
  const told: string[] = [];
  const end = storage.onCondition(({ is }) => told.push(is));
  state.full = true;
  await expect(write(storage, put('/d', '1'))).rejects.toMatchObject(quota);
  await storage.commit([{ type: 'delete', key: '/a' }]);
  await expect.poll(() => [storage.compacted, storage.stats().snapshotRows]).toEqual([4, 1]);
  expect(told).toEqual(['full']);
  state.full = false;
  await write(storage, put('/d', '1'));
  expect([told, storage.condition]).toEqual([['full', 'sound'], { is: 'sound' }]);
  end();
  state.full = true;
  await expect(write(storage, put('/e', '1'))).rejects.toMatchObject(quota);
  expect(told).toEqual(['full', 'sound']);
});

/** A disk of `capacity` bytes, of which `reserve` are kept back for what frees room. */
function smallDisk(capacity: number, reserve: number): Backend {
  const memory = memoryBackend();
  const sizes = new Map<string, number>();
  let full = false;
  return {
    ...memory,
    get full() {
      return full;
    },
    write: async (batch) => {
      const after = new Map(sizes);
      for (const { table, from, to } of batch.remove ?? [])
        for (const key of [...after.keys()]) {
          const [of, id] = key.split(' ');
          if (of === table && Number(id) >= from && Number(id) < to) after.delete(key);
        }
      for (const { table, id, bytes } of batch.put) after.set(`${table} ${id}`, bytes.length);
      const used = [...after.values()].reduce((sum, bytes) => sum + bytes, 0);
      full = used > capacity - reserve;
      if (used > (batch.frees ? capacity : capacity - reserve)) {
        full = true;
        throw new WriteError('quota', 'there is no room');
      }
      sizes.clear();
      for (const [key, bytes] of after) sizes.set(key, bytes);
      await memory.write(batch);
    },
  };
}

test('rule 29: a disk full of what is in use can be emptied, though no snapshot fits beside it', async () => {
  const storage = await openStorage(
    { backend: smallDisk(80_000, 24_000), clock: manualClock() },
    { ...eagerTuning, snapshotBytes: 4096, patience: 5 },
  );
  // Text that does not repeat itself, as rows are compressed.
  const text = (i: number): string => Array.from({ length: 60 }, (_, j) => (i * 60 + j) * 2_654_435_761).join();
  let filled = 0;
  for (; filled < 1000; filled++) {
    const written = await write(storage, put(`/fill-${filled}`, text(filled))).then(
      () => true,
      (error: unknown) => error,
    );
    if (written === true) continue;
    expect(written).toMatchObject(quota);
    break;
  }
  expect(filled).toBeGreaterThan(10);
  for (let i = 0; i < filled; i++) await storage.commit([{ type: 'delete', key: `/fill-${i}` }]);
  await expect.poll(() => storage.condition.is).toBe('sound');
  await write(storage, put('/again', '1'));
  expect(contents(storage)).toEqual(['/again=1']);
});
