import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/std/index.ts';
import { Blocks } from '../../src/storage/blocks.ts';

const LARGEST = 8 * 1024;

const ascii = fc.string({ unit: fc.integer({ max: 0x7f }).map((code) => String.fromCharCode(code)), maxLength: 3000 });

test('texts are read back as they were, whatever is kept before and after them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(ascii, fc.string({ unit: 'binary' })), { maxLength: 40 }),
      fc.boolean(),
      (texts, asBytes) => {
        const blocks = new Blocks();
        const kept = texts.map((text) => blocks.keep(asBytes ? encodeText(text) : text));
        for (const [i, text] of texts.entries()) {
          const place = kept[i];
          if (place) expect(decodeText(place.block.subarray(place.start, place.end))).toBe(text);
          else expect([...text].some((character) => character > '\x7f')).toBe(true);
        }
      },
    ),
  );
});

test('short texts share a block, and blocks do not become larger than they may', () => {
  const blocks = new Blocks();
  const kept = Array.from({ length: 1000 }, () => blocks.keep('x'.repeat(100)));
  const used = [...new Set(kept.map((place) => place?.block))];
  expect(used.map((block) => block?.length)).toEqual([512, 1024, 2048, 4096, ...used.slice(4).map(() => LARGEST)]);
  expect(used.length).toBeLessThan(20);
});

test('a text that is longer than a block is not kept', () => {
  const blocks = new Blocks();
  expect(blocks.keep('x'.repeat(LARGEST))?.end).toBe(LARGEST);
  expect(blocks.keep('x'.repeat(LARGEST + 1))).toBeUndefined();
});
