import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldEntry, storedEntry, valueLength } from '../../src/storage/entry.ts';
import { openStorage } from '../../src/storage/index.ts';
import { encodeText, manualClock, yieldToTasks } from '../../src/std/index.ts';
import { FIRST, FoldedText, MARK, Pieces } from '../../src/storage/foldedText.ts';
import { Folder } from '../../src/storage/folder.ts';

/** Texts as objects have them: alike but for some values, with lengths that fold. */
const values = fc.record({
  name: fc.string({ unit: 'binary' }),
  uid: fc.uuid(),
  time: fc.constantFrom('2021-01-01T00:00:00Z', '2021-01-01T00:00:01Z'),
  note: fc.constantFrom('', '"', '\u0001', 'é', '–', 'text with "quotes"'),
  count: fc.integer(),
  list: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }),
});
const textOf = ({ name, time, ...rest }: typeof values extends fc.Arbitrary<infer T> ? T : never): string =>
  JSON.stringify({ kind: 'Event', name, time, ...rest, same: 'x'.repeat(200), again: [time, time, name], last: name });

/** Texts of one kind are alike; those of all kinds have as many pieces. */
const text = (kind: string, i: number): string => JSON.stringify({ kind, name: `n-${i}`, spec: kind.repeat(99) });

describe('folded texts', () => {
  test('unfold to what they were', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(values.map(textOf), fc.string({ minLength: 200 })), { maxLength: 30 }), (texts) => {
        const folder = new Folder();
        for (const text of texts) {
          const folded = folder.fold(text);
          if (folded) expect([folded.unfold(), folded.length]).toEqual([text, text.length]);
        }
      }),
    );
  });

  test('with hundreds of differences, or hundreds of equal pieces between them, too', () => {
    const list = (change: (i: number) => boolean): string =>
      JSON.stringify(Array.from({ length: 600 }, (_, i) => (change(i) ? `other ${i}` : `item ${i}`)));
    for (const change of [(i: number) => i === 500, (i: number) => i % 6 === 0, (i: number) => i > 0, () => false]) {
      const folder = new Folder();
      folder.fold(list(() => false));
      const folded = folder.fold(list(change));
      expect(folded ? folded.unfold() : list(change)).toBe(list(change));
    }
  });

  test('of an earlier release, whose numbers may be characters beyond ASCII, unfold too', () => {
    const pieces = Array.from({ length: 300 }, (_, i) => `item ${i}`);
    const number = (count: number): string => String.fromCharCode(FIRST + count);
    const difference = `${number(200)}other${MARK}${number(90)}another`;
    const text = pieces.map((piece, i) => (i === 200 ? 'other' : i === 291 ? 'another' : piece)).join(MARK);
    const folded = new FoldedText(new Pieces(pieces.join(MARK)), encodeText(difference), text.length);
    expect(folded.unfold()).toBe(text);
    expect(folded.written).toBe(difference);
  });

  test('are kept as a few characters where little differs', () => {
    const folder = new Folder();
    const text = (i: number): string => JSON.stringify({ name: `pod-${i}`, spec: 'y'.repeat(500), count: i });
    expect(folder.fold(text(1))).toBeUndefined();
    expect(folder.fold(text(2))?.difference.length).toBeLessThan(30);
  });

  test('are compared with those of their kind, however many others of as many pieces came before', () => {
    const folder = new Folder();
    const kinds = Array.from({ length: 9 }, (_, i) => `kind${i}`);
    for (const kind of kinds) {
      for (let i = 0; i < 5; i++) folder.fold(text(kind, i));
      expect(folder.fold(text(kind, 5))?.unfold(), kind).toBe(text(kind, 5));
    }
  });

  test('are compared with a text that others were like a moment ago, whatever comes in between', () => {
    const folder = new Folder();
    folder.fold(text('first', 0));
    for (let i = 1; i < 10; i++) {
      folder.fold(text(`kind${i}`, 0));
      expect(folder.fold(text('first', i))?.unfold(), String(i)).toBe(text('first', i));
    }
  });

  test('unfold although later texts are no longer compared with what they are like', () => {
    const folder = new Folder();
    folder.fold(text('first', 0));
    const folded = folder.fold(text('first', 1));
    for (let i = 0; i < 9; i++) folder.fold(text(`kind${i}`, 0));
    expect(folder.fold(text('first', 2))).toBeUndefined();
    expect(folded?.unfold()).toBe(text('first', 1));
  });
});

test('an entry looks the same when its value is folded', () => {
  const folder = new Folder();
  const content = (i: number) => ({
    ...{ key: `/pods/${i}`, value: JSON.stringify({ name: `pod-${i}`, spec: 'y'.repeat(500) }) },
    ...{ created: 1, revision: 3, version: 2, expires: 7 },
  });
  const entries = [1, 2, 3].map((i) => storedEntry(content(i), content(i).value));
  for (const entry of entries) foldEntry(entry, folder);
  for (const [at, entry] of entries.entries()) {
    expect({ ...entry }).toEqual(content(at + 1));
    expect(JSON.stringify(entry)).toBe(JSON.stringify(content(at + 1)));
    expect(valueLength(entry)).toBe(entry.value.length);
  }
});

test('history that is folded reads as it was written, before and after a compaction', async () => {
  const storage = await openStorage({ clock: manualClock(0), keep: Infinity });
  const value = (key: number, version: number): string =>
    JSON.stringify({ name: `pod-${key}`, spec: 'y'.repeat(1500), version });
  const [keys, versions] = [50, 60];
  for (let version = 1; version <= versions; version++)
    for (let key = 0; key < keys; key++)
      await storage.commit([{ type: 'put', key: `/pods/${key}`, value: value(key, version) }]);
  for (let turn = 0; turn < 300; turn++) await yieldToTasks();
  const read = (version: number): unknown =>
    Array.from({ length: keys }, (_, key) => storage.get(`/pods/${key}`, version * keys)?.value);
  const written = (version: number): unknown => Array.from({ length: keys }, (_, key) => value(key, version));
  for (const version of [1, 7, versions]) expect(read(version)).toEqual(written(version));
  await storage.compact(versions * keys);
  for (let turn = 0; turn < 10; turn++) await yieldToTasks();
  expect(read(versions)).toEqual(written(versions));
  await storage.close();
});
