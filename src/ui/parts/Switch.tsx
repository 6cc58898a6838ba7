import { Switch as Radix } from 'radix-ui';
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
      <Radix.Root id={id} checked={checked} onCheckedChange={onChecked} className={styles.track}>
        <Radix.Thumb className={styles.thumb} />
      </Radix.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
