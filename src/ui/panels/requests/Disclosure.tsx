import { ChevronRight } from 'lucide-preact';
import type { ReactNode } from 'preact/compat';
import styles from './Way.module.css';

/** Something that is there for whoever wants it: its name in a line, the rest when it is opened. */
export function Disclosure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <details className={styles.fold}>
      <summary className={styles.foldLabel}>
        <ChevronRight className={styles.foldIcon} aria-hidden />
        {label}
      </summary>
      {children}
    </details>
  );
}
