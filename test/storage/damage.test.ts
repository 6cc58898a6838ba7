import { beforeAll, describe, expect, test } from 'vitest';
import { decodeText, manualClock, seededRandom } from '../../src/std/index.ts';
import type { Backend, MemoryDisk, Storage } from '../../src/storage/index.ts';
import {
  DamagedError,
  memoryBackend,
  memoryDisk,
  openStorage,
  restoreStorage,
  UnknownFormatError,
} from '../../src/storage/index.ts';
import type { Table } from '../../src/storage/backends/backend.ts';
import { contents, del, disks, eagerTuning, put, write } from './support.ts';

const start = (backend: Backend): Promise<Storage> => openStorage({ backend, clock: manualClock() }, eagerTuning);

/** A snapshot of several rows, and a log of several rows over it. */
async function fill(open: () => Promise<Backend>): Promise<void> {
  const storage = await start(await open());
  for (let i = 0; i < 40; i++) await write(storage, put(`/k${i % 10}`, `value ${i}`.padEnd(60, '.')));
  await storage.compact(40);
  await write(storage, put('/k0', 'in the log'), del('/k1'));
  for (let i = 0; i < 3; i++) await write(storage, put(`/big${i}`, 'x'.repeat(600)));
  await storage.close();
}

async function damageOf(backend: Backend): Promise<DamagedError> {
  try {
    await start(backend);
  } catch (error) {
    if (error instanceof DamagedError) return error;
    throw error;
  }
  throw new Error('the damage was not noticed');
}

async function rowsOf(backend: Backend, table: Table): Promise<number[]> {
  return (await backend.read(table, 0, Infinity, 1000)).map(({ id }) => id);
}

async function flip(backend: Backend, table: Table, id: number): Promise<void> {
  const [row] = await backend.read(table, id, id + 1, 1);
  const bytes = Uint8Array.from(row?.bytes ?? []);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  await backend.write({ put: [{ table, id, bytes }] });
}

describe.each(disks)('damage on $name', ({ disk }) => {
  test('rule 24: a damaged log is reported and left as it is; rule 25: a repair keeps what comes before and after', async () => {
    const open = disk();
    await fill(open);
    const backend = await open();
    const log = await rowsOf(backend, 'log');
    await flip(backend, 'log', log.at(-2) ?? 0);
    const error = await damageOf(backend);
    expect(error.damage).toEqual([{ table: 'log', row: log.at(-2), problem: 'the checksum is wrong' }]);
    expect(error.salvage).toEqual({ keys: 11, revision: 45, dropped: 1, lost: [{ from: 44, to: 44 }] });
    expect(await rowsOf(backend, 'log')).toEqual(log);

    expect(await error.repair()).toEqual(error.salvage);
    const repaired = await start(backend);
    const [first, second, third] = [`/big0=${'x'.repeat(600)}`, `/big2=${'x'.repeat(600)}`, '/k0=in the log'];
    expect(contents(repaired).slice(0, 3)).toEqual([first, second, third]);
    expect(repaired.count('', '\uffff')).toBe(11);
    expect(repaired.revision, 'above anything that was dropped').toBeGreaterThan(45);
    expect(repaired.compacted).toBe(repaired.revision);
    expect(await write(repaired, put('/k0', 'after'))).toMatchObject({ ok: true, revision: repaired.compacted + 1 });
    await repaired.close();
    const again = await start(await open());
    expect(again.get('/k0')?.value).toBe('after');
  });

  test('rule 25: a damaged row of the snapshot costs its keys and nothing else', async () => {
    const open = disk();
    await fill(open);
    const backend = await open();
    const [first] = await rowsOf(backend, 'base');
    await flip(backend, 'base', first ?? 0);
    const error = await damageOf(backend);
    expect(error.damage).toMatchObject([{ table: 'base', row: first }]);
    expect(error.salvage.dropped).toBe(1);
    await error.repair();
    const repaired = await start(backend);
    const keys = contents(repaired).map((line) => line.slice(0, line.indexOf('=')));
    expect(keys).toEqual(expect.arrayContaining(['/big0', '/big1', '/big2', '/k0', '/k9']));
    expect(keys.length).toBeLessThan(12);
  });
});

