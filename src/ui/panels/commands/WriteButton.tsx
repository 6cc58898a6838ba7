import { useState, type ComponentProps } from 'preact/compat';
import { Button } from '../../parts/index.ts';
import { perform, type Write } from '../../stores/writes.ts';
import { CommandsButton } from './CommandsButton.tsx';
import styles from './commands.module.css';

interface WriteButtonProps<T> extends Pick<ComponentProps<typeof Button>, 'look' | 'icon' | 'unavailable'> {
  readonly write: Write<T>;
  /** Runs when the server has accepted it. */
  readonly onDone?: ((value: T) => void) | undefined;
  /** Closes what stands in the way of the terminal. */
  readonly onLeave?: (() => void) | undefined;
}

/** A button that writes to the cluster, with the commands that do the same beside it. */
export function WriteButton<T>({ write, onDone, onLeave, ...rest }: WriteButtonProps<T>) {
  const [busy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    setBusy(true);
    const got = await perform(write);
    setBusy(false);
    if (got) onDone?.(got.value);
  };
  return (
    <span className={styles.group}>
      <Button {...rest} busy={busy} onClick={() => void press()}>
        {write.label}
      </Button>
      <CommandsButton of={write} onLeave={onLeave} />
    </span>
  );
}
