import { describe, expect, it, test } from 'vitest';
import { Quantity, canonicalQuantity, parseQuantity, quantityOf } from '../../../src/schema/values/quantity.ts';

describe('canonical form', () => {
  test.each([
    ['0', '0'],
    ['0Mi', '0'],
    ['0.1', '100m'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.0001', '100u'],
    ['.5', '500m'],
    ['1000000', '1M'],
    ['1000k', '1M'],
    ['1024', '1024'],
    ['1024Mi', '1Gi'],
    ['1024Ki', '1Mi'],
    ['1000Ki', '1000Ki'],
    ['0.5Gi', '512Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.1Gi', '107374182400m'],
    ['0.5Ki', '512'],
    ['1e3', '1e3'],
    ['1e-1', '100e-3'],
    ['12E6', '12E6'],
    ['120E6', '120E6'],
    ['1200E5', '120e6'],
    ['-1', '-1'],
    ['-1500m', '-1500m'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['9223372036854775808Ki', '9223372036854775807'],
    ['100E', '100E'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it('keeps texts that the reference takes for canonical', () => {
    for (const text of ['+1', '01', '1.', '1e+3', '3Ki']) expect(canonicalQuantity(text)).toBe(text);
  });

  it('reads a missing number as zero, as the reference does', () => {
    for (const text of ['+', '.', 'm', 'Mi']) expect(canonicalQuantity(text)).toBe('0');
  });
});

test.each(['', 'x', '1.2.3', '1 Gi', '1gi', '1KB', '1e', '1ee3', '--1', '1e9999', '1m1'])(
  '%j is no quantity',
  (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  },
);

describe('arithmetic', () => {
  const q = quantityOf;

  test.each([
    ['500m', '0.5', 0],
    ['1Gi', '1G', 1],
    ['1', '2', -1],
    ['1k', '1000', 0],
    ['1e1000', '1n', 1],
  ])('%s against %s', (a, b, expected) => {
    expect(Math.sign(q(a).compare(q(b)))).toBe(expected);
  });

  it('adds and subtracts in the format of the first that is not zero', () => {
    expect(q('1Gi').add(q('512Mi')).toString()).toBe('1536Mi');
    expect(q('500m').add(q('500m')).toString()).toBe('1');
    expect(q('0').add(q('1Gi')).toString()).toBe('1Gi');
    expect(q('1').sub(q('1500m')).toString()).toBe('-500m');
  });

  it('counts whole units and thousandths upwards', () => {
    expect(q('1500m').value()).toBe(2);
    expect(q('-1500m').value()).toBe(-2);
    expect(q('0.0001').milliValue()).toBe(1);
    expect(q('1Ki').milliValue()).toBe(1_024_000);
  });

  it('rounds up to thousandths', () => {
    expect(q('0.0001').roundUp(-3).toString()).toBe('1m');
    expect(q('+1').roundUp(-3).toString()).toBe('+1');
  });

  it('makes quantities from numbers', () => {
    expect(Quantity.of(3).toString()).toBe('3');
    expect(Quantity.of(2048, 'BinarySI').toString()).toBe('2Ki');
    expect(Quantity.ofMilli(250).toString()).toBe('250m');
  });
});

describe('long texts', () => {
  test.each([
    [`5.${'0'.repeat(1_001)}`, '5'],
    [`5.${'0'.repeat(1_001)}1`, '5000000001n'],
    [`0.${'0'.repeat(1_001)}1`, '1n'],
    [`1${'0'.repeat(2_000)}e-1995`, '100e3'],
    ['1e-99999999999', '1e-9'],
    [`1${'0'.repeat(21)}m`, '1E'],
    [`1${'0'.repeat(2_000)}`, `1${'0'.repeat(1_982)}E`],
    // How long these take is judged by the fuzzer's corpus.
    [`1${'0'.repeat(40_000)}m`, `1${'0'.repeat(39_979)}E`],
    [`${'0'.repeat(40_000)}x`, undefined],
    [`5.${'0'.repeat(40_000)}`, '5'],
    ['7'.repeat(40_000), '7'.repeat(40_000)],
  ])('%#: a text with many zeros has its value', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });
});
