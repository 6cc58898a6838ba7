/** Where groups, pages, expiry and restored files have their limits. */
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText, manualClock } from '../../src/std/index.ts';
import { memoryBackend, memoryDisk, openStorage, restoreStorage } from '../../src/storage/index.ts';
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
