import { useId, type ReactNode } from 'react';
import styles from './Switch.module.css';

interface SwitchProps {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
}

export function Switch({ label, checked, onChecked }: SwitchProps) {
  const id = useId();
  return (
    <span className={styles.switch}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={checked}
        className={styles.track}
        onChange={(event) => onChecked(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
