import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import styles from './Dialog.module.css';

/** The focus goes to the dialog itself: on its first button, which closes it, it would only open a tooltip. */
function focusContent(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly about?: ReactNode;
  /** The buttons at its foot, the main one last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  readonly children?: ReactNode;
}

/** Asks for a decision before anything else can happen. */
export function Dialog({ open, onClose, title, about, actions, wide, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.veil} />
        <Radix.Content
          className={cx(styles.dialog, wide && styles.wide)}
          onOpenAutoFocus={focusContent}
          {...(about ? {} : { 'aria-describedby': undefined })}
        >
          <header className={styles.head}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon={X} label="Close" />
            </Radix.Close>
          </header>
          {about && <Radix.Description className={styles.about}>{about}</Radix.Description>}
          <div className={styles.body}>{children}</div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
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
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.veil} />
        <Radix.Content className={styles.sheet} aria-describedby={undefined} onOpenAutoFocus={focusContent}>
          <header className={cx(styles.head, headed && styles.unseen)}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            {!headed && (
              <Radix.Close asChild>
                <IconButton icon={X} label="Close" />
              </Radix.Close>
            )}
          </header>
          <div className={styles.sheetBody}>{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
