import { describe, expect, test } from 'vitest';
import { hostRandom, seededRandom } from '../../src/std/random.ts';

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const some = (uuid: () => string, count: number): string[] => Array.from({ length: count }, uuid);

describe('identifiers', () => {
  test.each([
    ['the host', hostRandom('a')],
    ['a seed', seededRandom('a')],
  ])('of %s are of version 4, and each is another', (_, { uuid }) => {
    const made = some(uuid, 1000);
    expect(made.filter((one) => !VERSION_4.test(one))).toEqual([]);
    expect(new Set(made).size).toBe(1000);
  });

  test('of a seed are the same again, those of the host are not', () => {
    expect(some(seededRandom('a').uuid, 3)).toEqual(some(seededRandom('a').uuid, 3));
    const ofHost = [...some(hostRandom('a').uuid, 300), ...some(hostRandom('a').uuid, 300)];
    expect(new Set(ofHost).size).toBe(600);
  });

  test('use all other bits', () => {
    const digits = some(hostRandom('a').uuid, 1000).map((uuid) => uuid.replaceAll('-', ''));
    const places = Array.from({ length: 32 }, (_, i) => new Set(digits.map((text) => text[i])).size);
    expect(places.map((seen, i) => (i === 12 ? seen === 1 : i === 16 ? seen === 4 : seen === 16))).not.toContain(false);
  });
});
