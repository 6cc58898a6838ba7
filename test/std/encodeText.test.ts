import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/std/index.ts';

const PIECE = 8 * 1024;
const whole = (text: string): number[] => Array.from(new TextEncoder().encode(text));

test.each([
  ['nothing', ''],
  ['two pieces', 'x'.repeat(2 * PIECE)],
  ['one more than two pieces', 'x'.repeat(2 * PIECE + 1)],
  ['several pieces', 'x'.repeat(5 * PIECE + 3)],
  ['two bytes a character', 'é'.repeat(3 * PIECE)],
  ['three bytes a character', '語'.repeat(3 * PIECE)],
  ['one character of two bytes at the end', `${'x'.repeat(2 * PIECE)}é`],
  ['pairs only', '😀'.repeat(3 * PIECE)],
  ['lines', 'x\n'.repeat(2 * PIECE)],
  ['a pair after a piece', `${'x'.repeat(PIECE - 1)}😀${'y'.repeat(2 * PIECE)}`],
  ['half a pair at the end of a piece', `${'x'.repeat(PIECE - 1)}\ud83d${'y'.repeat(2 * PIECE)}`],
  ['half a pair at the end', `${'x'.repeat(3 * PIECE - 1)}\ud83d`],
])('encoding in pieces gives the bytes of the whole text: %s', (_, text) => {
  expect(Array.from(encodeText(text))).toEqual(whole(text));
});

test('the bytes of any text are those of the platform’s encoder, in an array of exactly their size', () => {
  const unit = fc.constantFrom('x', 'é', '語', '😀', '\ud83d', '\ude00');
  const run = fc.tuple(unit, fc.nat(9_000)).map(([one, times]) => one.repeat(times));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 8 }), (runs) => {
      const encoded = encodeText(runs.join(''));
      expect(Buffer.compare(encoded, new TextEncoder().encode(runs.join('')))).toBe(0);
      expect(encoded.buffer.byteLength).toBe(encoded.length);
    }),
  );
});
