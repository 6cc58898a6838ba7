import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';
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

/** One of a few, all of them in sight: the browser's radio buttons, side by side. */
export function Segmented<V extends string>({ label, value, choices, onValue }: SegmentedProps<V>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      {choices.map(({ value: each, label: text, icon: Icon }) => (
        <label key={each} className={styles.item}>
          <input
            type="radio"
            name={name}
            className={styles.input}
            checked={each === value}
            onChange={() => onValue(each)}
          />
          {Icon && <Icon className={styles.icon} aria-hidden />}
          {text}
        </label>
      ))}
    </div>
  );
}
