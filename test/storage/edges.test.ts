/** Where groups, pages, expiry and restored files have their limits. */
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText, manualClock } from '../../src/std/index.ts';
import {
  CompactedError,
  FutureRevisionError,
  OverflowError,
  UnreachableError,
  WriteError,
} from '../../src/storage/errors.ts';
import { memoryBackend, memoryDisk, openStorage, restoreStorage, type Op } from '../../src/storage/index.ts';
import { contents, del, open, put, write } from './support.ts';

describe('a group', () => {
  test.each([
    ['2,000 commits', 2000, 'x', 1],
    ['2,001 commits', 2001, 'x', 2],
    ['commits of 4,000,000 characters', 2, 'x'.repeat(2_000_000), 1],
    ['one more than these', 3, 'x'.repeat(2_000_000), 2],
  ])('of %s: %i, %#', async (_what, count, value, groups) => {
    const storage = await open();
    await Promise.all(Array.from({ length: count }, (_, i) => storage.commit([put(`/${i}`, value)])));
    expect(storage.stats()).toMatchObject({ groups, commits: count, keys: count });
  });

  test('of nothing that changes is none', async () => {
    const storage = await open();
    await storage.commit([del('/none')]);
    expect(storage.stats()).toMatchObject({ groups: 0, commits: 0 });
  });
});

test.each([
  [3, 1, 2],
  [3, 2, 1],
  [3, 3, 0],
  [4, 1, 1],
  [5, 1, 2],
  [6, 1, 2],
])('rule 3: at revision %i the page of %i has %i more', async (revision, limit, remaining) => {
  const storage = await open();
  await write(storage, put('/a/1', 'x'), put('/a/2', 'x'), put('/a/3', 'x'));
  await storage.commit([del('/a/3')]);
  await write(storage, put('/a/4', 'x'), put('/b/1', 'x'));
  expect(storage.range({ start: '/a/', end: '/a0', revision, limit })).toMatchObject({
    remaining,
    more: remaining > 0,
  });
});

test('rule 22: a key that is written with an earlier expiry goes earlier', async () => {
  const clock = manualClock(0);
  const storage = await open({ clock });
  await write(storage, { type: 'put', key: '/a', value: 'x', expires: 2000 });
  await write(storage, { type: 'put', key: '/a', value: 'x', expires: 1000 });
  await clock.step(999);
  expect(contents(storage)).toEqual(['/a=x']);
  await clock.step(1);
  expect(contents(storage)).toEqual([]);
});

test('rule 10: who was here first is told that somebody else has the database', async () => {
  const disk = memoryDisk();
  const first = await open({ backend: memoryBackend(disk) });
  await open({ backend: memoryBackend(disk) });
  await expect(first.commit([put('/a', 'x')])).rejects.toMatchObject({
    reason: 'fenced',
    message: 'the database has been opened by somebody else',
  });
});

describe('a restored file is refused where', () => {
  async function exported(): Promise<string> {
    const storage = await open();
    await write(storage, put('/a', '1'), put('/b', '1'));
    await storage.compact(2);
    await write(storage, put('/c', '2'), put('/d', '3'));
    let text = '';
    for await (const chunk of storage.export()) text += decodeText(chunk);
    return text;
  }

  async function restored(text: string): Promise<unknown> {
    const disk = memoryDisk();
    await restoreStorage(
      memoryBackend(disk),
      (async function* () {
        yield encodeText(text);
      })(),
    );
    return contents(await openStorage({ backend: memoryBackend(disk), clock: manualClock() }));
  }

  /** Changes the line that holds a key. */
  const inLine = (text: string, key: string, from: string, to: string): string =>
    text
      .split('\n')
      .map((line) => (line.includes(`"${key}"`) ? line.replace(from, to) : line))
      .join('\n');

  test.each([
    ['/c', '"key":"/c"', '"key":7', '7 is not a text'],
    ['/c', '"value":"2"', '"value":null', 'null is not a text'],
    ['/c', '"version":1', '"version":-1', '-1 is not a number'],
    ['/c', '"version":1', '"version":1.5', '1.5 is not a number'],
    ['/d', '"created":4', '"created":5', '/d is newer than its revision'],
    ['/b', '"revision":2', '"revision":3', '/b is newer than its revision'],
    ['/d', '"created":4,"revision":4', '"created":3,"revision":3', '/d belongs to another commit than 4'],
    ['/c', '"commit":3', '"commit":4', 'commit 3 is missing'],
    ['/c', '"changes":[', '"changes":7,"rest":[', 'commit 3 is missing'],
    ['/c', '{"entry":', '{"other":', 'an entry is not an object'],
  ])('in the line of %s %s is %s', async (key, from, to, message) => {
    const text = await exported();
    const changed = inLine(text, key, from, to);
    expect(changed).not.toBe(text);
    await expect(restored(changed)).rejects.toThrow(message);
    expect(await restored(text)).toEqual(['/a=1', '/b=1', '/c=2', '/d=3']);
  });
});

