import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeText, md5, toHex } from '../../src/std/index.ts';

test.each([
  '',
  'a',
  'message digest',
  'ü'.repeat(27),
  'x'.repeat(55),
  'x'.repeat(56),
  'x'.repeat(64),
  'x'.repeat(1000),
])('the digest of %j is the one that Node computes', (text) =>
  expect(toHex(md5(encodeText(text)))).toBe(createHash('md5').update(text).digest('hex')),
);
