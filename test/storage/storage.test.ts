import { afterAll, describe, expect, test as plainTest } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import type { Backend, CommitResult, Storage } from '../../src/storage/index.ts';
import {
  CompactedError,
  FutureRevisionError,
  memoryBackend,
  openStorage,
  WriteError,
} from '../../src/storage/index.ts';
import { brief, closeStorages, contents, del, disks, eagerTuning, put, storages, write } from './support.ts';

const test = plainTest;

describe.each(disks)('storage on $name', ({ disk }) => {
  const start = async (open = disk()): Promise<Storage> =>
    openStorage({ backend: await open(), clock: manualClock() }, eagerTuning);

  test('rule 5: a chain of conditions on one key becomes durable in one write', async () => {
    const storage = await start();
    const results = await Promise.all([
      storage.commit([put('/a', '1', 0)]),
      storage.commit([put('/a', '2', 1)]),
      storage.commit([put('/a', 'late', 1)]),
      storage.commit([del('/a', 2)]),
      storage.commit([put('/a', '3', 0)]),
    ]);
    expect(results.map((result) => result.ok)).toEqual([true, true, false, true, true]);
    expect(results[2]).toMatchObject({ key: '/a', conflict: { value: '2', revision: 2 } });
    expect(storage.stats()).toMatchObject({ groups: 1, commits: 4, revision: 4 });
  });

  test('rule 8: what was answered is there again, its history too', async () => {
    const open = disk();
    const first = await start(open);
    for (let i = 0; i < 40; i++) await write(first, put(`/k${i % 7}`, `v${i}`));
    await first.commit([del('/k3'), put('/ü', 'Grüße 😀')]);
    await first.compact(20);
    await write(first, put('/last', 'x'));
    const expected = [20, 30, 41, 42].map((revision) => contents(first, revision));
    await first.close();
    const second = await start(open);
    expect([20, 30, 41, 42].map((revision) => contents(second, revision))).toEqual(expected);
    expect([second.revision, second.compacted]).toEqual([42, 20]);
    expect(second.history('/k3').map(brief)).toEqual(first.history('/k3').map(brief));
    expect(await second.commit([put('/ü', 'x', 41)])).toMatchObject({ ok: true, revision: 43 });
    await second.close();
  });

  test('rule 11: who opens a database fences off the one before', async () => {
    const open = disk();
    const before = await start(open);
    await write(before, put('/a', '1'));
    const after = await start(open);
    await expect(before.commit([put('/a', '2')])).rejects.toMatchObject({ name: 'WriteError', reason: 'fenced' });
    expect(contents(before)).toEqual(['/a=1']);
    expect(await after.commit([put('/a', '3', 1)])).toMatchObject({ ok: true, revision: 2 });
  });

  test('rule 23: many small writes end in few rows, compacted ones in a snapshot', async () => {
    const open = disk();
    const storage = await start(open);
    for (let i = 0; i < 100; i++) await write(storage, put(`/k${i % 5}`, `value ${i}`));
    await storage.close();
    expect(storage.stats().segments).toBeLessThan(30);
    const again = await start(open);
    const size = again.stats().bytes;
    await again.compact(100);
    await write(again, put('/k0', 'new'));
    await again.close();
    expect(again.stats()).toMatchObject({ snapshotRows: 1, keys: 5, revisions: 1 });
    expect(again.stats().bytes).toBeLessThan(size / 5);
    const last = await start(open);
    expect(contents(last)).toEqual(['/k0=new', '/k1=value 96', '/k2=value 97', '/k3=value 98', '/k4=value 99']);
    expect(last.stats()).toMatchObject({ segments: 1, revision: 101 });
  });

  test('after closing, writes are refused and those before it are answered', async () => {
    const storage = await start();
    const accepted = storage.commit([put('/a', '1')]);
    const closed = storage.close();
    await expect(storage.commit([put('/a', '2')])).rejects.toMatchObject({ reason: 'closed' });
    expect(await accepted).toMatchObject({ ok: true, revision: 1 });
    await closed;
  });
});

afterAll(closeStorages);

