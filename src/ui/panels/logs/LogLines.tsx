import { ArrowDown } from 'lucide-preact';
import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'preact/compat';
import { Button, cx } from '../../parts/index.ts';
import { useRowsInSight } from '../../parts/rowsInSight.ts';
import type { LogLine } from './logBuffer.ts';
import { LogText } from './LogText.tsx';
import { rowsOf, type LogRow } from './rows.ts';
import styles from './logs.module.css';

/** Pixels of a row, as `logs.module.css` has them. */
const ROW = 18;
/** Characters of a time of day. */
const TIME = 13;
const MOST_NAME = 28;

interface LogLinesProps {
  readonly lines: readonly LogLine[];
  /** The names of sources, where there are several, and the number of their colour. */
  readonly names: ReadonlyMap<string, { readonly name: string; readonly colour: number }>;
  readonly search: string;
  readonly times: boolean;
  readonly wrap: boolean;
}

/** Lines of logs, of which only those in sight are rendered. It stays at the last one until somebody scrolls up. */
export function LogLines({ lines, names, search, times, wrap }: LogLinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useColumns(scroller);
  const named = Math.min(
    MOST_NAME,
    Math.floor(columns / 3),
    Math.max(0, ...[...names.values()].map(({ name }) => name.length + 2)),
  );
  const room = columns - (times ? TIME : 0) - named;
  const rows = useMemo(() => rowsOf(lines, wrap ? room : undefined), [lines, wrap, room]);
  const { first, end } = useRowsInSight(scroller, rows.length, ROW);
  const { atEnd, toEnd } = useEnd(scroller, rows);
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="log"
        aria-label="Lines"
        aria-live="off"
        tabIndex={0}
        data-rows={rows.length}
      >
        <div className={cx(styles.rows, wrap && styles.wrapped)} style={{ height: rows.length * ROW }}>
          {rows.slice(first, end).map((row, i) => (
            <div key={first + i} className={styles.row} style={{ top: (first + i) * ROW }}>
              {times && <Time row={row} />}
              {named > 0 && <Name row={row} names={names} width={named} />}
              <span className={styles.text}>
                <LogText row={row} search={search} />
              </span>
            </div>
          ))}
        </div>
      </div>
      {!atEnd && (
        <Button className={styles.toEnd} icon={ArrowDown} onClick={toEnd}>
          Latest
        </Button>
      )}
    </div>
  );
}

function Time({ row: { line, from } }: { readonly row: LogRow }) {
  return (
    <span className={styles.time} style={{ width: `${TIME}ch` }} title={line.time}>
      {from === 0 && line.time.slice(11, 23)}
    </span>
  );
}

function Name({
  row: { line, from },
  names,
  width,
}: Pick<LogLinesProps, 'names'> & { readonly row: LogRow; readonly width: number }) {
  const source = names.get(line.source);
  return (
    <span
      className={styles.name}
      style={{ width: `${width}ch` }}
      data-colour={(source?.colour ?? 0) % COLOURS}
      title={source?.name}
    >
      {from === 0 && source?.name}
    </span>
  );
}

const COLOURS = 6;

/** How many characters there is room for. */
function useColumns(scroller: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(80);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const ruler = document.createElement('span');
    ruler.className = styles.ruler ?? '';
    ruler.textContent = '0'.repeat(100);
    element.append(ruler);
    const measure = (): void => {
      const width = ruler.getBoundingClientRect().width / 100;
      if (width > 0) setColumns(Math.floor((element.clientWidth - PADDING) / width));
    };
    const size = new ResizeObserver(measure);
    size.observe(element);
    measure();
    return () => {
      size.disconnect();
      ruler.remove();
    };
  }, [scroller]);
  return columns;
}

/** Pixels to both sides of a row. */
const PADDING = 26;

/** Keeps the last row in sight for as long as it is. */
function useEnd(scroller: RefObject<HTMLElement | null>, rows: readonly LogRow[]): { atEnd: boolean; toEnd(): void } {
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = (): void => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
    setAtEnd(true);
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = (): void => setAtEnd(element.scrollTop + element.clientHeight >= element.scrollHeight - ROW);
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [scroller]);
  useLayoutEffect(() => {
    if (atEnd && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [rows, atEnd, scroller]);
  return { atEnd, toEnd };
}
