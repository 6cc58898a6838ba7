import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import styles from './Popover.module.css';

interface PopoverProps {
  readonly trigger: ReactElement;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly align?: 'start' | 'end';
  readonly label: string;
  readonly children: ReactNode;
}

/** A small panel that opens from a control and closes when attention goes elsewhere. */
export function Popover({ trigger, open, onOpen, align = 'start', label, children }: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.popover} align={align} sideOffset={4} collisionPadding={8} aria-label={label}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