describe.each(storages)('commits on $name', ({ open, has }) => {
  const test = plainTest.skipIf(!has);

  test('rules 1 and 6: revisions count up, and an entry knows when it was made and how often written', async () => {
    const storage = await open();
    expect(storage.revision).toBe(0);
    await write(storage, put('/a', '1'), put('/b', '1'), put('/a', '2'));
    expect(storage.get('/a')).toEqual({ key: '/a', value: '2', created: 1, revision: 3, version: 2 });
    await write(storage, del('/a'), put('/a', '3'));
    expect(storage.get('/a')).toEqual({ key: '/a', value: '3', created: 5, revision: 5, version: 1 });
    expect(storage.revision).toBe(5);
  });

  test('rule 2: the ops of a commit share a revision, and one that does not hold stops them all', async () => {
    const storage = await open();
    await storage.commit([put('/a', '1'), put('/b', '1')]);
    expect([storage.get('/a')?.revision, storage.get('/b')?.revision]).toEqual([1, 1]);
    const refused = await storage.commit([put('/a', '2'), put('/b', '2', 7)]);
    expect(refused).toEqual({ ok: false, key: '/b', conflict: storage.get('/b') });
    expect(contents(storage)).toEqual(['/a=1', '/b=1']);
    await expect(storage.commit([put('/a', '1'), del('/a')])).rejects.toThrow('writes /a twice');
  });

  test('rule 3: what changes nothing takes no revision', async () => {
    const storage = await open();
    await write(storage, put('/a', '1'));
    const result = await storage.commit([{ type: 'check', key: '/a', expect: 1 }, del('/none')]);
    expect(result).toEqual({ ok: true, revision: 1, entries: [storage.get('/a'), undefined] });
    expect(storage.revision).toBe(1);
  });

  test.each<[what: string, op: Parameters<Storage['commit']>[0], holds: boolean]>([
    ['a create where there is nothing', [put('/new', 'x', 0)], true],
    ['a create where there is something', [put('/a', 'x', 0)], false],
    ['an update of what is there', [put('/a', 'x', 2)], true],
    ['an update of what was there', [put('/a', 'x', 1)], false],
    ['an update of nothing', [put('/new', 'x', 1)], false],
    ['an update of whatever is there', [put('/a', 'x')], true],
    ['a delete of what is there', [del('/a', 2)], true],
    ['a delete of what was there', [del('/a', 1)], false],
    ['a check beside a put', [{ type: 'check', key: '/a', expect: 2 }, put('/b', 'x')], true],
    ['a failed check beside a put', [{ type: 'check', key: '/a', expect: 1 }, put('/b', 'x')], false],
  ])('rule 4: %s', async (_, ops, holds) => {
    const storage = await open();
    await write(storage, put('/a', '1'), put('/a', '2'));
    const result = await storage.commit(ops);
    expect(result.ok).toBe(holds);
    if (!result.ok) expect(result.conflict).toBe(storage.get(ops[0]?.key ?? ''));
    expect(storage.revision).toBe(holds ? 3 : 2);
  });
});

describe.each(storages)('reading on $name', ({ open, has }) => {
  const test = plainTest.skipIf(!has);

  async function filled(): Promise<Storage> {
    const storage = await open();
    await write(storage, put('/p/a', '1'), put('/p/b', '1'), put('/p/c', '1'), put('/q', '1'));
    await write(storage, put('/p/b', '2'), del('/p/c'), put('/p/d', '1'));
    return storage;
  }

  test('rule 12: every kept revision can be read', async () => {
    const storage = await filled();
    expect(contents(storage, 0)).toEqual([]);
    expect(contents(storage, 4)).toEqual(['/p/a=1', '/p/b=1', '/p/c=1', '/q=1']);
    expect(contents(storage, 5)).toEqual(['/p/a=1', '/p/b=2', '/p/c=1', '/q=1']);
    expect(contents(storage, 7)).toEqual(['/p/a=1', '/p/b=2', '/p/d=1', '/q=1']);
    expect(storage.get('/p/c', 5)?.value).toBe('1');
    expect(storage.get('/p/c', 6)).toBeUndefined();
  });

  test('rule 12: what is out of reach is refused with the reason', async () => {
    const storage = await filled();
    await storage.compact(5);
    expect(() => storage.get('/q', 4)).toThrow(CompactedError);
    expect(() => storage.range({ start: '', end: '/z', revision: 8 })).toThrow(FutureRevisionError);
    expect(contents(storage, 5)).toEqual(['/p/a=1', '/p/b=2', '/p/c=1', '/q=1']);
    await expect(storage.compact(8)).rejects.toThrow(FutureRevisionError);
    await storage.compact(3);
    expect(storage.compacted).toBe(5);
  });

  const ofP = { start: '/p/', end: '/p0' };
  test.each([
    ['all', {}, { keys: 'abd', more: false, remaining: 0 }],
    ['the first', { limit: 1 }, { keys: 'a', more: true, remaining: 2 }],
    ['exactly all', { limit: 3 }, { keys: 'abd', more: false, remaining: 0 }],
    ['from a key on', { start: '/p/b', limit: 1 }, { keys: 'b', more: true, remaining: 1 }],
    ['the first then', { limit: 1, revision: 5 }, { keys: 'a', more: true, remaining: 2 }],
    [
      'before a creation and a deletion',
      { start: '/p/b', limit: 1, revision: 3 },
      { keys: 'b', more: true, remaining: 1 },
    ],
    [
      'those that pass',
      { filter: ({ value }: { value: string }) => value === '1' },
      { keys: 'ad', more: false, remaining: 0 },
    ],
    [
      'the first that passes, with others after it that do not count as passed',
      { limit: 1, filter: ({ value }: { value: string }) => value === '2' },
      { keys: 'b', more: true, remaining: 1 },
    ],
    ['nothing', { start: '/p/x' }, { keys: '', more: false, remaining: 0 }],
  ])('rule 13: a range of %s', async (_, range, { keys, more, remaining }) => {
    const storage = await filled();
    const result = storage.range({ ...ofP, ...range });
    expect(result.entries.map(({ key }) => key.slice(3)).join('')).toBe(keys);
    expect(result).toMatchObject({ more, remaining, revision: 'revision' in range ? range.revision : 7 });
  });

  test('rule 13: what is counted is what exists now', async () => {
    const storage = await filled();
    expect(storage.count('/p/', '/p0')).toBe(3);
    expect(storage.count('/p/c', '/p0')).toBe(1);
    expect(storage.count('/p0', '/p/')).toBe(0);
  });

  test('rule 14: every reader gets the same object', async () => {
    const storage = await filled();
    const [entry] = storage.range({ start: '/q', end: '/r' }).entries;
    expect(storage.get('/q')).toBe(entry);
    expect(storage.get('/q', 5)).toBe(entry);
    const result = await write(storage, put('/q', '2'));
    expect(result?.ok && result.entries[0]).toBe(storage.get('/q'));
    expect(storage.history('/q').map(({ entry }) => entry)).toEqual([entry, storage.get('/q')]);
  });

  test('history begins with what was there when the rest was compacted', async () => {
    const storage = await filled();
    await storage.compact(5);
    await write(storage, put('/p/c', 'again'));
    expect(storage.history('/p/b').map(brief)).toEqual(['5 put /p/b=2']);
    expect(storage.history('/p/c').map(brief)).toEqual(['3 put /p/c=1', '6 delete /p/c', '8 put /p/c=again']);
    expect(storage.history('/none')).toEqual([]);
  });

  test('waiting for a revision ends when it is durable or the time is over', async () => {
    const clock = manualClock();
    const storage = await open(clock);
    const [soon, late] = [storage.waitFor(1, 3000), storage.waitFor(9, 3000)];
    await write(storage, put('/a', '1'));
    expect(await soon).toBe(true);
    expect(await storage.waitFor(1, 0)).toBe(true);
    await clock.step(3000);
    expect(await late).toBe(false);
  });
});

