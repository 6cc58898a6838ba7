/** Snapshots whose rows hold what is folded in memory, beside those of earlier releases, in which every value is whole. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry, MemoryDisk, Storage } from '../../src/storage/index.ts';
import { DamagedError, memoryBackend, memoryDisk, openStorage, UnknownFormatError } from '../../src/storage/index.ts';
import { manualClock } from '../../src/std/index.ts';
import { foldedOf, storedEntry } from '../../src/storage/entry.ts';
import { Folder } from '../../src/storage/folder.ts';
import { ByteReader, ByteWriter } from '../../src/storage/disk/bytes.ts';
import { readEntries } from '../../src/storage/disk/codec.ts';
import { foldEach, FoldedReader, inRows, writeFolded } from '../../src/storage/disk/foldedRows.ts';
import { encodeFrame } from '../../src/storage/disk/frame.ts';
import { headOf, writeEntries, writtenBefore } from './plainRows.ts';
import { contents, put } from './support.ts';

const valueOf = (name: string, i: number, note = ''): string =>
  JSON.stringify({ kind: 'Pod', name, note, spec: 'y'.repeat(300), list: ['a', 'b', name, `${i}`], last: i });

const entries = fc.array(
  fc.record({
    name: fc.string({ unit: 'grapheme', maxLength: 8 }),
    note: fc.constantFrom('', 'é–', '"', '\u0001', 'z'.repeat(900)),
    short: fc.boolean(),
    created: fc.nat(),
    expires: fc.option(fc.nat(), { nil: undefined }),
    fold: fc.boolean(),
  }),
  { maxLength: 40 },
);

type Given = typeof entries extends fc.Arbitrary<(infer T)[]> ? T : never;

const entryOf = ({ name, note, short, created, expires }: Omit<Given, 'fold'>, i: number): Entry =>
  storedEntry(
    {
      key: `/pods/${i}`,
      created,
      revision: created + i,
      version: i + 1,
      ...(expires === undefined ? {} : { expires }),
    },
    short ? note : valueOf(name, i, note),
  );

describe('folded rows', () => {
  test('read back as rows of whole values do, however entries are folded and divided', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 100, max: 5000 }), (all, rowBytes) => {
        const made = all.map(entryOf);
        const folder = new Folder();
        const chosen = made.filter((_, i) => all[i]?.fold);
        expect([...foldEach(chosen, folder)].filter((entry) => entry)).toEqual(chosen);
        const reader = new FoldedReader();
        const [back, plain]: [Entry[], Entry[]] = [[], []];
        for (const row of inRows(made, rowBytes)) {
          const [folded, whole] = [new ByteWriter(), new ByteWriter()];
          writeFolded(row?.entries ?? [], folded);
          writeEntries(row?.entries ?? [], whole);
          back.push(...reader.entries(new ByteReader(folded.take())));
          plain.push(...readEntries(new ByteReader(whole.take())));
        }
        expect(back.map((entry) => ({ ...entry }))).toEqual(plain.map((entry) => ({ ...entry })));
        expect(back.map((entry) => foldedOf(entry)?.difference)).toEqual(
          made.map((entry) => foldedOf(entry)?.difference),
        );
      }),
    );
  });

  test('keep one copy of each text that values are compared with, also for values that are folded later', () => {
    const folder = new Folder();
    const made = Array.from({ length: 8 }, (_, i) =>
      entryOf({ name: `pod-${i}`, note: '', short: false, created: 1, expires: undefined }, i),
    );
    expect([...foldEach(made, folder)]).toEqual(made);
    const reader = new FoldedReader();
    const back = [made.slice(0, 4), made.slice(4)].flatMap((row) => {
      const body = new ByteWriter();
      writeFolded(row, body);
      return [...reader.entries(new ByteReader(body.take()))];
    });
    const likes = new Set(back.flatMap((entry) => foldedOf(entry)?.like ?? []));
    expect(likes.size).toBe(1);
    const later = reader.folder.fold(valueOf('later', 9));
    expect(later && likes.has(later.like)).toBe(true);
  });

  test('that name a text which is not there are refused', () => {
    const body = new ByteWriter();
    body.text('/a');
    for (const number of [1, 1, 1, 0, 2]) body.varint(number);
    expect(() => [...new FoldedReader().entries(new ByteReader(body.take()))]).toThrow(RangeError);
  });
});

const tuning = { rowBytes: 1000, joinRows: 8, smallRow: 100, snapshotBytes: 4000, removeBytes: 2000, patience: 1 };
const open = (disk: MemoryDisk): Promise<Storage> =>
  openStorage({ backend: memoryBackend(disk), clock: manualClock() }, tuning);

async function snapshot(storage: Storage, disk: MemoryDisk): Promise<void> {
  const before = disk.tables.head.get(0);
  await storage.compact(storage.revision);
  await expect.poll(() => disk.tables.head.get(0)).not.toBe(before);
}

/** A snapshot of several rows with forty keys, and a log over it. */
async function filled(): Promise<MemoryDisk> {
  const disk = memoryDisk();
  const storage = await open(disk);
  for (let i = 0; i < 40; i++) await storage.commit([put(`/pods/${i}`, valueOf(`pod-${i}`, i))]);
  await snapshot(storage, disk);
  await storage.commit([put('/pods/0', valueOf('again', 0))]);
  await storage.close();
  expect(disk.tables.base.size).toBeGreaterThan(2);
  return disk;
}

