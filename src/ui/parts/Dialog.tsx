import { X } from 'lucide-preact';
import { useId, type ReactNode } from 'preact/compat';
import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import { Modal } from './Modal.tsx';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly about?: ReactNode;
  /** The buttons at its foot, the main one last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** A selector of what has the focus at first; the dialog itself where nothing is said. */
  readonly first?: string;
  readonly children?: ReactNode;
}

/** Asks for a decision before anything else can happen. */
export function Dialog({ open, onClose, title, about, actions, wide, first, children }: DialogProps) {
  const id = useId();
  if (!open) return null;
  return (
    <Modal
      className={cx(styles.dialog, wide && styles.wide)}
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={about ? `${id}-about` : undefined}
      {...(first === undefined ? {} : { first })}
    >
      <header className={styles.head}>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      {about && (
        <p id={`${id}-about`} className={styles.about}>
          {about}
        </p>
      )}
      <div className={styles.body}>{children}</div>
      {actions && <footer className={styles.actions}>{actions}</footer>}
    </Modal>
  );
}

interface SheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What is in it has a head of its own; the title is only read aloud. */
  readonly headed?: boolean;
  readonly children: ReactNode;
}

/** A part of the shell that on a small screen slides over the stage from below. */
export function Sheet({ open, onClose, title, headed, children }: SheetProps) {
  if (!open) return null;
  return (
    <Modal className={styles.sheet} onClose={onClose} aria-label={title}>
      {!headed && (
        <header className={styles.head}>
          <h2 className={styles.title}>{title}</h2>
          <IconButton icon={X} label="Close" onClick={onClose} />
        </header>
      )}
      <div className={styles.sheetBody}>{children}</div>
    </Modal>
  );
}
