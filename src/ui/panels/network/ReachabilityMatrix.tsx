import { Check, CircleSlash2, Minus, Plus, X } from 'lucide-react';
import { useRef, type KeyboardEvent } from 'react';
import { cx } from '../../parts/index.ts';
import { getOwn } from '../../../std/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { effectOf, reachWord, type Picture } from './picture.ts';
import type { Reach, Workload } from './workloads.ts';
import styles from './ReachabilityMatrix.module.css';

const icons = { all: Check, some: CircleSlash2, none: X } as const;
const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Every workload against every other: rows send, columns receive. Arrow keys go from cell to cell. */
export function ReachabilityMatrix({ picture }: { readonly picture: Picture }) {
  const { workloads, leftOut } = picture;
  const table = useRef<HTMLTableElement>(null);
  const chosen = useAddress(({ query }) => `${query['from'] ?? ''}>${query['to'] ?? ''}`);
  const move = (event: KeyboardEvent, row: number, column: number): void => {
    const step = getOwn(steps, event.key);
    if (!step) return;
    event.preventDefault();
    table.current?.querySelector<HTMLElement>(`[data-cell="${row + step[0]},${column + step[1]}"]`)?.focus();
  };
  return (
    <div className={styles.scroller}>
      <table ref={table} className={styles.matrix}>
        <caption className={styles.caption}>Rows send, columns receive.</caption>
        <thead>
          <tr>
            <td />
            {workloads.map((to) => (
              <th key={to.key} scope="col">
                <span className={styles.column}>{to.name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {workloads.map((from, row) => (
            <tr
              key={from.key}
              className={cx(row > 0 && workloads[row - 1]?.namespace !== from.namespace && styles.first)}
            >
              <th scope="row">
                <span className={styles.namespace}>{from.namespace}/</span>
                {from.name}
              </th>
              {workloads.map((to, column) => (
                <Cell
                  key={to.key}
                  picture={picture}
                  from={from}
                  to={to}
                  at={`${row},${column}`}
                  chosen={chosen === `${from.key}>${to.key}`}
                  onKey={(event) => move(event, row, column)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {leftOut > 0 && <p className={styles.more}>{leftOut} more workloads match. Narrow the filter to see them.</p>}
    </div>
  );
}

interface CellProps {
  readonly picture: Picture;
  readonly from: Workload;
  readonly to: Workload;
  readonly at: string;
  readonly chosen: boolean;
  readonly onKey: (event: KeyboardEvent) => void;
}

function Cell({ picture, from, to, at, chosen, onKey }: CellProps) {
  const reach: Reach = picture.now.reach(from, to);
  const effect = effectOf(picture, from, to);
  const Icon = icons[reach];
  const Change = effect === 'opens' ? Plus : Minus;
  const words = `${from.name} ${reachWord[reach]} ${to.name}${effect ? `; the draft ${effect} this` : ''}`;
  return (
    <td className={cx(styles.cell, styles[reach], effect && styles[effect], chosen && styles.chosen)}>
      <button
        type="button"
        data-cell={at}
        tabIndex={at === '0,0' || chosen ? 0 : -1}
        aria-label={words}
        aria-pressed={chosen}
        title={words}
        onKeyDown={onKey}
        onClick={() => go({ query: { from: from.key, to: to.key } }, true)}
      >
        <Icon className={styles.icon} aria-hidden />
        {effect && <Change className={styles.change} aria-hidden />}
      </button>
    </td>
  );
}