const copyOf = ({ tables: { head, base, log } }: MemoryDisk): MemoryDisk => {
  const copy = (rows: MemoryDisk['tables']['log']): typeof rows =>
    new Map([...rows].map(([id, row]) => [id, row.slice()]));
  return { tables: { head: copy(head), base: copy(base), log: copy(log) }, owner: 0 };
};

async function damageOf(disk: MemoryDisk): Promise<DamagedError> {
  const error = await open(disk).catch((reason: unknown) => reason);
  if (error instanceof DamagedError) return error;
  throw error;
}

describe('a database', () => {
  test('has a snapshot that takes a fraction of its values, and is found again as it was', async () => {
    const disk = await filled();
    expect(headOf(disk).format).toBe(3);
    const bytes = [...disk.tables.base.values()].reduce((sum, row) => sum + row.length, 0);
    expect(bytes).toBeLessThan((40 * valueOf('pod-1', 1).length) / 2);
    const storage = await open(disk);
    expect(contents(storage)).toHaveLength(40);
    for (let i = 1; i < 40; i++) expect(storage.get(`/pods/${i}`)?.value).toBe(valueOf(`pod-${i}`, i));
    expect(storage.get('/pods/0')?.value).toBe(valueOf('again', 0));
  });

  test('rules 24 and 25: a changed byte anywhere in a row is noticed and costs the keys of that row', async () => {
    const disk = await filled();
    const keysOf = (bytes: Uint8Array, id: number): string[] => {
      const body = new ByteReader(bytes, 9);
      expect(body.varint()).toBe(id);
      return [...new FoldedReader().entries(body)].map(({ key }) => key);
    };
    for (const [id, bytes] of disk.tables.base) {
      const keys = keysOf(bytes, id).filter((key) => key !== '/pods/0');
      for (let at = 0; at < bytes.length; at += 37) {
        const damaged = copyOf(disk);
        damaged.tables.base.set(id, bytes.with(at, (bytes[at] ?? 0) ^ 0x11));
        const error = await damageOf(damaged);
        expect(error.damage).toMatchObject([{ table: 'base', row: id }]);
        expect(error.salvage).toMatchObject({ dropped: 1, keys: 40 - keys.length });
        await error.repair();
        const repaired = await open(damaged);
        for (let i = 1; i < 40; i++)
          expect(repaired.get(`/pods/${i}`)?.value).toBe(
            keys.includes(`/pods/${i}`) ? undefined : valueOf(`pod-${i}`, i),
          );
      }
    }
  });

  test.each([1, 2])('rule 25: of format %i is read without a head', async (format) => {
    const disk = await filled();
    const expected = contents(await open(copyOf(disk)));
    if (format === 1) writtenBefore(disk);
    disk.tables.head.clear();
    await (await damageOf(disk)).repair();
    expect(contents(await open(disk))).toEqual(expected);
  });

  test('of an earlier release opens, goes on, and has the new form from its next snapshot on', async () => {
    const disk = await filled();
    const expected = contents(await open(copyOf(disk)));
    writtenBefore(disk);
    const size = (): number => [...disk.tables.base.values()].reduce((sum, row) => sum + row.length, 0);
    const before = size();
    const storage = await open(disk);
    expect(contents(storage)).toEqual(expected);
    expect(headOf(disk).format).toBe(1);
    for (let i = 0; i < 40; i++) await storage.commit([put('/log', valueOf('log', i))]);
    const meanwhile = await open(copyOf(disk));
    expect(contents(meanwhile)).toEqual([`/log=${valueOf('log', 39)}`, ...expected]);
    await snapshot(storage, disk);
    expect(headOf(disk).format).toBe(3);
    await storage.close();
    const again = await open(disk);
    expect(size()).toBeLessThan(before / 2);
    expect(contents(again)).toEqual([`/log=${valueOf('log', 39)}`, ...expected]);
  });

  test('of format 2 whose rows are of another kind is damaged, and one of format 4 is refused', async () => {
    const mixed = await filled();
    const plain = copyOf(mixed);
    writtenBefore(mixed, 2);
    writtenBefore(plain);
    const [[id, row] = [0, new Uint8Array()]] = plain.tables.base;
    mixed.tables.base.set(id, row);
    expect((await damageOf(mixed)).damage).toEqual([{ table: 'base', row: id, problem: 'this is not a folded row' }]);
    const later = await filled();
    for (const at of [0, 1])
      later.tables.head.set(
        at,
        encodeFrame('head', at, (body) => body.varint(4)),
      );
    await expect(open(later)).rejects.toThrow(UnknownFormatError);
  });

  test('is followed by a new snapshot when its log is twice as large, not each time it is as large', async () => {
    const disk = memoryDisk();
    const storage = await openStorage(
      { backend: memoryBackend(disk), clock: manualClock() },
      { ...tuning, snapshotBytes: 1 },
    );
    const noise = (i: number): string =>
      Array.from({ length: 400 }, (_, k) => ((i + 7) * (k + 3) * 7919) % 9973).join();
    for (let i = 0; i < 10; i++) await storage.commit([put(`/${i}`, noise(i))]);
    await snapshot(storage, disk);
    const head = disk.tables.head.get(0);
    const turns = async (): Promise<boolean> => {
      await storage.compact(storage.revision);
      for (let i = 0; i < 20; i++) await new Promise<void>((resolve) => setImmediate(resolve));
      return disk.tables.head.get(0) !== head;
    };
    for (let i = 0; i < 15; i++) await storage.commit([put(`/${i % 10}`, noise(i + 20))]);
    expect(await turns()).toBe(false);
    for (let i = 0; i < 10; i++) await storage.commit([put(`/${i}`, noise(i + 40))]);
    expect(await turns()).toBe(true);
  });
});
