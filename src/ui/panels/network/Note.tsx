import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-preact';
import type { ReactNode } from 'preact/compat';
import { cx } from '../../parts/index.ts';
import styles from './SidePane.module.css';

const icons = { passed: CircleCheck, stopped: CircleX, note: Info, warning: TriangleAlert } as const;

interface NoteProps {
  readonly look: keyof typeof icons;
  /** The field that it speaks of. */
  readonly place?: string;
  readonly children: ReactNode;
}

/** One statement, with an icon that says how it stands. */
export function Note({ look, place, children }: NoteProps) {
  const Icon = icons[look];
  return (
    <div className={cx(styles.note, styles[look])}>
      <Icon className={styles.icon} aria-label={look} />
      <div>
        {children}
        {place && <div className={styles.place}>{place}</div>}
      </div>
    </div>
  );
}
