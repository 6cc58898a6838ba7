import { useRef, type ReactNode } from 'react';
import { Search } from 'lucide-react';
import { useHotkey } from './hotkeys.ts';
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

/** Narrows what a panel shows; `/` goes there, escape empties it. */
export function Filter({ label, value, onText }: FilterProps) {
  const input = useRef<HTMLInputElement>(null);
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
        spellCheck={false}
        className={styles.input}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          onText('');
          event.currentTarget.blur();
          event.stopPropagation();
        }}
      />
    </span>
  );
}
