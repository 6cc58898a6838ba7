import { expect, test } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import { memoryBackend, openStorage, WriteError, type Backend, type Storage } from '../../src/storage/index.ts';
import { contents, put, write } from './support.ts';

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
