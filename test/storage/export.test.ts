import { expect, test } from 'vitest';
import { decodeText, encodeText, manualClock } from '../../src/std/index.ts';
import type { Storage } from '../../src/storage/index.ts';
import { memoryBackend, memoryDisk, openStorage, restoreStorage } from '../../src/storage/index.ts';
import { brief, contents, del, open, put, write } from './support.ts';

async function filled(): Promise<Storage> {
  const storage = await open();
  await write(storage, put('/a', '1'), put('/b', '1'), put('/a', '2'));
  await storage.compact(2);
  await storage.commit([put('/c', 'Grüße\n"😀"'), del('/b')]);
  await storage.commit([{ type: 'put', key: '/d', value: 'x', expires: Date.UTC(2027, 0, 1) }]);
  return storage;
}

async function textOf(storage: Storage): Promise<string> {
  let text = '';
  for await (const chunk of storage.export()) text += decodeText(chunk);
  return text;
}

/** The bytes in pieces that tear lines and characters apart. */
async function* inPieces(text: string, size: number): AsyncIterable<Uint8Array> {
  const bytes = encodeText(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([7, 100_000])('rule 26: what was exported comes back with its history (pieces of %d bytes)', async (size) => {
  const storage = await filled();
  const disk = memoryDisk();
  await restoreStorage(memoryBackend(disk), inPieces(await textOf(storage), size));
  const restored = await openStorage({ backend: memoryBackend(disk), clock: manualClock() });
  expect([restored.revision, restored.compacted]).toEqual([storage.revision, storage.compacted]);
  for (const revision of [2, 3, 4, 5]) expect(contents(restored, revision)).toEqual(contents(storage, revision));
  for (const key of ['/a', '/b', '/c', '/d']) {
    expect(restored.get(key)).toEqual(storage.get(key));
    expect(restored.history(key).map(brief)).toEqual(storage.history(key).map(brief));
  }
});

test('rule 26: an export shows one moment, whatever is written meanwhile', async () => {
  const storage = await filled();
  const expected = await textOf(storage);
  const reader = storage.export()[Symbol.asyncIterator]();
  const first = await reader.next();
  await write(storage, put('/late', 'x'));
  await storage.compact(storage.revision);
  let text = first.done ? '' : decodeText(first.value);
  for (let next = await reader.next(); !next.done; next = await reader.next()) text += decodeText(next.value);
  expect(text).toBe(expected);
});

test.each([
  ['nothing', () => ''],
  ['one that was cut short', (text: string) => text.split('\n').slice(0, -2).join('\n')],
  ['one without a line in the middle', (text: string) => text.split('\n').toSpliced(2, 1).join('\n')],
  ['one with a commit of another revision', (text: string) => text.replace('"commit":4', '"commit":5')],
  ['one with a field of another type', (text: string) => text.replace('"version":1', '"version":"1"')],
  ['one whose object is none', (text: string) => text.replace('"key":"/c"', '"key":"/registry/c"')],
  ['something else', () => '{"kind":"List"}\n'],
  ['no JSON', () => 'apiVersion: v1\n'],
])('rule 26: refuses %s', async (_, change) => {
  const disk = memoryDisk();
  const restored = restoreStorage(memoryBackend(disk), inPieces(change(await textOf(await filled())), 50));
  await expect(restored).rejects.toThrow(TypeError);
  expect(disk.tables.head.size).toBe(0);
});

test('rule 26: restores only where there is nothing', async () => {
  const disk = memoryDisk();
  await openStorage({ backend: memoryBackend(disk), clock: manualClock() });
  const text = await textOf(await filled());
  await expect(restoreStorage(memoryBackend(disk), inPieces(text, 50))).rejects.toThrow('where there is none');
});

test('rule 26: a large export comes in pieces, of which none is of many lines', async () => {
  const storage = await open();
  await Promise.all(
    Array.from({ length: 700 }, (_, i) => storage.commit([put(`/${String(i).padStart(3, '0')}`, 'x')])),
  );
  const pieces: string[] = [];
  for await (const chunk of storage.export()) pieces.push(decodeText(chunk));
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.every((piece) => piece.endsWith('\n') && piece.split('\n').length <= 257)).toBe(true);
  const disk = memoryDisk();
  await restoreStorage(memoryBackend(disk), inPieces(pieces.join(''), 1000));
  const restored = await openStorage({ backend: memoryBackend(disk), clock: manualClock() });
  expect(contents(restored)).toEqual(contents(storage));
});