describe('rule 25: what follows a damaged row of the log', () => {
  /** Twelve commits, each with a key of its own and `/k`; so many rows of the log are joined. */
  async function logOf(joinRows: number): Promise<MemoryDisk> {
    const disk = memoryDisk();
    const options = { backend: memoryBackend(disk), clock: manualClock() };
    const storage = await openStorage(options, { ...eagerTuning, joinRows, snapshotBytes: 1 << 20 });
    for (let i = 1; i <= 12; i++) {
      await storage.commit([
        { type: 'put', key: '/k', value: `${i}` },
        { type: 'put', key: `/only-${i}`, value: 'x' },
      ]);
    }
    await storage.close();
    return disk;
  }
  const rowsIn = (disk: MemoryDisk): number[] => [...disk.tables.log.keys()].sort((a, b) => a - b);
  const flipAt = (disk: MemoryDisk, row: number, at: number): void => {
    const bytes = disk.tables.log.get(row) ?? new Uint8Array();
    bytes[at] = (bytes[at] ?? 0) ^ 1;
  };
  const all = Array.from({ length: 12 }, (_, i) => `/only-${i + 1}`);

  test.each([
    ['the first row', 0, ['/only-1'], [{ from: 1, to: 1 }]],
    ['a row between', 4, ['/only-5'], [{ from: 5, to: 5 }]],
    ['the last row', 11, ['/only-12'], [{ from: 12 }]],
  ])('is kept: %s', async (_what, index, missing, lost) => {
    const disk = await logOf(1_000);
    flipAt(disk, rowsIn(disk)[index] ?? 0, 20);
    const error = await damageOf(memoryBackend(disk));
    expect(error.salvage).toMatchObject({ dropped: 1, lost });
    await error.repair();
    const repaired = await start(memoryBackend(disk));
    expect(all.filter((key) => !repaired.get(key))).toEqual(missing);
    expect(repaired.get('/k')?.value).toBe(index === 11 ? '11' : '12');
    expect(repaired.revision).toBeGreaterThan(12);
  });

  test('is kept when several rows are damaged or missing', async () => {
    const disk = await logOf(1_000);
    const rows = rowsIn(disk);
    flipAt(disk, rows[1] ?? 0, 20);
    disk.tables.log.delete(rows[5] ?? 0);
    disk.tables.log.delete(rows[6] ?? 0);
    const error = await damageOf(memoryBackend(disk));
    expect(error.salvage.lost).toEqual([
      { from: 2, to: 2 },
      { from: 6, to: 7 },
    ]);
    await error.repair();
    const repaired = await start(memoryBackend(disk));
    expect(all.filter((key) => !repaired.get(key))).toEqual(['/only-2', '/only-6', '/only-7']);
  });

  test('the sound frames of a joined row are kept', async () => {
    const disk = await logOf(12);
    const [row] = rowsIn(disk);
    const bytes = disk.tables.log.get(row ?? 0) ?? new Uint8Array();
    expect(bytes.length).toBeGreaterThan(400);
    flipAt(disk, row ?? 0, bytes.length >> 1);
    const error = await damageOf(memoryBackend(disk));
    expect(error.salvage.lost).toHaveLength(1);
    await error.repair();
    const repaired = await start(memoryBackend(disk));
    expect(all.filter((key) => !repaired.get(key))).toHaveLength(1);
    expect(repaired.get('/k')?.value).toBe('12');
  });

  test('and an export of it can be restored', async () => {
    const disk = await logOf(1_000);
    flipAt(disk, rowsIn(disk)[4] ?? 0, 20);
    const restored = memoryDisk();
    await restoreStorage(memoryBackend(restored), (await damageOf(memoryBackend(disk))).export());
    const storage = await start(memoryBackend(restored));
    expect(all.filter((key) => !storage.get(key))).toEqual(['/only-5']);
    expect([storage.revision, storage.compacted]).toEqual([12, 6]);
  });
});

