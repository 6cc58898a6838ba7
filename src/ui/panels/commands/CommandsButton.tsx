import { SquareTerminal } from 'lucide-preact';
import { useState } from 'preact/compat';
import { IconButton, later, Popover } from '../../parts/index.ts';
import type { Write } from '../../stores/writes.ts';
import type { OwnWay } from './ownWay.ts';

const CommandList = later(() => import('./CommandList.tsx'), 'Reading the commands');

const LABEL = 'As a command';

interface CommandsButtonProps {
  readonly of: Write | OwnWay;
  /** Closes what stands in the way of the terminal. */
  readonly onLeave?: (() => void) | undefined;
}

/** Beside a button: the command lines that do what it does. */
export function CommandsButton({ of, onLeave }: CommandsButtonProps) {
  const [open, setOpen] = useState(false);
  const leave = (): void => {
    setOpen(false);
    onLeave?.();
  };
  return (
    <Popover
      label={`${LABEL}: ${of.label}`}
      align="end"
      open={open}
      onOpen={setOpen}
      trigger={<IconButton icon={SquareTerminal} label={LABEL} aria-description={of.label} />}
    >
      <CommandList of={of} onLeave={leave} />
    </Popover>
  );
}
