import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../src/std/index.ts';
import { ByteReader, ByteWriter } from '../../src/storage/disk/bytes.ts';
import { checksum } from '../../src/storage/disk/checksum.ts';
import { readChanges, readEntries, writeChanges } from '../../src/storage/disk/codec.ts';
import { decodeFrames, encodeFrame } from '../../src/storage/disk/frame.ts';
import { writeEntries } from './plainRows.ts';
import type { Change } from '../../src/storage/committer.ts';
import type { Entry } from '../../src/storage/index.ts';

test.each([
  ['', 0x02cc5d05],
  ['a', 0x550d7456],
  ['abc', 0x32d153ff],
  ['Nobody inspects the spammish repetition', 0xe2293b2f],
])('the checksum of %j is that of xxHash32', (text, expected) => {
  expect(checksum(encodeText(text))).toBe(expected);
  expect(checksum(encodeText(`--${text}--`), 2, 2 + encodeText(text).length)).toBe(expected);
});

describe('bytes', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

  test('numbers and texts come back', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(number, text)), (pairs) => {
        const writer = new ByteWriter();
        for (const [n, t] of pairs) {
          writer.varint(n);
          writer.text(t);
        }
        const reader = new ByteReader(writer.take());
        for (const [n, t] of pairs) expect([reader.varint(), reader.text()]).toEqual([n, t]);
        expect(reader.done).toBe(true);
      }),
    );
  });

  test.each([
    '',
    'a',
    'é',
    'aé',
    '\uFEFFa',
    'a\uFEFF',
    'a\0b',
    'k'.repeat(255),
    'k'.repeat(256),
    `${'k'.repeat(254)}é`,
  ])('the short or long text %j comes back', (text) => {
    const writer = new ByteWriter();
    writer.text(text);
    expect(new ByteReader(writer.take()).text()).toBe(text);
  });

  test('bytes that are no UTF-8 are refused, also after the first character', () => {
    for (const bytes of [[0xff], [0x61, 0xff], [0x61, 0xc3]]) {
      const writer = new ByteWriter();
      writer.text(new Uint8Array(bytes));
      expect(() => new ByteReader(writer.take()).text()).toThrow(TypeError);
    }
  });

  test('what ends too early is noticed', () => {
    const writer = new ByteWriter();
    writer.text('hello');
    expect(() => new ByteReader(writer.take().subarray(0, 7)).text()).toThrow(RangeError);
    expect(() => new ByteReader(new Uint8Array([0x80])).varint()).toThrow(RangeError);
  });

  const entry: fc.Arbitrary<Entry> = fc.record(
    { key: text, value: text, created: number, revision: number, version: number, expires: number },
    { requiredKeys: ['key', 'value', 'created', 'revision', 'version'], noNullPrototype: true },
  );

  test('entries come back', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const writer = new ByteWriter();
        writeEntries(entries, writer);
        expect([...readEntries(new ByteReader(writer.take()))]).toEqual(entries);
      }),
    );
  });

  test('changes come back, but for what they replaced', () => {
    const before: Entry = { key: '/a', value: '1', created: 1, revision: 1, version: 1 };
    const after: Entry = { ...before, value: '2', revision: 2, version: 2 };
    const changes = (replaced: { readonly previous?: Entry }): Change[] => [
      {
        type: 'commit',
        revision: 2,
        events: [
          { type: 'put', revision: 2, key: '/a', entry: after, ...replaced },
          { type: 'put', revision: 2, key: '/b', entry: { ...after, key: '/b', created: 2, version: 1 } },
        ],
      },
      { type: 'compact', revision: 1 },
      { type: 'commit', revision: 3, events: [{ type: 'delete', revision: 3, key: '/a', ...replaced }] },
    ];
    const writer = new ByteWriter();
    writeChanges(changes({ previous: before }), writer);
    expect([...readChanges(new ByteReader(writer.take()))]).toEqual(changes({}));
  });
});

describe('frames', () => {
  const frame = (sequence: number, text: string): Uint8Array<ArrayBuffer> =>
    encodeFrame('log', sequence, (body) => body.text(text));

  test('rows that are put together can be read as one', () => {
    const row = new Uint8Array([...frame(7, 'seven'), ...frame(8, 'eight')]);
    const read = [...decodeFrames(row, 'log')].map(({ sequence, body }) => `${sequence} ${body.text()}`);
    expect(read).toEqual(['7 seven', '8 eight']);
  });

  test('a frame is the same whatever was written before it, also a huge one or one that failed', () => {
    const first = frame(1, 'one');
    frame(2, 'x'.repeat(1 << 21));
    const failing = (): unknown =>
      encodeFrame('log', 3, (body) => {
        body.text('half');
        throw new Error('there is no more');
      });
    expect(failing).toThrow('there is no more');
    expect(frame(1, 'one')).toEqual(first);
    expect(first.buffer.byteLength).toBe(first.length);
  });

  test.each([
    ['an empty row', new Uint8Array(), 'the row is empty'],
    ['half a prefix', frame(1, 'x').subarray(0, 5), 'the row is cut short'],
    ['half a frame', frame(1, 'x').subarray(0, 12), 'the row is cut short'],
    ['a frame of another table', encodeFrame('base', 1, (body) => body.u8(1)), 'this is not a log row'],
    ['a changed byte', frame(1, 'x').with(-1, 7), 'the checksum is wrong'],
  ])('%s is refused', (_, row, problem) => {
    expect(() => [...decodeFrames(row, 'log')]).toThrow(problem);
  });
});
