import { IDBDatabase, IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb';
import { describe, expect, test, vi } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import type { Backend } from '../../src/storage/backends/backend.ts';
import { loadDatabase } from '../../src/storage/disk/load.ts';
import { deleteIndexedDb, indexedDbBackend, openStorage } from '../../src/storage/index.ts';
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
  const backend = await indexedDbBackend({ name: 'a', host: fresh() });
  await backend.write({ put: [10, 2, 3, 1].map((id) => row('log', id)) });
  const ids = async (from: number, to: number, limit: number): Promise<number[]> =>
    (await backend.read('log', from, to, limit)).map(({ id }) => id);
  expect(await ids(0, Infinity, 100)).toEqual([1, 2, 3, 10]);
  expect(await ids(2, 10, 100)).toEqual([2, 3]);
  expect(await ids(0, Infinity, 2)).toEqual([1, 2]);
});

test('removes before it puts', async () => {
  const backend = await indexedDbBackend({ name: 'a', host: fresh() });
  await backend.write({ put: [1, 2, 3, 4].map((id) => row('log', id)) });
  await backend.write({ remove: [{ table: 'log', from: 1, to: 4 }], put: [row('log', 2), row('base', 1)] });
  expect((await backend.read('log', 0, Infinity, 9)).map(({ id }) => id)).toEqual([2, 4]);
  expect(await backend.read('base', 0, Infinity, 9)).toEqual([{ id: 1, bytes: new Uint8Array([1]) }]);
});

/** Runs a test that can ask how many buffers were freed so far. Buffers are freed with `transfer`, which Node 20 does not have yet. */
async function countingFreed(run: (freed: () => number) => Promise<void>): Promise<void> {
  const { prototype } = ArrayBuffer as { prototype: { transfer?: unknown } };
  const before = Object.getOwnPropertyDescriptor(prototype, 'transfer');
  const moved = vi.fn(function (this: ArrayBuffer) {
    return structuredClone(this, { transfer: [this] });
  });
  Object.defineProperty(prototype, 'transfer', { configurable: true, value: moved });
  try {
    await run(() => moved.mock.calls.length);
  } finally {
    if (before) Object.defineProperty(prototype, 'transfer', before);
    else delete prototype.transfer;
  }
}

test('the buffers of written rows are freed, and the rows can be read again', () =>
  countingFreed(async (freed) => {
    const host = fresh();
    const open = async (): ReturnType<typeof openStorage> =>
      openStorage(
        { backend: await indexedDbBackend({ name: 'a', host }), clock: manualClock() },
        { rowBytes: 1000, joinRows: 8, smallRow: 100, snapshotBytes: 4000, removeBytes: 2000, patience: 1 },
      );
    const storage = await open();
    for (let i = 0; i < 40; i++) await write(storage, put(`/${i}`, `${i} ${'x'.repeat(900)}`));
    await storage.compact(storage.revision);
    await expect.poll(freed).toBeGreaterThan(3);
    await write(storage, put('/last', 'x'));
    const all = contents(storage);
    await storage.close();
    expect(contents(await open())).toEqual(all);
  }));

test('the buffers of rows that were read are freed, but not those of damaged ones', () =>
  countingFreed(async () => {
    const backend = await indexedDbBackend({ name: 'a', host: fresh() });
    const storage = await openStorage({ backend, clock: manualClock() });
    for (let i = 0; i < 4; i++) await write(storage, put(`/${i}`, `${i}`));
    const [last] = (await backend.read('log', 0, Infinity, 9)).slice(-1);
    if (!last) throw new Error('nothing was written');
    last.bytes.fill(0, -1);
    await backend.write({ put: [{ table: 'log', ...last }] });

    const read: Uint8Array[] = [];
    const noticed: Backend = {
      ...{ copies: true, write: backend.write.bind(backend), close: backend.close.bind(backend) },
      read: async (...range) => {
        const rows = await backend.read(...range);
        if (range[0] === 'log') read.push(...rows.map(({ bytes }) => bytes));
        return rows;
      },
    };
    const { damage, space } = await loadDatabase(noticed);
    expect(damage.map(({ row }) => row)).toEqual([last.id]);
    expect(damage[0]?.bytes).toEqual(last.bytes);
    expect(space.keys).toBe(3);
    expect(read.map(({ length }) => length > 0)).toEqual([false, false, false, true]);
  }));

test('each cluster has a database of its own', async () => {
  const indexedDB = fresh();
  const open = async (name: string): ReturnType<typeof openStorage> =>
    openStorage({ backend: await indexedDbBackend({ name, host: indexedDB }), clock: manualClock() });
  const [one, two] = [await open('one'), await open('two')];
  await write(one, put('/a', 'one'));
  await write(two, put('/a', 'two'));
  expect([contents(one), contents(two)]).toEqual([['/a=one'], ['/a=two']]);
  await one.close();
  await deleteIndexedDb('one', indexedDB);
  expect(contents(await open('one'))).toEqual([]);
  expect(contents(two)).toEqual(['/a=two']);
});

