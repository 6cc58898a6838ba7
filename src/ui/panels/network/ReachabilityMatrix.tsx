import { Check, CircleDashed, CircleSlash2, Minus, Plus, X } from 'lucide-preact';
import { memo, useMemo, useRef, type CSSProperties, type KeyboardEvent } from 'preact/compat';
import { cx } from '../../parts/index.ts';
import { useRowsInSight } from '../../parts/rowsInSight.ts';
import { getOwn } from '../../../std/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { effectOf, reachWord, type Effect, type Picture } from './picture.ts';
import type { Reach, Workload } from './workloads.ts';
import styles from './ReachabilityMatrix.module.css';

const icons = { all: Check, some: CircleSlash2, none: X, idle: CircleDashed } as const;
const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Pixels from one cell to the next, in both directions: 1.75rem and the space between. */
const pitchOf = (root: HTMLElement): number => parseFloat(getComputedStyle(root).fontSize) * 1.75 + 2;

/** Every workload against every other: rows send, columns receive. Arrow keys go from cell to cell. Only the cells in sight are rendered. */
export function ReachabilityMatrix({ picture }: { readonly picture: Picture }) {
  const { workloads, leftOut } = picture;
  const scroller = useRef<HTMLDivElement>(null);
  const pitch = useMemo(() => pitchOf(document.documentElement), []);
  const rows = useRowsInSight(scroller, workloads.length, pitch);
  const columns = useRowsInSight(scroller, workloads.length, pitch, 'columns');
  const longest = useMemo(() => styleFor(workloads), [workloads]);
  return (
    <div ref={scroller} className={styles.scroller}>
      <table
        className={styles.matrix}
        style={longest}
        aria-rowcount={workloads.length + 1}
        aria-colcount={workloads.length + 1}
      >
        <caption className={styles.caption}>Rows send, columns receive.</caption>
        <thead>
          <tr aria-rowindex={1}>
            <td className={styles.corner} />
            <Space columns={columns.first} pitch={pitch} />
            {workloads.slice(columns.first, columns.end).map((to, i) => (
              <th key={to.key} scope="col" aria-colindex={columns.first + i + 2}>
                <span className={styles.column} title={`${to.namespace}/${to.name}`}>
                  {endOf(to.name)}
                </span>
              </th>
            ))}
            <Space columns={workloads.length - columns.end} pitch={pitch} />
          </tr>
        </thead>
        <tbody onKeyDown={moveBetweenCells}>
          {rows.first > 0 && <tr aria-hidden style={{ height: rows.first * pitch - 2 }} />}
          {workloads.slice(rows.first, rows.end).map((from, i) => (
            <Row key={from.key} picture={picture} row={rows.first + i} columns={columns} pitch={pitch} rows={rows} />
          ))}
          {rows.end < workloads.length && (
            <tr aria-hidden style={{ height: (workloads.length - rows.end) * pitch - 2 }} />
          )}
        </tbody>
      </table>
      {leftOut > 0 && <p className={styles.more}>{leftOut} more workloads match. Narrow the filter to see them.</p>}
    </div>
  );
}

/** Characters of a column's title. */
const MOST_CHARACTERS = 15;

/** The end of a name tells pods of one workload apart. */
const endOf = (name: string): string => (name.length > MOST_CHARACTERS ? `…${name.slice(1 - MOST_CHARACTERS)}` : name);

/** Tells the style sheet how long the longest title of a row is, also of one that is out of sight. */
function styleFor(workloads: readonly Workload[]): CSSProperties & Readonly<Record<'--longest', string>> {
  const longest = Math.max(...workloads.map(({ namespace, name }) => namespace.length + 1 + name.length));
  return { '--longest': `calc(${longest + 1}ch + var(--space-3))` };
}

function moveBetweenCells(event: KeyboardEvent<HTMLElement>): void {
  const step = getOwn(steps, event.key);
  const at = event.target instanceof HTMLElement ? event.target.dataset['cell'] : undefined;
  if (!step || at === undefined) return;
  event.preventDefault();
  const [row = 0, column = 0] = at.split(',').map(Number);
  event.currentTarget.querySelector<HTMLElement>(`[data-cell="${row + step[0]},${column + step[1]}"]`)?.focus();
}

/** The place of columns that are out of sight. */
function Space({ columns, pitch }: { readonly columns: number; readonly pitch: number }) {
  if (columns === 0) return null;
  const width = columns * pitch - 2;
  return <td aria-hidden style={{ width, minWidth: width }} />;
}

interface Range {
  readonly first: number;
  readonly end: number;
}

interface RowProps {
  readonly picture: Picture;
  readonly row: number;
  readonly rows: Range;
  readonly columns: Range;
  readonly pitch: number;
}

function Row({ picture, row, rows, columns, pitch }: RowProps) {
  const { workloads } = picture;
  const chosen = useAddress(({ query }) => `${query['from'] ?? ''}>${query['to'] ?? ''}`);
  const from = workloads[row];
  if (!from) return null;
  return (
    <tr
      aria-rowindex={row + 2}
      className={cx(row > 0 && workloads[row - 1]?.namespace !== from.namespace && styles.first)}
    >
      <th scope="row" title={`${from.namespace}/${from.name}`}>
        <span className={styles.namespace}>{from.namespace}/</span>
        {from.name}
      </th>
      <Space columns={columns.first} pitch={pitch} />
      {workloads.slice(columns.first, columns.end).map((to, i) => (
        <Cell
          key={to.key}
          from={from}
          to={to}
          reach={picture.now.reach(from, to)}
          effect={effectOf(picture, from, to)}
          at={`${row},${columns.first + i}`}
          first={row === rows.first && i === 0}
          chosen={chosen === `${from.key}>${to.key}`}
        />
      ))}
      <Space columns={workloads.length - columns.end} pitch={pitch} />
    </tr>
  );
}

interface CellProps {
  readonly from: Workload;
  readonly to: Workload;
  readonly reach: Reach;
  readonly effect: Effect;
  /** Row and column. */
  readonly at: string;
  /** Whether it is the first that is rendered: the way into the matrix by Tab. */
  readonly first: boolean;
  readonly chosen: boolean;
}

const Cell = memo(({ from, to, reach, effect, at, first, chosen }: CellProps) => {
  const Icon = icons[reach];
  const Change = effect === 'opens' ? Plus : Minus;
  const words = `${from.name} ${reachWord[reach]} ${to.name}${effect ? `; the draft ${effect} this` : ''}`;
  return (
    <td
      className={cx(styles.cell, styles[reach], effect && styles[effect], chosen && styles.chosen)}
      aria-colindex={Number(at.split(',')[1]) + 2}
    >
      <button
        type="button"
        data-cell={at}
        tabIndex={first || chosen ? 0 : -1}
        aria-label={words}
        aria-pressed={chosen}
        title={words}
        onClick={() => go({ query: { from: from.key, to: to.key } }, true)}
      >
        <Icon className={styles.icon} aria-hidden />
        {effect && <Change className={styles.change} aria-hidden />}
      </button>
    </td>
  );
});
