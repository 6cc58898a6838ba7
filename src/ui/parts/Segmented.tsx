import type { LucideIcon } from 'lucide-preact';
import { walkRow } from './roving.ts';
import styles from './Segmented.module.css';

interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly icon?: LucideIcon;
}

interface SegmentedProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly choices: readonly Choice<V>[];
  readonly onValue: (value: V) => void;
}

/** One of a few, all of them in sight; arrow keys go from choice to choice. */
export function Segmented<V extends string>({ label, value, choices, onValue }: SegmentedProps<V>) {
  const at = choices.findIndex((choice) => choice.value === value);
  const choose = (place: number): void => {
    const choice = choices[place];
    if (choice) onValue(choice.value);
  };
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={styles.group}
      onKeyDown={(event) => walkRow(event, 'radio', at, choose)}
    >
      {choices.map(({ value: each, label: text, icon: Icon }, place) => (
        <button
          key={each}
          type="button"
          role="radio"
          aria-checked={each === value}
          tabIndex={place === Math.max(0, at) ? 0 : -1}
          className={styles.item}
          onClick={() => onValue(each)}
        >
          {Icon && <Icon className={styles.icon} aria-hidden />}
          {text}
        </button>
      ))}
    </div>
  );
}
