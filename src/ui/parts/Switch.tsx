import { useId, type ReactNode } from 'preact/compat';
import { useControlled } from './controlled.ts';
import styles from './Switch.module.css';

interface SwitchProps {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
}

export function Switch({ label, checked, onChecked }: SwitchProps) {
  const id = useId();
  const change = useControlled(onChecked);
  return (
    <span className={styles.switch}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={checked}
        className={styles.track}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
