/** Rows in the order that a person asked for. */
import { useMemo } from 'preact/compat';
import { firstIndex } from '../../std/index.ts';

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
  came: number;
}

/** The rows in the order that `sorting` asks for; equal ones stay as they stood. */
export function sortRows<R>(
  rows: readonly R[],
  columns: readonly Sortable<R>[],
  sorting: Sorting | undefined,
): readonly R[] {
  return sorterFor(columns, sorting).sort(rows);
}

/** Sorts the versions of a list one after the other: rows that were there before keep their order, so that only the others are sorted. */
export class Sorter<R> {
  readonly #order: ((row: R) => Value) | undefined;
  readonly #sign: number;
  #placed = new Map<R, Placed<R>>();
  #sorted: readonly Placed<R>[] = [];

  /** Without an order the rows stay as they come. */
  constructor(order: ((row: R) => Value) | undefined, down: boolean) {
    this.#order = order;
    this.#sign = down ? -1 : 1;
  }

  sort(rows: readonly R[]): readonly R[] {
    const order = this.#order;
    if (!order) return rows;
    const before = this.#placed;
    const placed = (this.#placed = new Map<R, Placed<R>>());
    const fresh: Placed<R>[] = [];
    let last = -1;
    let keepsOrder = true;
    for (const row of rows) {
      const known = before.get(row);
      const place = known ?? { row, by: order(row), came: 0 };
      if (!known) fresh.push(place);
      // Equal rows stand as they came, so that those which came in another order have to be sorted again.
      else if (known.came < last) keepsOrder = false;
      else last = known.came;
      placed.set(row, place);
    }
    const kept = keepsOrder ? this.#sorted.filter((place) => placed.get(place.row) === place) : [];
    let came = 0;
    for (const place of placed.values()) place.came = came++;
    this.#sorted = keepsOrder ? this.#merge(kept, fresh.sort(this.#compare)) : [...placed.values()].sort(this.#compare);
    return this.#sorted.map(({ row }) => row);
  }

  readonly #compare = (a: Placed<R>, b: Placed<R>): number => this.#sign * compare(a.by, b.by) || a.came - b.came;

  /** Two sorted lists as one. */
  #merge(kept: readonly Placed<R>[], fresh: readonly Placed<R>[]): readonly Placed<R>[] {
    const all: Placed<R>[] = [];
    let at = 0;
    for (const place of fresh) {
      const end = firstIndex(kept.length, (index) => this.#compare(kept[index] as Placed<R>, place) >= 0, at);
      while (at < end) all.push(kept[at++] as Placed<R>);
      all.push(place);
    }
    while (at < kept.length) all.push(kept[at++] as Placed<R>);
    return all;
  }
}

const sorterFor = <R>(columns: readonly Sortable<R>[], sorting: Sorting | undefined): Sorter<R> =>
  new Sorter(columns.find(({ key }) => key === sorting?.column)?.order, sorting?.down ?? false);

/** As `sortRows`, for a table whose rows change now and then. */
export function useSortedRows<R>(
  rows: readonly R[],
  columns: readonly Sortable<R>[],
  sorting: Sorting | undefined,
): readonly R[] {
  const sorter = useMemo(() => sorterFor(columns, sorting), [columns, sorting]);
  return useMemo(() => sorter.sort(rows), [sorter, rows]);
}
