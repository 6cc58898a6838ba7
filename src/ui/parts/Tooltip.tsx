import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement } from 'react';
import { KeyHint } from './KeyHint.tsx';
import styles from './Tooltip.module.css';

interface TooltipProps {
  readonly text: string;
  readonly keys?: string;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  readonly children: ReactElement;
}

/** A short explanation of a control, on hover and on focus. */
export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.tooltip} side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {keys && <KeyHint keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = Radix.Provider;
