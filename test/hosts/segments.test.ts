/** Rows in a directory: segments that only grow. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCluster, type Backend, type Batch, type Row, type Table } from '../../src/cluster/index.ts';
import { completed, openDataDirectory, type Made } from '../../src/hosts/node/data/directory.ts';
import { lockDirectory } from '../../src/hosts/node/data/lock.ts';
import { segmentBackend } from '../../src/hosts/node/data/segments.ts';
import type { ApiObject } from '../../src/schema/index.ts';

const TABLES: readonly Table[] = ['head', 'base', 'log'];
const small = { segmentBytes: 200, copyBytes: 60 };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vitrine-segments-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const row = (table: Table, id: number, text: string): Row & { table: Table } => ({
  ...{ table, id },
  bytes: new TextEncoder().encode(text),
});
const segments = (): string[] => readdirSync(directory).filter((name) => name.endsWith('.segment'));
const lastSegment = (): string => join(directory, segments().at(-1) ?? '');

/** All rows, as `log 1 text`. */
async function contents(backend: Backend): Promise<string[]> {
  const of = async (table: Table): Promise<string[]> =>
    (await backend.read(table, 0, Infinity, Infinity)).map(
      ({ id, bytes }) => `${table} ${id} ${new TextDecoder().decode(bytes)}`,
    );
  return (await Promise.all(TABLES.map(of))).flat();
}

async function reopened(options = {}): Promise<string[]> {
  const backend = await segmentBackend(directory, options);
  try {
    return await contents(backend);
  } finally {
    await backend.close();
  }
}

test('reads a span of rows in order, so many at most', async () => {
  const backend = await segmentBackend(directory);
  await backend.write({ put: [10, 2, 3, 1].map((id) => row('log', id, 'x')) });
  const ids = async (from: number, to: number, limit: number): Promise<number[]> =>
    (await backend.read('log', from, to, limit)).map(({ id }) => id);
  expect(await ids(0, Infinity, 100)).toEqual([1, 2, 3, 10]);
  expect(await ids(2, 10, 100)).toEqual([2, 3]);
  expect(await ids(0, Infinity, 2)).toEqual([1, 2]);
  await backend.close();
});

test('holds the same rows as a model under random batches and reopenings, and deletes old segments', async () => {
  const id = fc.nat(5);
  const table = fc.constantFrom(...TABLES);
  const batch = fc.record({
    remove: fc.array(fc.record({ table, from: id, to: fc.oneof(id, fc.constant(Infinity)) }), { maxLength: 2 }),
    put: fc.array(fc.record({ table, id, text: fc.string({ maxLength: 40 }) }), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ batch, reopen: fc.boolean() }), { maxLength: 30 }), async (steps) => {
      const home = mkdtempSync(join(tmpdir(), 'vitrine-model-'));
      const model = new Map<string, string>();
      let backend = await segmentBackend(home, small);
      for (const { batch: wanted, reopen } of steps) {
        for (const span of wanted.remove)
          for (const key of model.keys()) {
            const [of, number] = key.split(' ');
            if (of === span.table && Number(number) >= span.from && Number(number) < span.to) model.delete(key);
          }
        for (const each of wanted.put) model.set(`${each.table} ${each.id}`, each.text);
        const put = wanted.put.map((each) => row(each.table, each.id, each.text));
        await backend.write({ remove: wanted.remove, put });
        if (!reopen) continue;
        await backend.close();
        backend = await segmentBackend(home, small);
      }
      const expected = [...model].map(([key, text]) => `${key} ${text}`).sort();
      expect((await contents(backend)).sort()).toEqual(expected);
      await backend.close();
      rmSync(home, { recursive: true, force: true });
    }),
    { seed: 1, numRuns: 60 },
  );
});

test('the directory does not grow with what is overwritten', async () => {
  const backend = await segmentBackend(directory, { segmentBytes: 2_000, copyBytes: 500 });
  for (let i = 0; i < 300; i++) await backend.write({ put: [row('log', i % 5, `${i} ${'x'.repeat(90)}`)] });
  const bytes = segments().reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  expect(bytes).toBeLessThan(8_000);
  expect(segments()[0]).not.toBe('000000000001.segment');
  await backend.close();
});