test('a database that is deleted meanwhile takes no more writes, and is not made anew', async () => {
  const indexedDB = fresh();
  const storage = await openStorage({
    backend: await indexedDbBackend({ name: 'a', host: indexedDB }),
    clock: manualClock(),
  });
  await write(storage, put('/a', '1'));
  const conditions: string[] = [];
  storage.onCondition(({ is }) => conditions.push(is));
  await deleteIndexedDb('a', indexedDB);
  await expect(write(storage, put('/a', '2'))).rejects.toMatchObject({ name: 'WriteError', reason: 'closed' });
  expect(contents(storage)).toEqual(['/a=1']);
  expect(await indexedDB.indexedDB.databases()).toEqual([]);
  expect([conditions, storage.condition]).toEqual([['lost'], { is: 'lost', why: 'its database was deleted' }]);
});

test('rule 30: a storage that its user closes is not reported as lost', async () => {
  const storage = await openStorage({
    backend: await indexedDbBackend({ name: 'a', host: fresh() }),
    clock: manualClock(),
  });
  await storage.close();
  expect(storage.condition).toEqual({ is: 'sound' });
});

test('rule 30: data that was expected and is not there is missed', async () => {
  const indexedDB = fresh();
  const open = async (expectData: boolean): ReturnType<typeof openStorage> =>
    openStorage({ backend: await indexedDbBackend({ name: 'a', host: indexedDB }), clock: manualClock(), expectData });
  await expect(open(true)).rejects.toMatchObject({ name: 'GoneError' });
  await (await open(false)).close();
  expect((await open(true)).revision).toBe(0);
});

/** Lets so many bytes of rows be put from now on; beyond, as a browser without room does. */
function limitRoom(bytes: number): { allow(more: number): void; restore(): void } {
  let left = bytes;
  const original = IDBObjectStore.prototype.put;
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    value: unknown,
    key?: IDBValidKey,
  ) {
    const size = value instanceof Uint8Array ? value.length : ((value as { bytes?: Uint8Array }).bytes?.length ?? 8);
    if (size > left) throw new DOMException('no room', 'QuotaExceededError');
    left -= size;
    return original.call(this, value, key);
  });
  return { allow: (more) => void (left += more), restore: () => spy.mockRestore() };
}

describe('rules 27 and 28: without room', () => {
  const MIB = 1024 * 1024;
  const log = (id: number, bytes: number): { table: 'log'; id: number; bytes: Uint8Array<ArrayBuffer> } => ({
    table: 'log',
    id,
    bytes: new Uint8Array(bytes),
  });

  test('only what makes room is written, and the rest again once the room for that is kept back', async () => {
    const backend = await indexedDbBackend({ name: 'a', host: fresh() });
    await backend.write({ put: [log(1, 10)] });
    const room = limitRoom(0);
    try {
      await expect(backend.write({ put: [log(2, 10)] })).rejects.toMatchObject({ reason: 'quota' });
      expect(backend.full).toBe(true);
      room.allow(1000);
      // What was released is for those who make room: an ordinary write needs it back first.
      const deleting = vi.spyOn(IDBObjectStore.prototype, 'delete');
      await expect(backend.write({ put: [log(2, 2000)], frees: true })).rejects.toMatchObject({ reason: 'quota' });
      expect(deleting).toHaveBeenCalledTimes(1);
      deleting.mockRestore();
      await backend.write({ put: [log(2, 500)], frees: true });
      await expect(backend.write({ put: [log(3, 10)] })).rejects.toMatchObject({ reason: 'quota' });
      room.allow(8 * MIB);
      await backend.write({ put: [], remove: [{ table: 'log', from: 1, to: 2 }], frees: true });
      expect(backend.full).toBe(false);
      await backend.write({ put: [log(3, 10)] });
    } finally {
      room.restore();
    }
    expect((await backend.read('log', 0, Infinity, 9)).map(({ id }) => id)).toEqual([2, 3]);
  });

  test('what the host gives up is used first', async () => {
    const freeSpace = vi.fn(async () => (room.allow(1000), freeSpace.mock.calls.length === 1));
    const backend = await indexedDbBackend({ name: 'a', freeSpace, host: fresh() });
    await backend.write({ put: [log(1, 10)] });
    const room = limitRoom(0);
    try {
      await backend.write({ put: [log(2, 10)] });
      expect([freeSpace.mock.calls.length, backend.full]).toEqual([1, false]);
    } finally {
      room.restore();
    }
  });

  test('a database can be opened and read, and is claimed when there is room', async () => {
    const indexedDB = fresh();
    const first = await indexedDbBackend({ name: 'a', host: indexedDB });
    await first.write({ put: [log(1, 10)] });
    const room = limitRoom(0);
    let second;
    try {
      second = await indexedDbBackend({ name: 'a', host: indexedDB });
      expect([second.full, (await second.read('log', 0, Infinity, 9)).length]).toEqual([true, 1]);
      await expect(second.write({ put: [log(2, 10)], frees: true })).rejects.toMatchObject({ reason: 'quota' });
    } finally {
      room.restore();
    }
    await second.write({ put: [log(2, 10)], frees: true });
    await expect(first.write({ put: [log(3, 10)], frees: true })).rejects.toMatchObject({ reason: 'fenced' });
  });

  test('a claim that comes late pushes nobody out', async () => {
    const indexedDB = fresh();
    const room = limitRoom(0);
    const late = await indexedDbBackend({ name: 'a', host: indexedDB });
    room.restore();
    const other = await indexedDbBackend({ name: 'a', host: indexedDB });
    await expect(late.write({ put: [log(1, 10)], frees: true })).rejects.toMatchObject({ reason: 'fenced' });
    await other.write({ put: [log(1, 10)] });
  });
});

