import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortRows, type Sortable } from '../../src/ui/parts/sorting.ts';

interface Row {
  readonly name: string;
  readonly restarts: number;
}

const columns: readonly Sortable<Row>[] = [
  { key: 'name', order: (row) => row.name },
  { key: 'restarts', order: (row) => row.restarts },
  { key: 'image' },
];

const rows: readonly Row[] = [
  { name: 'web-10', restarts: 1 },
  { name: 'web-9', restarts: 0 },
  { name: 'api-2', restarts: 1 },
];

const names = (sorted: readonly Row[]): string => sorted.map((row) => row.name).join(' ');

describe('sorting a table', () => {
  test.each([
    ['names, numbers within them as numbers', { column: 'name', down: false }, 'api-2 web-9 web-10'],
    ['the other way round', { column: 'name', down: true }, 'web-10 web-9 api-2'],
    ['numbers; equal ones as they stood', { column: 'restarts', down: true }, 'web-10 api-2 web-9'],
    ['a column that can’t be sorted', { column: 'image', down: false }, 'web-10 web-9 api-2'],
    ['none', undefined, 'web-10 web-9 api-2'],
  ])('%s', (_what, sorting, expected) => {
    expect(names(sortRows(rows, columns, sorting))).toBe(expected);
  });

  test('is the same wherever the rows stood before', () => {
    const row = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), restarts: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(row), fc.func(fc.nat(9)), fc.boolean(), (given, before, down) => {
        const sorting = { column: 'name', down };
        expect(sortRows(given, columns, sorting, before)).toEqual(sortRows(given, columns, sorting));
      }),
    );
  });
});
