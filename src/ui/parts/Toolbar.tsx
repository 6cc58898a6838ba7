import { useRef, type ReactNode } from 'preact/compat';
import { Search } from 'lucide-preact';
import { useControlled } from './controlled.ts';
import { useHotkey } from './hotkeys.ts';
import { ROW } from './row.ts';
import styles from './Toolbar.module.css';

/** The head of a panel: what it shows, and what can be done with all of it. */
export function Toolbar({
  title,
  note,
  children,
}: {
  readonly title: ReactNode;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <header className={styles.toolbar}>
      <h2 className={styles.title}>{title}</h2>
      {note && <span className={styles.note}>{note}</span>}
      <div className={styles.end}>{children}</div>
    </header>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** Into the list below a control, where it has rows. */
const enterBelow = (control: HTMLElement): void => control.closest('section')?.querySelector<HTMLElement>(ROW)?.focus();

/** Narrows what a panel shows; `/` goes there, escape empties it, enter and the arrow down go on into the list. */
export function Filter({ label, value, onText }: FilterProps) {
  const input = useRef<HTMLInputElement>(null);
  const change = useControlled(onText);
  useHotkey('/', () => input.current?.focus());
  return (
    <span className={styles.filter}>
      <Search className={styles.icon} aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        spellcheck={false}
        className={styles.input}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter may be the end of a word that is put together, as in Japanese.
          if (event.isComposing) return;
          if (event.key === 'Escape') {
            onText('');
            return event.currentTarget.blur();
          }
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
          enterBelow(event.currentTarget);
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </span>
  );
}
