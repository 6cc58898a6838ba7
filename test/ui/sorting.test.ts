import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Sorter, sortRows, type Sortable } from '../../src/ui/parts/sorting.ts';

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

  test('gives the same for each version of a list as for the list alone', () => {
    const row = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), restarts: fc.nat(3) });
    const versions = fc.tuple(fc.array(row), fc.array(fc.array(fc.nat(30)))).map(([all, choices]) =>
      // Of the same rows in any order, some of them new.
      choices.map((places) => [...new Set(places)].flatMap((at) => (at % 5 === 0 ? rows : all.slice(at, at + 1)))),
    );
    fc.assert(
      fc.property(versions, fc.boolean(), (lists, down) => {
        const sorter = new Sorter<Row>(({ name }) => name, down);
        for (const list of lists.map((each) => [...new Set(each)]))
          expect(sorter.sort(list)).toEqual(sortRows(list, columns, { column: 'name', down }));
      }),
    );
  });

  test('computes the sort values of new rows only', () => {
    const asked: string[] = [];
    const sorter = new Sorter<Row>((row) => (asked.push(row.name), row.name), false);
    sorter.sort(rows);
    asked.length = 0;
    expect(names(sorter.sort([...rows.slice(0, 2), { name: 'api-3', restarts: 0 }]))).toBe('api-3 web-9 web-10');
    expect(asked).toEqual(['api-3']);
  });
});
