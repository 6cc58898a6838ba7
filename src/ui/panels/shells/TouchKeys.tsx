import type { Terminal } from '@xterm/xterm';
import { Button } from '../../parts/index.ts';
import styles from './shells.module.css';

interface Key {
  readonly shown: string;
  readonly name: string;
  /** What the terminal is sent. */
  readonly sends: string;
}

const KEYS: readonly Key[] = [
  { shown: 'Tab', name: 'Tab', sends: '\t' },
  { shown: 'Ctrl C', name: 'Control C', sends: '\x03' },
  { shown: 'Ctrl D', name: 'Control D', sends: '\x04' },
  { shown: '↑', name: 'Up', sends: '\x1b[A' },
  { shown: '↓', name: 'Down', sends: '\x1b[B' },
  { shown: '←', name: 'Left', sends: '\x1b[D' },
  { shown: '→', name: 'Right', sends: '\x1b[C' },
];

/** The keys that keyboards on screens lack. They are shown where fingers point. */
export function TouchKeys({ terminal }: { readonly terminal: Terminal }) {
  return (
    <div className={styles.keys} role="group" aria-label="Keys for the terminal">
      {KEYS.map(({ shown, name, sends }) => (
        <Button
          key={name}
          look="quiet"
          aria-label={name}
          // The terminal keeps the focus, and with it the keyboard on the screen.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => terminal.input(sends, true)}
        >
          {shown}
        </Button>
      ))}
    </div>
  );
}