describe('after a crash', () => {
  const write = async (...batches: readonly Batch[]): Promise<void> => {
    const backend = await segmentBackend(directory);
    for (const batch of batches) await backend.write(batch);
    await backend.close();
  };

  test('a record that was cut off anywhere is dropped, and those before it stay', async () => {
    await write({ put: [row('log', 1, 'first')] });
    const kept = statSync(lastSegment()).size;
    await write({ remove: [{ table: 'log', from: 0, to: 9 }], put: [row('log', 2, 'second'), row('head', 0, 'h')] });
    const whole = readFileSync(lastSegment());
    for (let size = kept; size < whole.length; size++) {
      writeFileSync(lastSegment(), whole.subarray(0, size));
      expect(await reopened(), `cut at ${size}`).toEqual(['log 1 first']);
      expect(statSync(lastSegment()).size).toBe(kept);
    }
    writeFileSync(lastSegment(), whole);
    expect(await reopened()).toEqual(['head 0 h', 'log 2 second']);
  });

  test('a segment without its first bytes is begun again', async () => {
    await write({ put: [row('log', 1, 'first')] });
    writeFileSync(join(directory, '000000000002.segment'), 'vitr');
    expect(await reopened()).toEqual(['log 1 first']);
    await write({ put: [row('log', 2, 'second')] });
    expect(await reopened()).toEqual(['log 1 first', 'log 2 second']);
  });

  test('a damaged record does not take those behind it with it', async () => {
    await write(...[1, 2, 3].map((id): Batch => ({ put: [row('log', id, `text ${id}`)] })));
    const bytes = readFileSync(lastSegment());
    for (const [what, damage] of [
      ['its length', bytes.indexOf('"log",2') - 30],
      ['its contents', bytes.indexOf('"log",2')],
      ['its row', bytes.indexOf('text 2')],
    ] as const) {
      const damaged = Buffer.from(bytes);
      damaged[damage] = (damaged[damage] ?? 0) ^ 0x55;
      writeFileSync(lastSegment(), damaged);
      const found = await reopened();
      expect(found, what).toContain('log 1 text 1');
      expect(found, what).toContain('log 3 text 3');
      expect(found, what).not.toContain('log 2 text 2');
    }
  });

  test('a backend that is closed takes no more writes', async () => {
    const backend = await segmentBackend(directory);
    await backend.close();
    await expect(backend.write({ put: [row('log', 1, 'x')] })).rejects.toMatchObject({ reason: 'closed' });
  });
});

test('who had the directory open before can no longer write', async () => {
  const first = await segmentBackend(directory);
  const second = await segmentBackend(directory);
  await expect(first.write({ put: [row('log', 1, 'x')] })).rejects.toMatchObject({ reason: 'fenced' });
  await second.write({ put: [row('log', 1, 'y')] });
  await Promise.all([first.close(), second.close()]);
  expect(await reopened()).toEqual(['log 1 y']);
});

