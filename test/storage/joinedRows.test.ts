/** Joined rows of the log, which hold values as they are folded in memory. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, manualClock, settle } from '../../src/std/index.ts';
import type { MemoryDisk, Op, Storage } from '../../src/storage/index.ts';
import { DamagedError, memoryBackend, memoryDisk, openStorage } from '../../src/storage/index.ts';
import { soundFrames } from '../../src/storage/disk/soundFrames.ts';
import { changesIn, headOf, writtenBefore } from './plainRows.ts';
import { contents, del, put } from './support.ts';

const tuning = { rowBytes: 1000, joinRows: 4, smallRow: 3000, snapshotBytes: 1 << 30, removeBytes: 2000, patience: 1 };
const open = (disk: MemoryDisk, joinRows = tuning.joinRows): Promise<Storage> =>
  openStorage({ backend: memoryBackend(disk), clock: manualClock() }, { ...tuning, joinRows });

const rest = async (): Promise<void> => {
  for (let i = 0; i < 8; i++) await settle();
};

const valueOf = (name: string, note = ''): string =>
  JSON.stringify({ kind: 'Pod', name, note, spec: 'y'.repeat(300), list: ['a', 'b', name], last: 1 });

const bytesOf = ({ tables: { log } }: MemoryDisk): number =>
  [...log.values()].reduce((sum, row) => sum + row.length, 0);

async function exported(storage: Storage): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of storage.export()) chunks.push(decodeText(chunk));
  return chunks.join('');
}

const copyOf = ({ tables: { head, base, log } }: MemoryDisk): MemoryDisk => {
  const copy = (rows: MemoryDisk['tables']['log']): typeof rows =>
    new Map([...rows].map(([id, row]) => [id, row.slice()]));
  return { tables: { head: copy(head), base: copy(base), log: copy(log) }, owner: 0 };
};

const op: fc.Arbitrary<Op> = fc
  .oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(
        fc.nat(5),
        fc.string({ unit: 'grapheme', maxLength: 5 }),
        fc.constantFrom('', '"', '\u0001', 'z'.repeat(900)),
      ),
    },
    { weight: 1, arbitrary: fc.nat(5) },
  )
  .map((made) =>
    typeof made === 'number'
      ? del(`/${made}`)
      : put(`/${made[0]}`, made[1] === '' ? 'short' : valueOf(made[1], made[2])),
  );

/** What happens to a database: group commits, compactions, openings. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ commits: fc.array(op, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ compact: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 1, arbitrary: fc.constant({ reopen: true as const }) },
);

test('a log that is joined is found again as one that is not, with its history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const [joined, plain] = [memoryDisk(), memoryDisk()];
      for (const [disk, joinRows] of [
        [joined, 4],
        [plain, Infinity],
      ] as const) {
        let storage = await open(disk, joinRows);
        for (const one of steps) {
          if ('commits' in one) await Promise.all(one.commits.map((each) => storage.commit([each])));
          else if ('compact' in one)
            await storage.compact(storage.compacted + Math.floor(one.compact * (storage.revision - storage.compacted)));
          else {
            await storage.close();
            storage = await open(disk, joinRows);
          }
          await rest();
        }
        await storage.close();
      }
      const [found, expected] = [await open(joined, Infinity), await open(plain, Infinity)];
      expect(await exported(found)).toBe(await exported(expected));
      expect(joined.tables.log.size).toBeLessThanOrEqual(plain.tables.log.size);
      const before = copyOf(joined);
      writtenBefore(before, 2);
      expect(await exported(await open(before))).toBe(await exported(expected));
    }),
    { numRuns: 60 },
  );
});

/** Sixteen commits with values that are much alike, each with a key of its own and one that all write. */
async function filled(joinRows = 16): Promise<MemoryDisk> {
  const disk = memoryDisk();
  const storage = await open(disk, joinRows);
  for (let i = 1; i <= 16; i++) {
    const kind = i % 2 ? 'odd' : '"even"';
    await storage.commit([put(`/only/${i}`, valueOf(`pod-${i}`, kind)), put('/all', `${i}`)]);
  }
  await rest();
  await storage.close();
  return disk;
}

