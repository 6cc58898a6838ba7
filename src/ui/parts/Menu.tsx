import { Check, type LucideIcon } from 'lucide-preact';
import { cloneElement, createContext, useContext, useState, type KeyboardEvent, type ReactNode } from 'preact/compat';
import { cx } from './cx.ts';
import { Floating } from './Floating.tsx';
import { KeyHint } from './KeyHint.tsx';
import type { Trigger } from './Popover.tsx';
import styles from './Menu.module.css';

interface MenuProps {
  readonly trigger: Trigger;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

const CloseMenu = createContext<() => void>(() => undefined);
const ITEM = '[role="menuitem"]';

/** A list of actions that opens from a button. Arrows and first letters move, enter chooses, escape and tab close. */
export function Menu({ trigger, align = 'start', children }: MenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      {cloneElement(trigger, {
        ref: setAnchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: () => setOpen(!open),
        onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        },
      })}
      {open && anchor && (
        <Floating
          anchor={anchor}
          align={align}
          first={ITEM}
          onClose={close}
          role="menu"
          aria-label={anchor.getAttribute('aria-label') ?? anchor.textContent}
          className={styles.menu}
          onKeyDown={(event) => (event.key === 'Tab' ? close() : walk(event))}
        >
          <CloseMenu value={close}>{children}</CloseMenu>
        </Floating>
      )}
    </>
  );
}

/** The item to which a key leads from the one at `at`. */
function nextItem(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const letter = key.toLowerCase();
  const inTurn = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return inTurn.find((item) => item.textContent.trim().toLowerCase().startsWith(letter));
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEM)];
  const next = nextItem(event.key, items, items.indexOf(document.activeElement as HTMLElement));
  if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  next.focus();
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
  const close = useContext(CloseMenu);
  const choose = (): void => {
    close();
    onSelect();
  };
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={cx(styles.item, danger && styles.danger)}
      aria-disabled={unavailable ? true : undefined}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={unavailable ? undefined : choose}
    >
      {Icon && <Icon className={styles.icon} aria-hidden />}
      <span className={styles.words}>
        {label}
        {(unavailable ?? note) && <span className={styles.note}>{unavailable ?? note}</span>}
      </span>
      {keys && <KeyHint keys={keys} />}
      {current && <Check className={styles.icon} aria-label="current" />}
    </button>
  );
}

export function MenuLabel({ children }: { readonly children: string }) {
  return <p className={styles.label}>{children}</p>;
}

export function MenuLine() {
  return <hr className={styles.line} />;
}