test('a killed process loses nothing that it confirmed', { timeout: 120_000 }, () => {
  const run = spawnSync(process.execPath, ['test/tools/run.mjs', 'test/kills/main.ts', '--rounds', '8'], {
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/^8 kills, \d+ writes, none lost\n$/);
});

describe('a data directory', () => {
  test('stores the options of the last call, also if they are those from the start again', async () => {
    const madeOf = (name: string): Made => ({ options: { name } });
    const first = await openDataDirectory(directory);
    for (const name of ['a', 'b', 'a']) await first.keep(madeOf(name));
    await first.backend.close();
    await first.release();
    const second = await openDataDirectory(directory);
    for (const name of ['b', 'a']) await second.keep(madeOf(name));
    await second.backend.close();
    await second.release();
    const third = await openDataDirectory(directory);
    expect(third.made).toEqual(madeOf('a'));
    await third.backend.close();
    await third.release();
  });

  test.skipIf(process.platform !== 'linux')('is refused where a directory takes no entries', async () => {
    await expect(openDataDirectory('/proc/x')).rejects.toThrow(
      "the data directory /proc/x can't be made: no such file or directory",
    );
    await expect(openDataDirectory('/proc/x/y')).rejects.toThrow("the data directory /proc/x/y can't be made");
  });

  test('is made with the directories that it is in', async () => {
    const deep = join(directory, 'a', 'b', 'c');
    const opened = await openDataDirectory(deep);
    await opened.backend.close();
    await opened.release();
    expect(statSync(deep).mode & 0o777).toBe(0o700);
  });

  test('is locked while it is open, by whatever path it is opened', async () => {
    const release = await lockDirectory(directory);
    await expect(lockDirectory(`${directory}/.`)).rejects.toThrow('in use by another process');
    await release();
    await (
      await lockDirectory(directory)
    )();
  });

  test('keeps the options that its cluster was made with', async () => {
    const first = await openDataDirectory(directory);
    expect(first.made).toBeUndefined();
    await first.keep({ options: { name: 'c', naming: 'k8s.io', nodes: 2 }, token: 't' });
    await first.backend.close();
    await first.release();
    const { made, backend, release } = await openDataDirectory(directory);
    expect(completed({ name: 'c', apiserver: [] }, made)).toEqual({ name: 'c', naming: 'k8s.io', nodes: 2 });
    expect(completed({ name: 'c', nodes: 5 }, made).nodes).toBe(5);
    expect(() => completed({ name: 'c', naming: 'cluster.io' }, made)).toThrow('names of k8s.io, not of cluster.io');
    await backend.close();
    await release();
  });

  test('is not written where its options are the same: a full disk has no room for that', async () => {
    const made = { options: { name: 'c' }, token: 't' } as const;
    const file = join(directory, 'cluster.json');
    const first = await openDataDirectory(directory);
    await first.keep(made);
    await first.backend.close();
    await first.release();
    const { mtimeMs } = statSync(file);
    // A directory in its place: whatever writes the options would fail here.
    mkdirSync(`${file}.new`);
    const second = await openDataDirectory(directory);
    await second.keep(made);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    await expect(second.keep({ options: { name: 'other' } })).rejects.toThrow(
      "cluster.json can't be written: it is a directory, not a file",
    );
    await second.backend.close();
    await second.release();
  });

  test('in the place of a file says so', async () => {
    const path = join(directory, 'file');
    writeFileSync(path, '');
    await expect(openDataDirectory(path)).rejects.toThrow("file can't be made: it is a file");
  });

  test('lets a cluster go on with its uids, revisions and credentials', { timeout: 30_000 }, async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const started = async (): Promise<{ send: typeof fetch; stop(): Promise<void> }> => {
      const { backend, release } = await openDataDirectory(directory);
      const cluster = await createCluster({ name: 'c', seed: 1, naming: 'k8s.io' }, { backend });
      const send: typeof fetch = (url, init) =>
        cluster.transportAs('admin')(String(url), { headers: { 'content-type': 'application/json' }, ...init });
      return { send, stop: () => cluster.stop().then(release) };
    };
    const make = async (send: typeof fetch, name: string): Promise<ApiObject> =>
      (await (await send(path, { method: 'POST', body: JSON.stringify({ metadata: { name } }) })).json()) as ApiObject;
    const first = await started();
    const before = await make(first.send, 'before');
    await first.stop();
    const second = await started();
    expect(await (await second.send(`${path}/before`)).json()).toEqual(before);
    const after = await make(second.send, 'after');
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    await second.stop();
  });

  test.each(['{', '[]', '{"options":3}', ''])('with %j as its options says which file is damaged', async (text) => {
    writeFileSync(join(directory, 'cluster.json'), text);
    await expect(openDataDirectory(directory)).rejects.toThrow('cluster.json is damaged');
    await (
      await lockDirectory(directory)
    )();
  });
});
