import type { ReactNode } from 'preact/compat';
import { timeOfDay } from '../../stores/clock.ts';
import { ticksBetween, type Stretch } from './stretch.ts';
import styles from './TimeAxis.module.css';

/** A tick further right than this, in percent, has no room for its time. */
const LAST_TICK = 95;

/** Lanes over one axis of time. Children stand at percentages of the width. */
export function TimeAxis({ stretch, children }: { readonly stretch: Stretch; readonly children: ReactNode }) {
  return (
    <div className={styles.axis}>
      {children}
      <div className={styles.ticks} aria-hidden>
        {ticksBetween(stretch)
          .filter((tick) => placeIn(stretch, tick) < LAST_TICK)
          .map((tick) => (
            <span key={tick} className={styles.tick} style={{ left: `${placeIn(stretch, tick)}%` }}>
              {timeOfDay(tick)}
            </span>
          ))}
      </div>
    </div>
  );
}

/** Where a moment stands, in percent of the width. */
export function placeIn({ from, to }: Stretch, time: number): number {
  return to <= from ? 0 : Math.max(0, Math.min(100, ((time - from) / (to - from)) * 100));
}

interface LaneProps {
  readonly name: ReactNode;
  readonly children: ReactNode;
}

/** One lane, with its name before it. */
export function Lane({ name, children }: LaneProps) {
  return (
    <div className={styles.lane}>
      <span className={styles.name}>{name}</span>
      <span className={styles.track}>{children}</span>
    </div>
  );
}

interface BarProps {
  readonly stretch: Stretch;
  readonly from: number;
  readonly to: number | undefined;
  /** A token of colour. */
  readonly look: 'pending' | 'ready' | 'deleted' | 'failed' | 'completed' | 'changed' | 'added';
  readonly text: string;
}

/** A stretch of a lane; its words are its tooltip and its text equivalent. */
export function Bar({ stretch, from, to, look, text }: BarProps) {
  const [left, right] = [placeIn(stretch, from), placeIn(stretch, to ?? stretch.to)];
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={styles.bar}
      style={{
        left: `${left}%`,
        width: `max(3px, ${right - left}%)`,
        background: `var(--${look}-soft)`,
        borderColor: `var(--${look})`,
      }}
    >
      {right - left > 9 && <span className={styles.words}>{text}</span>}
    </span>
  );
}

/** A moment in a lane. */
export function Moment({ stretch, at, look, text }: Omit<BarProps, 'from' | 'to'> & { readonly at: number }) {
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={styles.moment}
      style={{ left: `${placeIn(stretch, at)}%`, background: `var(--${look})` }}
    />
  );
}
