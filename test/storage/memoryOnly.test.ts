/** A database without a disk: it does what one with a disk does, and nothing is left of it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import { memoryBackend, openStorage, type Op, type Storage, type StorageEvent } from '../../src/storage/index.ts';

const keys = fc.constantFrom('/a', '/b', '/c');
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ type: fc.constant('put' as const), key: keys, value: fc.string({ maxLength: 20 }) }),
  fc.record({ type: fc.constant('delete' as const), key: keys }),
  fc.record({ type: fc.constant('put' as const), key: keys, value: fc.constant('new'), expect: fc.constant(0) }),
);

/** What a storage answers to some commits, what it tells a watch, and what it holds in the end. */
async function outcome(storage: Storage, commits: readonly (readonly Op[])[], compactAt: number): Promise<unknown> {
  const told: StorageEvent[] = [];
  const watched = { start: '/', end: '0', from: 0 };
  storage.watch(
    watched,
    (events) => void told.push(...events),
    () => undefined,
  );
  const answers = [];
  for (const [i, ops] of commits.entries()) {
    answers.push(await storage.commit(ops));
    if (i === compactAt) await storage.compact(storage.revision);
  }
  const lines = [];
  for await (const line of storage.export()) lines.push(...line);
  const { keys: count, revisions, revision, compacted } = storage.stats();
  const range = storage.range({ start: '/', end: '0' });
  await storage.close();
  return { answers, told, lines, range, stats: { count, revisions, revision, compacted } };
}

describe('a database in memory only', () => {
  test('answers, tells and holds what one with a disk does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(op, { minLength: 1, maxLength: 1 }), { minLength: 1, maxLength: 12 }),
        fc.nat(12),
        async (commits, compactAt) => {
          const clock = manualClock();
          const without = await openStorage({ clock });
          const withDisk = await openStorage({ clock, backend: memoryBackend() });
          expect(await outcome(without, commits, compactAt)).toEqual(await outcome(withDisk, commits, compactAt));
        },
      ),
    );
  });

  test('takes nothing on disk, and is sound', async () => {
    const storage = await openStorage({ clock: manualClock() });
    await storage.commit([{ type: 'put', key: '/a', value: 'x'.repeat(1000) }]);
    expect(storage.stats()).toMatchObject({ segments: 0, snapshotRows: 0, bytes: 0, groups: 1, commits: 1, keys: 1 });
    expect(storage.condition).toEqual({ is: 'sound' });
    await storage.close();
  });

  test('deletes expired keys', async () => {
    const clock = manualClock();
    const storage = await openStorage({ clock });
    await storage.commit([{ type: 'put', key: '/a', value: '1', expires: clock.now() + 1000 }]);
    await clock.step(2000);
    expect(storage.get('/a')).toBeUndefined();
    await storage.close();
  });

  test('refuses commits once it is closed', async () => {
    const storage = await openStorage({ clock: manualClock() });
    await storage.close();
    await expect(storage.commit([{ type: 'put', key: '/a', value: '1' }])).rejects.toMatchObject({ reason: 'closed' });
  });
});
