import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlainHeaders } from '../../src/std/index.ts';

const name = fc.constantFrom('accept', 'Accept', 'X-One', 'x-one', 'set-cookie', 'Set-Cookie', 'b', 'no name', '', 'ä');
const value = fc.oneof(
  fc.constantFrom('', 'v', ' v ', '\tv\n', 'a, b', 'ä', '€', 'a\nb', '\0', '\u0001'),
  fc.string({ maxLength: 4 }),
);
const change = fc.oneof(
  fc.tuple(fc.constantFrom('set' as const, 'append' as const), name, value),
  fc.tuple(fc.constant('delete' as const), name),
);
type Change = readonly ['set' | 'append', string, string] | readonly ['delete', string];

/** What came of a change: `refused` for a TypeError. */
function make(headers: Headers, [what, ...given]: Change): string {
  try {
    const [key, text = ''] = given;
    if (what === 'delete') headers.delete(key);
    else headers[what](key, text);
    return 'done';
  } catch (error) {
    return error instanceof TypeError ? 'refused' : String(error);
  }
}

function seen(headers: Headers): unknown {
  const told: unknown[] = [];
  headers.forEach((text, key) => told.push([key, text]));
  return {
    told,
    entries: [...headers],
    keys: [...headers.keys()],
    values: [...headers.values()],
    cookies: headers.getSetCookie(),
    got: ['ACCEPT', 'x-one', 'set-cookie', 'none'].map((key) => [headers.get(key), headers.has(key)]),
  };
}

describe('plain headers mean what Headers means', () => {
  test('whatever is done to them', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const [plain, platform] = [new PlainHeaders(), new Headers()];
        for (const one of changes) expect([one, make(plain, one)]).toEqual([one, make(platform, one)]);
        expect(seen(plain)).toEqual(seen(platform));
      }),
    );
  });

  test.each<[string, HeadersInit]>([
    ['a record', { 'X-One': ' v ', accept: 'text/plain' }],
    ['pairs', [['a', '1'], ['A', '2'], ['set-cookie', 'x=1'], ['set-cookie', 'y=2']]], // prettier-ignore
    ['the platform’s', new Headers({ a: '1' })],
    ['their own kind', new PlainHeaders([['a', '1'], ['set-cookie', 'x=1']])], // prettier-ignore
  ])('made of %s', (_of, init) => {
    expect(seen(new PlainHeaders(init))).toEqual(seen(new Headers(init)));
  });

  test('as lines, and read again', () => {
    const entries = fc.array(fc.tuple(fc.constantFrom('a', 'X-One', 'set-cookie'), fc.constantFrom('v', 'a, b')));
    fc.assert(
      fc.property(entries, (given) => {
        const headers = new PlainHeaders([['empty', ''], ...given]);
        expect(seen(PlainHeaders.ofLines(headers.lines()))).toEqual(seen(headers));
      }),
    );
  });

  test('a copy is a copy', () => {
    const first = new PlainHeaders({ a: '1' });
    const copy = new PlainHeaders(first);
    copy.set('a', '2');
    copy.append('set-cookie', 'x=1');
    expect([...first]).toEqual([['a', '1']]);
  });
});