describe('failed writes', () => {
  /** A disk that refuses the next `times` writes. */
  function failing(): Backend & { refuse(times: number): void } {
    const inner = memoryBackend();
    let times = 0;
    return {
      ...inner,
      write: async (batch) => {
        if (times > 0 && times--) throw new WriteError('quota', 'the disk is full');
        return inner.write(batch);
      },
      refuse: (n) => {
        times = n;
      },
    };
  }

  test('rule 9: those in the write are told, nobody saw anything, and the others are judged again', async () => {
    const backend = failing();
    const storage = await openStorage({ backend, clock: manualClock() });
    await write(storage, put('/a', '1'));
    backend.refuse(1);
    const outcomes = await Promise.allSettled<CommitResult>([
      storage.commit([put('/a', '2', 1)]),
      storage.commit([put('/a', '3', 1)]),
      storage.commit([put('/a', '4', 7)]),
    ]);
    expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { name: 'WriteError', reason: 'quota' } });
    expect(outcomes[1]).toMatchObject({ status: 'fulfilled', value: { ok: true, revision: 2 } });
    expect(outcomes[2]).toMatchObject({ status: 'fulfilled', value: { ok: false, conflict: { value: '3' } } });
    expect(contents(storage)).toEqual(['/a=3']);
  });

  test('rule 9: a write that fails is not delivered and takes no revision', async () => {
    const backend = failing();
    const storage = await openStorage({ backend, clock: manualClock() });
    const seen: string[] = [];
    storage.watch(
      { start: '', end: '\uffff', from: 0 },
      (events) => void seen.push(...events.map(brief)),
      () => undefined,
    );
    backend.refuse(1);
    await expect(write(storage, put('/a', 'lost'))).rejects.toThrow(WriteError);
    await write(storage, put('/a', 'kept'));
    expect(seen).toEqual(['1 put /a=kept']);
  });
});

test('rule 23: when tidying up fails, writes go on, and it is tried again after some of them', async () => {
  const inner = memoryBackend();
  let attempts = 0;
  let broken = true;
  const backend: Backend = {
    ...inner,
    write: (batch) => {
      if (!batch.remove) return inner.write(batch);
      attempts++;
      return broken ? Promise.reject(new WriteError('quota', 'the disk is full')) : inner.write(batch);
    },
  };
  const storage = await openStorage({ backend, clock: manualClock() }, { ...eagerTuning, patience: 10 });
  for (let i = 0; i < 25; i++) await write(storage, put('/a', `${i}`));
  expect(attempts).toBeLessThan(4);
  expect(storage.stats()).toMatchObject({ segments: 25, upkeepError: 'the disk is full' });
  broken = false;
  for (let i = 0; i < 25; i++) await write(storage, put('/a', `${i}`));
  expect(storage.stats()).not.toHaveProperty('upkeepError');
  expect(storage.stats().segments).toBeLessThan(10);
});
