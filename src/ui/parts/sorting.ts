/** Rows in the order that a person asked for. */
import { useEffect, useMemo, useRef } from 'react';

export interface Sorting {
  readonly column: string;
  readonly down: boolean;
}

/** The part of a column that tells how it is sorted. */
export interface Sortable<R> {
  readonly key: string;
  /** What sorting compares; a column without it can't be sorted. */
  readonly order?: (row: R) => string | number;
}

type Value = string | number;

const collator = new Intl.Collator(undefined, { numeric: true });
const compare = (a: Value, b: Value): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

interface Placed<R> {
  readonly row: R;
  readonly by: Value;
  /** Its place among the rows as they came. */
  readonly came: number;
}

/**
 * The rows in the order that `sorting` asks for; equal ones stay as they stood. `before` says where a row stood when they
 * were last sorted: comparing texts is slow, and rows that are almost in order need few comparisons.
 */
export function sortRows<R>(
  rows: readonly R[],
  columns: readonly Sortable<R>[],
  sorting: Sorting | undefined,
  before: (row: R) => number = () => 0,
): readonly R[] {
  const order = columns.find((column) => column.key === sorting?.column)?.order;
  if (!order || !sorting) return rows;
  const sign = sorting.down ? -1 : 1;
  const places = new Map(rows.map((row) => [row, before(row)]));
  const placeOf = (row: R): number => places.get(row) ?? 0;
  return rows
    .map((row, came): Placed<R> => ({ row, by: order(row), came }))
    .sort((a, b) => placeOf(a.row) - placeOf(b.row))
    .sort((a, b) => sign * compare(a.by, b.by) || a.came - b.came)
    .map(({ row }) => row);
}

/** As `sortRows`, for a table whose rows change now and then. */
export function useSortedRows<R>(
  rows: readonly R[],
  columns: readonly Sortable<R>[],
  sorting: Sorting | undefined,
  rowKey: (row: R) => string,
): readonly R[] {
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  const sorted = useMemo(
    () => sortRows(rows, columns, sorting, (row) => places.current.get(rowKey(row)) ?? rows.length),
    // Where the rows stood only spares comparisons; the order does not depend on it, nor on how keys are made.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [rows, columns, sorting],
  );
  useEffect(() => {
    if (sorting) places.current = new Map(sorted.map((row, at) => [rowKey(row), at]));
  });
  return sorted;
}
