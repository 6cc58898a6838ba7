import { afterAll, describe, expect, test as plainTest, vi } from 'vitest';
import type { Entry, Storage, StorageEvent, Watch } from '../../src/storage/index.ts';
import { CompactedError, OverflowError } from '../../src/storage/index.ts';
import { brief, closeStorages, del, put, storages, write } from './support.ts';

interface Recorder {
  readonly watch: Watch;
  /** One line for each event, deliveries apart. */
  readonly deliveries: string[][];
  readonly batches: (readonly StorageEvent[])[];
  readonly ends: unknown[];
}

function record(
  storage: Storage,
  start: string,
  end: string,
  from: number,
  then?: () => void | Promise<void>,
): Recorder {
  const deliveries: string[][] = [];
  const batches: (readonly StorageEvent[])[] = [];
  const ends: unknown[] = [];
  const watch = storage.watch(
    { start, end, from, bufferLimit: 3 },
    (events) => {
      deliveries.push(events.map(brief));
      batches.push(events);
      return then?.();
    },
    (error) => ends.push(error),
  );
  return { watch, deliveries, batches, ends };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

afterAll(closeStorages);

describe.each(storages)('watching on $name', ({ open, has }) => {
  const test = plainTest.skipIf(!has);

  test('rule 15: history first, then what happens, without gap or repetition', async () => {
    const storage = await open();
    await write(storage, put('/p/a', '1'), put('/q', '1'), put('/p/b', '1'));
    const { deliveries, watch } = record(storage, '/p/', '/p0', 1);
    expect(deliveries).toEqual([]);
    await write(storage, del('/p/a'), put('/q', '2'), put('/p/c', '1'));
    expect(deliveries.flat()).toEqual(['3 put /p/b=1', '4 delete /p/a', '6 put /p/c=1']);
    expect(watch.revision).toBe(6);
  });

  test('rule 15: a delete says what was there', async () => {
    const storage = await open();
    await write(storage, put('/a', '1'));
    const { batches } = record(storage, '/', '0', 1);
    const before = storage.get('/a');
    await write(storage, del('/a'));
    expect(batches[0]?.[0]?.previous).toBe(before);
  });

  test('a writer hears of its entry before any watch, and never of one that conflicts', async () => {
    const storage = await open();
    if (storage.shared) return;
    const told: string[] = [];
    const { deliveries } = record(storage, '/', '0', 0, () => void told.push('watch'));
    const stored = (entry: Entry): void => void told.push(`writer ${entry.key} ${entry.revision}`);
    await storage.commit([{ type: 'put', key: '/a', value: '1', stored }]);
    await storage.commit([{ type: 'put', key: '/a', value: '2', expect: 7, stored }]);
    expect([told, deliveries]).toEqual([['writer /a 1', 'watch'], [['1 put /a=1']]]);
  });

  test('rule 15: the events of a commit come together', async () => {
    const storage = await open();
    const { deliveries } = record(storage, '/p/', '/p0', 0);
    await storage.commit([put('/p/a', '1'), put('/q', '1'), put('/p/b', '1')]);
    expect(deliveries).toEqual([['1 put /p/a=1', '1 put /p/b=1']]);
  });

  test.each([
    ['a prefix', '/p/', '/p0', ['1 put /p/a=1', '3 put /p/b/c=1']],
    ['a longer prefix', '/p/b/', '/p/b0', ['3 put /p/b/c=1']],
    ['one key', '/p/a', '/p/a\0', ['1 put /p/a=1']],
    ['an arbitrary range, its start included and its end not', '/p/a', '/q', ['1 put /p/a=1', '3 put /p/b/c=1']],
    ['everything', '', '\uffff', ['1 put /p/a=1', '2 put /q=1', '3 put /p/b/c=1']],
  ])('rule 15: a watch of %s', async (_, start, end, expected) => {
    const storage = await open();
    const live = record(storage, start, end, 0);
    await write(storage, put('/p/a', '1'), put('/q', '1'), put('/p/b/c', '1'));
    const late = record(storage, start, end, 0);
    await settled();
    expect(live.deliveries.flat()).toEqual(expected);
    expect(late.deliveries.flat()).toEqual(expected);
  });

  test('rule 15: watches of one range share the work', async () => {
    const storage = await open();
    const [a, b] = [record(storage, '/p/', '/p0', 0), record(storage, '/p/', '/p0', 0)];
    await write(storage, put('/p/a', '1'));
    expect(a.batches[0]).toBe(b.batches[0]);
    expect(a.deliveries).toEqual([['1 put /p/a=1']]);
  });

  test('rule 16: below what is kept there is nothing to begin with', async () => {
    const storage = await open();
    await write(storage, put('/a', '1'), put('/a', '2'), put('/a', '3'));
    await storage.compact(2);
    const [gone, kept] = [record(storage, '/', '0', 1), record(storage, '/', '0', 2)];
    await settled();
    expect(gone.ends).toEqual([new CompactedError(1, 2)]);
    expect(gone.deliveries).toEqual([]);
    expect(kept.deliveries).toEqual([['3 put /a=3']]);
    await storage.compact(3);
    await write(storage, put('/a', '4'));
    expect(kept.deliveries).toEqual([['3 put /a=3'], ['4 put /a=4']]);
    expect(storage.stats().watches).toBe(1);
  });

  test('rule 16: a watch may begin ahead of time', async () => {
    const storage = await open();
    const { deliveries, watch } = record(storage, '/', '0', 2);
    await write(storage, put('/a', '1'), put('/a', '2'), put('/a', '3'));
    expect(deliveries).toEqual([['3 put /a=3']]);
    expect(watch.revision).toBe(3);
  });

  test('rule 17: a busy receiver gets the rest when it is free, all at once', async () => {
    const storage = await open();
    let free: () => void = () => undefined;
    const busy = record(storage, '/', '0', 0, () => new Promise<void>((resolve) => (free = resolve)));
    await write(storage, put('/a', '1'), put('/a', '2'), put('/a', '3'), put('/a', '4'));
    expect(busy.deliveries).toEqual([['1 put /a=1']]);
    expect([busy.watch.backlog, busy.watch.revision]).toEqual([3, 0]);
    free();
    await settled();
    expect(busy.deliveries[1]).toEqual(['2 put /a=2', '3 put /a=3', '4 put /a=4']);
    free();
    await settled();
    expect([busy.watch.backlog, busy.watch.revision]).toEqual([0, 4]);
  });

  test('rule 17: who falls too far behind is cut off, and nobody else notices', async () => {
    const storage = await open();
    const slow = record(storage, '/', '0', 0, () => new Promise<void>(() => undefined));
    const quick = record(storage, '/', '0', 0);
    for (let i = 1; i <= 5; i++) await write(storage, put('/a', `${i}`));
    expect(slow.ends).toEqual([new OverflowError(3)]);
    expect(slow.deliveries).toEqual([['1 put /a=1']]);
    expect(quick.deliveries).toHaveLength(5);
    expect(storage.stats().watches).toBe(1);
  });

  test('rule 17: history that was asked for is no backlog', async () => {
    const storage = await open();
    for (let i = 1; i <= 9; i++) await write(storage, put('/a', `${i}`));
    const write10 = storage.commit([put('/a', '10')]);
    const { deliveries, ends } = record(storage, '/', '0', 0);
    await write10;
    await settled();
    expect(deliveries.flat()).toHaveLength(10);
    expect(ends).toEqual([]);
  });

  test.each([
    [
      'throws',
      (): void => {
        throw new Error('broken');
      },
    ],
    ['rejects', (): Promise<void> => Promise.reject(new Error('broken'))],
  ])('rule 18: a receiver that %s gets no more, the others do', async (_, break_) => {
    const storage = await open();
    const broken = record(storage, '/', '0', 0, break_);
    const sound = record(storage, '/', '0', 0);
    await write(storage, put('/a', '1'), put('/a', '2'));
    await settled();
    expect(broken.deliveries).toEqual([['1 put /a=1']]);
    expect(broken.ends).toEqual([undefined]);
    expect(sound.deliveries).toHaveLength(2);
  });

  test('rule 19: after close nothing comes, and closing the storage ends the rest once', async () => {
    const storage = await open();
    await write(storage, put('/a', '1'));
    const [closed, open_] = [record(storage, '/', '0', 0), record(storage, '/', '0', 0)];
    closed.watch.close();
    closed.watch.close();
    await write(storage, put('/a', '2'));
    await storage.close();
    expect(closed.deliveries).toEqual([]);
    expect(closed.ends).toEqual([]);
    expect(open_.deliveries.flat()).toEqual(['1 put /a=1', '2 put /a=2']);
    expect(open_.ends).toEqual([undefined]);
  });

  test('rule 19: a receiver may close itself and others, and open new ones, while events are handed out', async () => {
    const storage = await open();
    const later = vi.fn();
    const watches: Watch[] = [];
    const closeAll = (): void => {
      for (const watch of watches) watch.close();
      storage.watch({ start: '/', end: '0', from: storage.revision }, later, () => undefined);
    };
    watches.push(record(storage, '/', '0', 0, closeAll).watch);
    const other = record(storage, '/', '0', 0);
    watches.push(other.watch);
    await write(storage, put('/a', '1'), put('/a', '2'));
    expect(other.deliveries).toEqual([]);
    expect(later).toHaveBeenCalledTimes(1);
  });
});
