import { ChevronRight } from 'lucide-preact';
import { useState, type ReactNode } from 'preact/compat';
import styles from './Fold.module.css';

interface FoldProps {
  readonly title: string;
  /** Whether it is open before anybody has pressed it. */
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** Something for a few people, shown when its title is pressed. */
export function Fold({ title, open: initially = false, children }: FoldProps) {
  const [open, setOpen] = useState<boolean>();
  const shown = open ?? initially;
  return (
    <div>
      <button type="button" className={styles.toggle} aria-expanded={shown} onClick={() => setOpen(!shown)}>
        <ChevronRight className={styles.chevron} aria-hidden />
        {title}
      </button>
      {shown && <div className={styles.content}>{children}</div>}
    </div>
  );
}