describe('a joined row', () => {
  test('takes a fraction of the bytes, and keeps each group commit', async () => {
    const [joined, plain] = [await filled(), await filled(Infinity)];
    expect([joined.tables.log.size, plain.tables.log.size]).toEqual([1, 16]);
    expect(bytesOf(joined)).toBeLessThan(bytesOf(plain) / 2);
    const [[, row] = [0, new Uint8Array()]] = joined.tables.log;
    expect(changesIn(row).map(({ frame }) => frame.sequence)).toEqual([...plain.tables.log.keys()]);
  });

  test('rules 24 and 25: a changed byte anywhere in it is noticed and costs the group commits that need it', async () => {
    const disk = await filled();
    const expected = contents(await open(copyOf(disk)));
    const [[id, row] = [0, new Uint8Array()]] = disk.tables.log;
    const whole = changesIn(row).length;
    const lost = { commits: 0, texts: 0 };
    for (let at = 0; at < row.length; at += 13) {
      const bytes = row.with(at, (row[at] ?? 0) ^ 0x11);
      const kept = [...soundFrames(bytes, 'foldedLog')].length;
      const damaged = copyOf(disk);
      damaged.tables.log.set(id, bytes);
      const error = await open(damaged).catch((reason: unknown) => reason);
      if (!(error instanceof DamagedError)) throw error;
      expect(error.damage).toMatchObject([{ table: 'log', row: id }]);
      await error.repair();
      const repaired = await open(damaged);
      const found = contents(repaired).filter((line) => line.startsWith('/only/'));
      expect(expected).toEqual(expect.arrayContaining(found));
      expect(repaired.revision).toBeGreaterThan(16);
      lost[kept === whole ? 'texts' : 'commits']++;
      // Half of the values are like one text, and half like the other; of each half, one is whole.
      expect(found).toHaveLength(kept === whole ? 9 : 15);
    }
    expect(Math.min(lost.commits, lost.texts)).toBeGreaterThan(10);
  });

  test('rule 25: with several damaged places keeps what is between them', async () => {
    const disk = await filled();
    const [[id, row] = [0, new Uint8Array()]] = disk.tables.log;
    const bytes = row.slice();
    for (const text of ['pod-7', 'pod-11']) {
      const at = decodeText(bytes).indexOf(text);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
    }
    disk.tables.log.set(id, bytes);
    const error = await open(disk).catch((reason: unknown) => reason);
    if (!(error instanceof DamagedError)) throw error;
    expect(error.salvage.lost).toEqual([
      { from: 7, to: 7 },
      { from: 11, to: 11 },
    ]);
    await error.repair();
    const repaired = await open(disk);
    expect(repaired.count('/only/', '/only0')).toBe(14);
    expect(repaired.get('/all')?.value).toBe('16');
  });

  test('holds large group commits, too, but not those of large values, with which a row ends', async () => {
    const disk = memoryDisk();
    const storage = await open(disk, 8);
    const commit = async (count: number, length: number): Promise<void> => {
      await Promise.all(
        Array.from({ length: count }, (_, i) =>
          storage.commit([put(`/${count}-${i}`, valueOf('x', 'n'.repeat(length)))]),
        ),
      );
      await rest();
    };
    for (let i = 0; i < 4; i++) await commit(8, 100);
    expect(disk.tables.log.size).toBe(1);
    await commit(1, 20);
    await commit(1, 4000);
    for (let i = 0; i < 8; i++) await commit(1, 20);
    expect([...disk.tables.log.keys()]).toEqual([1, 5, 6, 7]);
    const expected = contents(storage);
    await storage.close();
    expect(contents(await open(disk))).toEqual(expected);
  });
});

test.each([1, 2])(
  'a database of format %i is read, and has the new one from its next joined row on',
  async (format) => {
    const disk = await filled();
    const expected = contents(await open(copyOf(disk)));
    writtenBefore(disk, format);
    const storage = await open(disk);
    expect(contents(storage)).toEqual(expected);
    expect(headOf(disk).format).toBe(format);
    for (let i = 1; i <= 4; i++) {
      await storage.commit([put('/log', valueOf(`again ${i}`))]);
      await rest();
    }
    expect(headOf(disk).format).toBe(3);
    await storage.close();
    expect(contents(await open(disk))).toEqual([
      ...expected.slice(0, 1),
      `/log=${valueOf('again 4')}`,
      ...expected.slice(1),
    ]);
  },
);