describe('a commit', () => {
  test('may check the keys that it writes, and check one twice', async () => {
    const storage = await open();
    const check = { type: 'check', key: '/a', expect: 0 } as const;
    expect(await storage.commit([check, check, put('/a', '1')])).toMatchObject({ ok: true, revision: 1 });
  });

  test.each<[string, Op[], message: string]>([
    ['a key twice', [put('/a', '1'), put('/a', '2')], 'one commit writes /a twice'],
    ['and deletes a key', [put('/a', '1'), del('/a')], 'one commit writes /a twice'],
    ['half a character', [put('/a', 'x\ud800')], 'the value of /a holds half a surrogate pair'],
    ['a key with half a character', [put('/\udc00', 'x')], 'a key holds half a surrogate pair'],
    ['nothing at a key with half a character', [del('/\udc00')], 'a key holds half a surrogate pair'],
  ])('that writes %s is refused, and nothing of it is kept', async (_, ops, message) => {
    const storage = await open();
    await expect(storage.commit([put('/b', '1'), ...ops])).rejects.toThrow(message);
    expect([contents(storage), storage.revision]).toEqual([[], 0]);
    expect(await storage.commit([put('/c', '\u{1F600}')])).toMatchObject({ ok: true });
  });
});

test('a key that comes again after its deletion is counted once, also once its history is compacted', async () => {
  const storage = await open();
  const counts = (): unknown => [
    storage.stats().keys,
    storage.count('/', '0'),
    storage.range({ start: '/', end: '0', limit: 1 }),
  ];
  await write(storage, put('/a', '1'), put('/b', '1'), put('/c', '1'), del('/b'), put('/b', '2'));
  expect(counts()).toMatchObject([3, 3, { remaining: 2, more: true }]);
  await write(storage, del('/b'), del('/c'));
  expect(counts()).toMatchObject([1, 1, { remaining: 0, more: false }]);
  await storage.compact(storage.revision);
  await write(storage, put('/b', '3'));
  expect(counts()).toMatchObject([2, 2, { remaining: 1, more: true }]);
  expect(storage.history('/c')).toEqual([]);
});

test('changes are told from after a revision on, over all keys', async () => {
  const storage = await open();
  await write(storage, put('/a', '1'), put('/b', '1'), del('/a'));
  expect(storage.changesSince(1).map(({ type, key, revision }) => [type, key, revision])).toEqual([
    ['put', '/b', 2],
    ['delete', '/a', 3],
  ]);
  expect(storage.changesSince(3)).toEqual([]);
  await storage.compact(2);
  expect(() => storage.changesSince(1)).toThrow('revision 1 has been compacted; history begins at 2');
});

describe('a watch', () => {
  test.each<[string, start: string, end: string, told: string[]]>([
    ['of a prefix', '/a/', '/a0', ['/a/1', '/a/5', '/a/b/7']],
    ['of a part of a prefix', '/a/', '/a/5', ['/a/1']],
    ['of a prefix that is no folder', '/a', '/b', ['/a', '/a/1', '/a/5', '/a/b/7', '/ab']],
    ['of one key', '/a', '/a\0', ['/a']],
    ['of everything', '', '\uffff', ['/a', '/a/1', '/a/5', '/a/b/7', '/ab', '/b', 'x']],
    ['from one key to another', '/a/5', '/b', ['/a/5', '/a/b/7', '/ab']],
  ])('%s hears of its keys alone', async (_, start, end, told) => {
    const storage = await open();
    const heard: string[] = [];
    storage.watch(
      { start, end, from: 0 },
      (events) => void heard.push(...events.map(({ key }) => key)),
      () => undefined,
    );
    await Promise.resolve();
    await write(storage, ...['/a', '/a/1', '/a/5', '/a/b/7', '/ab', '/b', 'x'].map((key) => put(key, '1')));
    expect(heard).toEqual(told);
  });
});

test('a watch that is opened after the end of the storage ends, too', async () => {
  const storage = await open();
  await storage.close();
  const ended = await new Promise((resolve) => {
    storage.watch({ start: '', end: '\uffff', from: 0 }, () => undefined, resolve);
  });
  expect(ended).toBeUndefined();
});

test('memory gives its rows in the order of their ids, as many as are asked for, until it is closed', async () => {
  const disk = memoryDisk();
  const backend = memoryBackend(disk);
  const bytes = new Uint8Array(1);
  const rows = (...ids: number[]) => ids.map((id) => ({ table: 'log', id, bytes }) as const);
  await backend.write({ put: rows(7, 3, 12, 5) });
  const ids = async (from: number, to: number, limit: number): Promise<number[]> =>
    (await backend.read('log', from, to, limit)).map(({ id }) => id);
  expect(await Promise.all([ids(0, 100, 10), ids(0, 100, 2), ids(5, 12, 10), ids(13, 100, 10)])).toEqual([
    [3, 5, 7, 12],
    [3, 5],
    [5, 7],
    [],
  ]);
  await backend.write({ put: [], remove: [{ table: 'log', from: 4, to: 8 }] });
  expect(await ids(0, 100, 10)).toEqual([3, 12]);
  await backend.close();
  await expect(backend.write({ put: rows(1) })).rejects.toMatchObject({ reason: 'closed' });
});

test('errors have names, and what caused them', () => {
  const cause = new Error('why');
  expect(
    [
      new CompactedError(1, 2),
      new FutureRevisionError(2, 1),
      new OverflowError(3),
      new WriteError('quota', 'full', cause),
      new UnreachableError('away', cause),
    ].map(({ name, message, cause: because }) => [name, message, because]),
  ).toEqual([
    ['CompactedError', 'revision 1 has been compacted; history begins at 2', undefined],
    ['FutureRevisionError', 'revision 2 is in the future; the newest is 1', undefined],
    ['OverflowError', 'the receiver is more than 3 events behind', undefined],
    ['WriteError', 'full', cause],
    ['UnreachableError', 'away', cause],
  ]);
  expect(new WriteError('quota', 'full')).not.toHaveProperty('cause');
});
