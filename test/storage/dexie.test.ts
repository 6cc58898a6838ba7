import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import { deleteDexie, dexieBackend, openStorage } from '../../src/storage/index.ts';
import { contents, put, write } from './support.ts';

const fresh = (): { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange } => ({
  indexedDB: new IDBFactory(),
  IDBKeyRange,
});
const row = (
  table: 'base' | 'log',
  id: number,
): { table: 'base' | 'log'; id: number; bytes: Uint8Array<ArrayBuffer> } => ({
  table,
  id,
  bytes: new Uint8Array([id]),
});

test('reads a span of rows in order, so many at most', async () => {
  const backend = await dexieBackend({ name: 'a', indexedDB: fresh() });
  await backend.write({ put: [10, 2, 3, 1].map((id) => row('log', id)) });
  const ids = async (from: number, to: number, limit: number): Promise<number[]> =>
    (await backend.read('log', from, to, limit)).map(({ id }) => id);
  expect(await ids(0, Infinity, 100)).toEqual([1, 2, 3, 10]);
  expect(await ids(2, 10, 100)).toEqual([2, 3]);
  expect(await ids(0, Infinity, 2)).toEqual([1, 2]);
});

test('removes before it puts', async () => {
  const backend = await dexieBackend({ name: 'a', indexedDB: fresh() });
  await backend.write({ put: [1, 2, 3, 4].map((id) => row('log', id)) });
  await backend.write({ remove: [{ table: 'log', from: 1, to: 4 }], put: [row('log', 2), row('base', 1)] });
  expect((await backend.read('log', 0, Infinity, 9)).map(({ id }) => id)).toEqual([2, 4]);
  expect(await backend.read('base', 0, Infinity, 9)).toEqual([{ id: 1, bytes: new Uint8Array([1]) }]);
});

test('each cluster has a database of its own', async () => {
  const indexedDB = fresh();
  const open = async (name: string): ReturnType<typeof openStorage> =>
    openStorage({ backend: await dexieBackend({ name, indexedDB }), clock: manualClock() });
  const [one, two] = [await open('one'), await open('two')];
  await write(one, put('/a', 'one'));
  await write(two, put('/a', 'two'));
  expect([contents(one), contents(two)]).toEqual([['/a=one'], ['/a=two']]);
  await one.close();
  await deleteDexie('one', indexedDB);
  expect(contents(await open('one'))).toEqual([]);
  expect(contents(two)).toEqual(['/a=two']);
});

test('a database that is deleted meanwhile takes no more writes, and is not made anew', async () => {
  const indexedDB = fresh();
  const storage = await openStorage({ backend: await dexieBackend({ name: 'a', indexedDB }), clock: manualClock() });
  await write(storage, put('/a', '1'));
  await deleteDexie('a', indexedDB);
  await expect(write(storage, put('/a', '2'))).rejects.toMatchObject({ name: 'WriteError', reason: 'closed' });
  expect(contents(storage)).toEqual(['/a=1']);
  expect(await indexedDB.indexedDB.databases()).toEqual([]);
});

test('rule 9: a full disk is called so', async () => {
  const backend = await dexieBackend({ name: 'a', indexedDB: fresh() });
  const quota = new DOMException('the disk is full', 'QuotaExceededError');
  const spy = vi.spyOn(Dexie.prototype, 'transaction').mockRejectedValueOnce({ name: 'AbortError', inner: quota });
  await expect(backend.write({ put: [row('log', 1)] })).rejects.toMatchObject({ name: 'WriteError', reason: 'quota' });
  spy.mockRestore();
});
