import { DropdownMenu } from 'radix-ui';
import { Check, type LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './cx.ts';
import { KeyHint } from './KeyHint.tsx';
import styles from './Menu.module.css';

interface MenuProps {
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

/** A list of actions that opens from a button. */
export function Menu({ trigger, align = 'start', children }: MenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} align={align} sideOffset={4} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  readonly icon?: LucideIcon;
  readonly label: string;
  readonly note?: string | undefined;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly current?: boolean;
  /** Why it can't be done now; the item stays readable. */
  readonly unavailable?: string | undefined;
  readonly onSelect: () => void;
}

export function MenuItem({ icon: Icon, label, note, keys, danger, current, unavailable, onSelect }: MenuItemProps) {
  const choose = (event: Event): void => {
    if (unavailable) event.preventDefault();
    else onSelect();
  };
  return (
    <DropdownMenu.Item
      className={cx(styles.item, danger && styles.danger)}
      aria-disabled={unavailable ? true : undefined}
      onSelect={choose}
    >
      {Icon && <Icon className={styles.icon} aria-hidden />}
      <span className={styles.words}>
        {label}
        {(unavailable ?? note) && <span className={styles.note}>{unavailable ?? note}</span>}
      </span>
      {keys && <KeyHint keys={keys} />}
      {current && <Check className={styles.icon} aria-label="current" />}
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { readonly children: string }) {
  return <DropdownMenu.Label className={styles.label}>{children}</DropdownMenu.Label>;
}

export function MenuLine() {
  return <DropdownMenu.Separator className={styles.line} />;
}
