import { ArrowDown, ArrowUp } from 'lucide-preact';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'preact/compat';
import { useAppearance } from '../theme/appearance.ts';
import type { State } from '../theme/states.ts';
import { cx } from './cx.ts';
import { roomOf, useFittingColumns, widthOfAll, type Fitting } from './fittingColumns.ts';
import { useElementKeys } from './reusing.ts';
import { useRowsInSight } from './rowsInSight.ts';
import { useSortedRows, type Sortable, type Sorting } from './sorting.ts';
import styles from './DataTable.module.css';

export interface Column<R> extends Sortable<R>, Fitting {
  readonly title: string;
  readonly about?: string | undefined;
  readonly align?: 'end';
  readonly cell: (row: R) => ReactNode;
}

export interface Flash {
  readonly state: State;
  /** Raised with each change, so that the same state can flash again. */
  readonly turn: number;
}

interface DataTableProps<R> {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string;
  readonly selected?: string | undefined;
  readonly onOpen?: (row: R) => void;
  readonly flash?: (row: R) => Flash | undefined;
  readonly sorting?: Sorting | undefined;
  readonly onSort?: (sorting: Sorting | undefined) => void;
  /** Lines of text in each row; one by default. */
  readonly lines?: number;
  /** What stands there while there are no rows. */
  readonly empty?: ReactNode;
}

/** The height in pixels of a row of one line, as the theme says. */
function useRowHeight(): number {
  const size = useAppearance((state) => state.size);
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    return parseFloat(style.getPropertyValue('--row')) * parseFloat(style.fontSize);
    // The theme's size is what the measured value depends on.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [size]);
}

/** The same function for as long as there is one, so that rows that do not change are not rendered again. */
function useSteady<R>(onOpen: ((row: R) => void) | undefined): ((row: R) => void) | undefined {
  const latest = useRef(onOpen);
  useLayoutEffect(() => void (latest.current = onOpen), [onOpen]);
  const steady = useCallback((row: R) => latest.current?.(row), []);
  return onOpen && steady;
}

/** Rows under column titles. Only those in sight exist, so a hundred thousand cost what thirty do. */
export function DataTable<R>(props: DataTableProps<R>) {
  const { label, rows, rowKey, selected, onOpen, flash, sorting, onSort, lines = 1, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useFittingColumns(props.columns, scroller);
  const height = useRowHeight() * lines;
  const sorted = useSortedRows(rows, columns, sorting);
  const { first, end } = useRowsInSight(scroller, sorted.length, height);
  const open = useSteady(onOpen);
  const inSight = sorted.slice(first, end);
  const elements = useElementKeys(inSight.map(rowKey));
  return (
    <div ref={scroller} className={styles.scroller} tabIndex={onOpen ? undefined : 0} onKeyDown={moveBetweenRows}>
      <table
        className={styles.table}
        aria-label={label}
        aria-rowcount={sorted.length}
        style={{ minWidth: `${widthOfAll(columns)}ch`, '--lines': lines } as CSSProperties}
      >
        <colgroup>
          {columns.map((column, at) => (
            <col
              key={column.key}
              style={at === columns.length - 1 ? undefined : { width: `${roomOf(column, at)}ch` }}
            />
          ))}
        </colgroup>
        <Head columns={columns} sorting={sorting} onSort={onSort} />
        <tbody>
          <tr aria-hidden style={{ height: first * height }} />
          {inSight.map((row, at) => (
            <Row
              key={elements[at]}
              row={row}
              columns={columns}
              index={first + at}
              selected={rowKey(row) === selected}
              flash={flash?.(row)}
              onOpen={open}
            />
          ))}
          <tr aria-hidden style={{ height: (sorted.length - end) * height }} />
        </tbody>
      </table>
      {sorted.length === 0 && empty}
    </div>
  );
}

interface HeadProps<R> {
  readonly columns: readonly Column<R>[];
  readonly sorting: Sorting | undefined;
  readonly onSort: ((sorting: Sorting | undefined) => void) | undefined;
}

/** One click sorts, the second turns the order round, the third gives the server's order back. */
function nextSorting(column: string, sorting: Sorting | undefined): Sorting | undefined {
  if (sorting?.column !== column) return { column, down: false };
  return sorting.down ? undefined : { column, down: true };
}

function Head<R>({ columns, sorting, onSort }: HeadProps<R>) {
  return (
    <thead className={styles.head}>
      <tr>
        {columns.map((column) => {
          const current = sorting?.column === column.key ? sorting : undefined;
          const Arrow = current?.down ? ArrowDown : ArrowUp;
          return (
            <th
              key={column.key}
              scope="col"
              title={column.about}
              aria-sort={current ? (current.down ? 'descending' : 'ascending') : undefined}
              className={cx(styles.title, column.align === 'end' && styles.end)}
            >
              {column.order && onSort ? (
                <button type="button" className={styles.sort} onClick={() => onSort(nextSorting(column.key, sorting))}>
                  {column.title}
                  {current && <Arrow className={styles.arrow} aria-hidden />}
                </button>
              ) : (
                column.title
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface RowProps<R> {
  readonly row: R;
  readonly index: number;
  readonly columns: readonly Column<R>[];
  readonly selected: boolean;
  readonly flash: Flash | undefined;
  readonly onOpen: ((row: R) => void) | undefined;
}

function RowOf<R>({ row, index, columns, selected, flash, onOpen }: RowProps<R>) {
  const open = onOpen && (() => onOpen(row));
  return (
    <tr
      tabIndex={onOpen ? 0 : undefined}
      aria-rowindex={index + 1}
      aria-selected={selected || undefined}
      data-flash={flash && `${flash.state}-${flash.turn % 2}`}
      className={cx(styles.row, onOpen && styles.opens, selected && styles.selected)}
      onClick={open}
      onKeyDown={open && ((event) => event.key === 'Enter' && event.target === event.currentTarget && open())}
    >
      {columns.map((column) => (
        <td key={column.key} className={cx(styles.cell, column.align === 'end' && styles.end)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Rendered again only where the row itself, or the columns, have changed. */
const Row = memo(RowOf) as typeof RowOf;

/** Arrow keys (and j, k) walk from row to row. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const row = event.target instanceof HTMLElement ? event.target.closest('tr') : null;
  const down = event.key === 'ArrowDown' || event.key === 'j';
  if (!row || event.ctrlKey || event.metaKey || (!down && event.key !== 'ArrowUp' && event.key !== 'k')) return;
  const next = down ? row.nextElementSibling : row.previousElementSibling;
  if (!(next instanceof HTMLElement) || next.tabIndex !== 0) return;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
  event.preventDefault();
}