test.each([
  ['quota', new DOMException('so it is', 'QuotaExceededError')],
  ['closed', new DOMException('so it is', 'InvalidStateError')],
  ['failed', new DOMException('so it is', 'AbortError')],
  ['failed', Object.assign(new Error('so it is'), { name: 'toString' })],
])('rule 9: a write that fails is called %s after %o', async (reason, error) => {
  const backend = await indexedDbBackend({ name: 'a', host: fresh() });
  await backend.write({ put: [row('log', 1)] });
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
    throw error;
  });
  await expect(backend.write({ put: [row('log', 2)] })).rejects.toMatchObject({
    ...{ name: 'WriteError', reason, message: 'the database could not be written: so it is' },
  });
  spy.mockRestore();
});

test('rule 9: a transaction that is aborted has written nothing', async () => {
  const backend = await indexedDbBackend({ name: 'a', host: fresh() });
  await backend.write({ put: [row('log', 1)] });
  const original = IDBObjectStore.prototype.put;
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    value: unknown,
    key?: IDBValidKey,
  ) {
    const request = original.call(this, value, key);
    if (this.name === 'base') request.transaction?.abort();
    return request;
  });
  await expect(backend.write({ put: [row('log', 2), row('base', 1)] })).rejects.toMatchObject({ reason: 'failed' });
  spy.mockRestore();
  expect((await backend.read('log', 0, Infinity, 9)).map(({ id }) => id)).toEqual([1]);
});

test('a database that can not be opened is called so', async () => {
  const { indexedDB } = fresh();
  const failing = { indexedDB: Object.assign(indexedDB, { open: refuse }), IDBKeyRange };
  await expect(indexedDbBackend({ name: 'a', host: failing })).rejects.toMatchObject({
    ...{ name: 'WriteError', message: expect.stringMatching(/^the database could not be opened: .*no way in/) },
  });
});

function refuse(): never {
  throw new Error('no way in');
}

test('a newer version of the page takes the database over', async () => {
  const indexedDB = fresh();
  const backend = await indexedDbBackend({ name: 'a', host: indexedDB });
  const newer = indexedDB.indexedDB.open('vitrine/a', 20);
  expect(await backend.lost).toBe('a newer version of this page has opened its database');
  await vi.waitFor(() => expect(newer.readyState).toBe('done'));
  newer.result.close();
  await expect(indexedDbBackend({ name: 'a', host: indexedDB })).rejects.toMatchObject({
    ...{ name: 'WriteError', reason: 'failed', message: expect.stringMatching(/^the database could not be opened: /) },
  });
});

/** What is kept back where a browser tells how much room there is, in bytes. */
test.each([
  ['an eighth of the room that is left', { quota: 9_000_000, usage: 1_000_000 }, 1_000_000],
  ['whole words of four bytes', { quota: 1_000_030, usage: 0 }, 125_000],
  ['four mebibytes at most', { quota: 1e12, usage: 5 }, 4 * 1024 * 1024],
  ['64 kibibytes at least', { quota: 1000, usage: 0 }, 64 * 1024],
  ['four mebibytes where nobody knows', {}, 4 * 1024 * 1024],
  ['an eighth of all where nobody knows what is used', { quota: 8_000_000 }, 1_000_000],
])('rule 27: keeps back %s', async (_what, estimate, expected) => {
  vi.stubGlobal('navigator', { storage: { estimate: async () => estimate } });
  const sizes: number[] = [];
  const original = IDBObjectStore.prototype.put;
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    value: unknown,
    key?: IDBValidKey,
  ) {
    if (value instanceof Uint8Array) sizes.push(value.length);
    return original.call(this, value, key);
  });
  try {
    const backend = await indexedDbBackend({ name: 'a', host: fresh() });
    await backend.write({ put: [] });
    await backend.write({ put: [row('log', 1)] });
    expect(sizes).toEqual([expected]);
  } finally {
    spy.mockRestore();
    vi.unstubAllGlobals();
  }
});

test('rule 27: the reserve of an earlier page is found again', async () => {
  const indexedDB = fresh();
  await (await indexedDbBackend({ name: 'a', host: indexedDB })).write({ put: [row('log', 1)] });
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put');
  const second = await indexedDbBackend({ name: 'a', host: indexedDB });
  await second.write({ put: [row('log', 2)] });
  const reserves = spy.mock.calls.filter(([value]) => value instanceof Uint8Array);
  spy.mockRestore();
  expect(reserves).toEqual([]);
});
