import { CircleAlert, ShieldX, type LucideIcon } from 'lucide-preact';
import type { ReactNode } from 'preact/compat';
import { cx } from './cx.ts';
import styles from './Note.module.css';

interface EmptyProps {
  readonly icon: LucideIcon;
  /** What would appear here. */
  readonly title: string;
  readonly children?: ReactNode;
  /** The one action that makes it appear. */
  readonly action?: ReactNode;
}

/** A panel with nothing in it yet. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon className={styles.emptyIcon} strokeWidth={1.25} aria-hidden />
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.about}>{children}</div>}
      {action}
    </div>
  );
}

interface ErrorNoteProps {
  /** What happened. */
  readonly title: string;
  /** It was not allowed, rather than gone wrong. */
  readonly denied?: boolean;
  /** Why, and what to do. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function ErrorNote({ title, denied, children, actions }: ErrorNoteProps) {
  const Icon = denied ? ShieldX : CircleAlert;
  return (
    <div role="alert" className={cx(styles.error, denied && styles.denied)}>
      <Icon className={styles.errorIcon} aria-hidden />
      <div className={styles.errorWords}>
        <p className={styles.title}>{title}</p>
        {children && <div className={styles.about}>{children}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}
