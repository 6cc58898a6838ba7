import { ToggleGroup } from 'radix-ui';
import type { LucideIcon } from 'lucide-react';
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

/** One of a few, all of them in sight. */
export function Segmented<V extends string>({ label, value, choices, onValue }: SegmentedProps<V>) {
  const choose = (text: string): void => {
    const choice = choices.find((candidate) => candidate.value === text);
    if (choice) onValue(choice.value);
  };
  return (
    <ToggleGroup.Root type="single" aria-label={label} value={value} onValueChange={choose} className={styles.group}>
      {choices.map(({ value: each, label: text, icon: Icon }) => (
        <ToggleGroup.Item key={each} value={each} className={styles.item}>
          {Icon && <Icon className={styles.icon} aria-hidden />}
          {text}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