describe('damage', () => {
  let sound: MemoryDisk;
  let expected: readonly string[];

  beforeAll(async () => {
    sound = memoryDisk();
    await fill(async () => memoryBackend(sound));
    expected = contents(await start(memoryBackend(copyOf(sound))));
  });

  function copyOf({ tables, owner }: MemoryDisk): MemoryDisk {
    const copy = (table: Table): Map<number, Uint8Array<ArrayBuffer>> =>
      new Map(Array.from(tables[table], ([id, bytes]) => [id, bytes.slice()]));
    return { tables: { head: copy('head'), base: copy('base'), log: copy('log') }, owner };
  }

  test.each<Table>(['head', 'base', 'log'])('rule 24: any changed byte of a row of %s is noticed', async (table) => {
    const random = seededRandom(table);
    for (const id of sound.tables[table].keys()) {
      for (let round = 0; round < 40; round++) {
        const disk = copyOf(sound);
        const bytes = disk.tables[table].get(id) ?? new Uint8Array();
        const at = random.int(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 + random.int(255));
        const error = await damageOf(memoryBackend(disk));
        expect(error.damage[0]).toMatchObject({ table, row: id });
        await error.repair();
        const repaired = await start(memoryBackend(disk));
        if (table === 'head') expect(contents(repaired)).toEqual(expected);
      }
    }
  });

  test.each<Table>(['head', 'base', 'log'])('rule 24: a missing row of %s is noticed', async (table) => {
    const ids = [...sound.tables[table].keys()];
    for (const id of table === 'log' ? ids.slice(0, -1) : ids) {
      const disk = copyOf(sound);
      disk.tables[table].delete(id);
      const error = await damageOf(memoryBackend(disk));
      expect(error.damage).toContainEqual({
        table,
        row: expect.any(Number),
        problem: expect.stringMatching(/missing$/),
      });
      const [{ row, problem } = { row: 0, problem: '' }] = error.damage;
      expect(error.message).toBe(`the database is damaged: ${table} row ${row}: ${problem}`);
      await error.repair();
      await expect(start(memoryBackend(disk))).resolves.toBeDefined();
    }
  });

  test('rule 24: a row in the place of another is noticed', async () => {
    for (const table of ['base', 'log'] as const) {
      const disk = copyOf(sound);
      const [a, b] = [...disk.tables[table].keys()];
      const bytes = disk.tables[table].get(b ?? 0);
      if (bytes) disk.tables[table].set(a ?? 0, bytes);
      expect((await damageOf(memoryBackend(disk))).damage[0]).toMatchObject({ table, row: a });
    }
  });

  test('rule 25: without any head, the rows that are there are enough', async () => {
    const disk = copyOf(sound);
    disk.tables.head.clear();
    const error = await damageOf(memoryBackend(disk));
    await error.repair();
    expect(contents(await start(memoryBackend(disk)))).toEqual(expected);
  });

  test('rule 26: an export of a damaged database has the sound part and the damaged rows', async () => {
    const disk = copyOf(sound);
    const last = [...disk.tables.log.keys()].at(-1) ?? 0;
    disk.tables.log.get(last)?.fill(0, 20, 30);
    const error = await damageOf(memoryBackend(disk));
    let text = '';
    for await (const chunk of error.export()) text += decodeText(chunk);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter((line) => 'entry' in line)).toHaveLength(10);
    expect(lines.find((line) => 'damage' in line)).toMatchObject({
      damage: { table: 'log', row: last, problem: 'the checksum is wrong', base64: expect.stringMatching(/^.{600,}$/) },
    });
  });

  test('a database of a later release is not touched', async () => {
    const disk = memoryDisk();
    const { encodeFrame } = await import('../../src/storage/disk/frame.ts');
    const bytes = encodeFrame('head', 0, (body) => body.varint(99));
    disk.tables.head.set(0, bytes);
    await expect(start(memoryBackend(disk))).rejects.toThrow(UnknownFormatError);
    expect(disk.tables.head.get(0)).toBe(bytes);
  });
});
