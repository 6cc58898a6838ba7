import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathAndQuery } from '../../src/std/index.ts';

const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '/./',
    '/../',
    '%2e',
    '%2E%2e',
    '%',
    '%zz',
    '?',
    '#',
    '\\',
    ' ',
    '\t',
    "'",
    '"',
  ),
  fc.constantFrom(
    'api',
    'pods',
    'watch=1',
    '&',
    '=',
    ':',
    '@',
    ';',
    '^',
    '`',
    '{',
    '|',
    '[',
    '<',
    'ä',
    '\u{1f600}',
    '\ud800',
  ),
  fc.string({ maxLength: 3 }),
);
const origin = fc.constantFrom('http://vitrine.invalid', 'https://a.b:8443', 'http://127.0.0.1:80', 'http://[::1]');

describe('path and query of an address', () => {
  test('are what URL says', () => {
    fc.assert(
      fc.property(origin, fc.array(piece, { maxLength: 8 }), (start, pieces) => {
        const address = `${start}/${pieces.join('')}`;
        const { pathname, search } = new URL(address);
        const { pathname: path, search: query } = pathAndQuery(address);
        expect({ address, path, query }).toEqual({ address, path: pathname, query: search });
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['', 'pods', '/api', 'http://'])('%j is no address', (text) => {
    expect(() => pathAndQuery(text)).toThrow(TypeError);
  });
});
