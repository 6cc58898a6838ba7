import { expect, test } from 'vitest';
import { fittingColumns, widthOfAll, type Fitting } from '../../src/ui/parts/fittingColumns.ts';

const time: Fitting = { width: 8 };
const status: Fitting = { width: 7, onPhone: 6 };
const user: Fitting = { width: 30 };
const path: Fitting = { width: 48, onPhone: 24 };
const columns = [time, status, user, path];
const all = widthOfAll(columns);

const least = [
  { width: 6, onPhone: 6 },
  { width: 24, onPhone: 24 },
];

test.each<[string, readonly Fitting[], number, readonly Fitting[]]>([
  ['all where there is room', columns, all, columns],
  ['the last of those that a phone does without is left out first', columns, all - 1, [time, status, path]],
  ['those that a phone has are narrowed where they do not fit, and never left out', columns, 10, least],
  ['none is left out where a phone has them all, too', [time, user], 10, [time, user]],
])('%s', (_what, given, room, expected) => expect(fittingColumns(given, room)).toEqual(expected));

test('narrowed columns share what room there is', () => {
  const room = widthOfAll(least) * 1.5;
  expect(fittingColumns(columns, room).map(({ width }) => Math.round(width))).toEqual([9, 36]);
});
