import { SquareTerminal } from 'lucide-preact';
import { CopyButton, IconButton } from '../../../parts/index.ts';
import { openTerminal } from '../../terminal/opened.ts';
import styles from './actions.module.css';

interface AsCommandProps {
  readonly command: string;
  /** What it does, for those who hear the buttons' names. */
  readonly action: string;
  /** Closes the dialog, so that the terminal can be reached. */
  readonly onLeave: () => void;
}

/** A command line that does what a button does: to copy, or to put into the terminal, where Enter runs it. */
export function AsCommand({ command, action, onLeave }: AsCommandProps) {
  const put = (): void => {
    onLeave();
    openTerminal(command);
  };
  return (
    <p className={styles.command}>
      {/* A long one scrolls: the keyboard has to get there. */}
      <code className={styles.code} tabIndex={command.includes('\n') ? 0 : undefined}>
        {command}
      </code>
      <CopyButton text={command} label={`Copy the command: ${action}`} />
      <IconButton icon={SquareTerminal} label={`Put into the terminal: ${action}`} onClick={put} />
    </p>
  );
}
