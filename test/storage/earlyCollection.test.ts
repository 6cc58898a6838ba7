/** Under load garbage collection begins when enough texts were folded or deleted, and less often in a larger cluster. */
import { expect, test, vi } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import { Database } from '../../src/storage/database.ts';
import { EarlyCollection } from '../../src/storage/earlyCollection.ts';
import { Folder } from '../../src/storage/folder.ts';
import { KeySpace } from '../../src/storage/keyspace.ts';

const MILLION = 1_000_000;

/**
 * The numbers of the texts after which a collection was asked for, if each of `texts` texts has a million characters. Those that are
 * asked for after the text with the number `works` do not come.
 */
function beganAfter(texts: number, works = Infinity): number[] {
  const began: number[] = [];
  let number = 0;
  const early = new EarlyCollection((onCollected) => {
    began.push(number);
    if (number <= works) onCollected();
  });
  for (number = 1; number <= texts; number++) early.count(MILLION);
  return began;
}

test('a collection begins after every 40 million characters of folded texts', () => {
  expect(beganAfter(39)).toEqual([]);
  expect(beganAfter(639)).toEqual(Array.from({ length: 15 }, (_, i) => 40 * (i + 1)));
});

test('when more than 640 million characters were folded before, it begins after a sixteenth of them', () => {
  const began = beganAfter(4_000).filter((at) => at > 1_000);
  expect(began.length).toBeGreaterThan(10);
  for (const [i, at] of began.slice(1).entries()) {
    const before = began[i] ?? 0;
    expect(at - before).toBeGreaterThanOrEqual(before / 16);
    expect(at - before).toBeLessThanOrEqual(before / 16 + 1);
  }
});

test('if no collection came, it is tried again after half as many characters, but 40 million at least', () => {
  const began = beganAfter(4_000, 2_000).filter((at) => at > 2_000);
  expect(began.length).toBeGreaterThan(10);
  for (const [i, at] of began.slice(1).entries()) {
    const before = began[i] ?? 0;
    expect(at - before).toBe(Math.max(40, Math.ceil(before / 32)));
  }
  expect(beganAfter(639, 0)).toEqual(Array.from({ length: 15 }, (_, i) => 40 * (i + 1)));
});

test('texts that are like no other and stay whole do not count', () => {
  let began = 0;
  const folder = new Folder(new EarlyCollection(() => began++));
  const text = (i: number): string => JSON.stringify({ name: 'a'.repeat(10_000), number: i });
  const folded = (): number => {
    let characters = 0;
    for (let i = 0; i < 5_000; i++) characters += folder.fold(text(i))?.length ?? 0;
    return characters;
  };
  expect(folder.fold('x'.repeat(200))).toBeUndefined();
  expect(folded()).toBeGreaterThan(45 * MILLION);
  expect(began).toBe(1);
});

test('a deleted value counts, and one that another value replaces does not count before it is folded', async () => {
  const early = new EarlyCollection();
  const counted = vi.spyOn(early, 'count');
  const space = new KeySpace();
  const storage = new Database({ space, clock: manualClock(), keep: Infinity, folder: new Folder(early) });
  const characters = (): number => counted.mock.calls.flat().reduce((sum, length) => sum + length, 0);
  const value = 'v'.repeat(3_000);
  await storage.commit([{ type: 'put', key: '/a', value }]);
  await storage.commit([{ type: 'put', key: '/a', value: `${value}again` }]);
  expect(characters()).toBe(0);
  await storage.commit([
    { type: 'delete', key: '/a' },
    { type: 'put', key: '/b', value },
  ]);
  expect(characters()).toBe(3_005);
  await storage.close();
});

test('the buffer that makes a collection begin takes up no memory', () => {
  const early = new EarlyCollection();
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 4; i++) early.count(40 * MILLION);
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * MILLION);
});

test('a buffer that can’t be allocated is not an error', () => {
  const none = (): never => {
    throw new RangeError('Array buffer allocation failed');
  };
  vi.stubGlobal('ArrayBuffer', none);
  try {
    expect(() => new EarlyCollection().count(40 * MILLION)).not.toThrow();
  } finally {
    vi.unstubAllGlobals();
  }
});
