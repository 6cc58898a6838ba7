import { describe, expect, test } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import { Expiry } from '../../src/storage/expiry.ts';
import type { Backend, Entry, Op } from '../../src/storage/index.ts';
import { memoryBackend, memoryDisk, WriteError } from '../../src/storage/index.ts';
import { brief, contents, del, open, put, write } from './support.ts';

const MINUTE = 60_000;

describe('compaction', () => {
  test('rule 21: history is kept for one interval, and dropped after two', async () => {
    const clock = manualClock();
    const storage = await open({ clock, keep: 5 * MINUTE });
    await write(storage, put('/a', '1'), put('/a', '2'));
    await clock.step(5 * MINUTE);
    expect(storage.compacted).toBe(0);
    await write(storage, put('/a', '3'));
    await clock.step(5 * MINUTE);
    expect(storage.compacted).toBe(2);
    await clock.step(5 * MINUTE);
    expect(storage.compacted).toBe(3);
    expect(storage.stats().revisions).toBe(0);
  });

  test('rule 21: five minutes unless told, and never when all is to be kept', async () => {
    const clock = manualClock();
    const [usual, all] = [await open({ clock }), await open({ clock, keep: Infinity })];
    for (const storage of [usual, all]) await write(storage, put('/a', '1'), put('/a', '2'));
    await clock.step(10 * MINUTE);
    expect([usual.compacted, all.compacted]).toEqual([2, 0]);
    expect(contents(all, 1)).toEqual(['/a=1']);
  });

  test('rule 21: the interval can be changed, and begins anew then', async () => {
    const clock = manualClock();
    const storage = await open({ clock, keep: Infinity });
    await write(storage, put('/a', '1'), put('/a', '2'));
    await clock.step(10 * MINUTE);
    storage.keepHistory(MINUTE);
    await clock.step(MINUTE);
    expect(storage.compacted).toBe(0);
    await clock.step(MINUTE);
    expect(storage.compacted).toBe(2);
  });

  test('rule 21: an idle storage writes nothing', async () => {
    const clock = manualClock();
    const storage = await open({ clock });
    await write(storage, put('/a', '1'));
    await clock.step(60 * MINUTE);
    expect(storage.stats().segments).toBe(2);
  });
});

describe('expiry', () => {
  const fleeting = (key: string, expires: number): Op => ({ type: 'put', key, value: 'x', expires });

  test('forgets keys that are deleted before their time', async () => {
    const clock = manualClock(0);
    const expires = new Map<string, number>();
    const gone: string[] = [];
    const expiry = new Expiry(
      clock,
      (key) => expires.get(key),
      (keys) => gone.push(...keys),
    );
    const entryOf = (key: string): Entry => ({ key, value: 'x', created: 1, revision: 1, version: 1, expires: 1000 });
    const keys = Array.from({ length: 1000 }, (_, i) => `/${i}`);
    for (const key of keys) {
      expires.set(key, 1000);
      expiry.note({ key, entry: entryOf(key) });
    }
    for (const key of keys.slice(10)) {
      expires.delete(key);
      expiry.note({ key, previous: entryOf(key) });
    }
    expect(expiry.size).toBeLessThan(25);
    await clock.step(1000);
    expect(gone.sort()).toEqual(keys.slice(0, 10));
  });

  test('rule 22: a key goes by an ordinary commit when its time has come', async () => {
    const clock = manualClock(0);
    const storage = await open({ clock });
    const seen: string[] = [];
    storage.watch(
      { start: '', end: '\uffff', from: 0 },
      (events) => void seen.push(...events.map(brief)),
      () => undefined,
    );
    await write(storage, fleeting('/b', 2000), fleeting('/a', 1000), put('/stays', 'x'));
    await clock.step(999);
    expect(storage.count('', '\uffff')).toBe(3);
    await clock.step(1);
    expect(contents(storage)).toEqual(['/b=x', '/stays=x']);
    await clock.step(MINUTE);
    expect(contents(storage)).toEqual(['/stays=x']);
    expect(seen.slice(3)).toEqual(['4 delete /a', '5 delete /b']);
  });

  test.each([
    ['put again with a later moment', fleeting('/a', 5000), { before: ['/a=x'], after: [] }],
    ['put again with an earlier moment', fleeting('/a', 500), { before: [], after: [] }],
    ['put again without one', put('/a', 'kept'), { before: ['/a=kept'], after: ['/a=kept'] }],
    ['deleted', del('/a'), { before: [], after: [] }],
  ])('rule 22: a key that was %s meanwhile', async (_, op, { before, after }) => {
    const clock = manualClock(0);
    const storage = await open({ clock });
    await write(storage, fleeting('/a', 1000), op);
    await clock.step(1500);
    expect(contents(storage)).toEqual(before);
    await clock.step(4000);
    expect(contents(storage)).toEqual(after);
  });

  test('rule 22: time that passes while nobody has it open counts', async () => {
    const disk = memoryDisk();
    const first = await open({ clock: manualClock(0), backend: memoryBackend(disk) });
    await write(first, fleeting('/a', 1000), fleeting('/b', 9000));
    await first.close();
    const clock = manualClock(5000);
    const second = await open({ clock, backend: memoryBackend(disk) });
    expect(second.get('/b')?.expires).toBe(9000);
    await clock.step(0);
    expect(contents(second)).toEqual(['/b=x']);
    await clock.step(4000);
    expect(contents(second)).toEqual([]);
  });

  test('rule 22: a deletion that could not be written is tried again', async () => {
    const clock = manualClock(0);
    const inner = memoryBackend();
    let full = false;
    const backend: Backend = {
      ...inner,
      write: (batch) => (full ? Promise.reject(new WriteError('quota', 'full')) : inner.write(batch)),
    };
    const storage = await open({ clock, backend });
    await write(storage, fleeting('/a', 1000));
    full = true;
    await clock.step(1000);
    expect(contents(storage)).toEqual(['/a=x']);
    full = false;
    await clock.step(10_000);
    expect(contents(storage)).toEqual([]);
  });
});
