import {
  cloneElement,
  useState,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
} from 'preact/compat';
import { Floating } from './Floating.tsx';
import styles from './Popover.module.css';

/** A control that opens something; what it opens hands it these. */
export type Trigger = ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>;

interface PopoverProps {
  readonly trigger: Trigger;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly align?: 'start' | 'end';
  readonly label: string;
  readonly children: ReactNode;
}

const FOCUSABLE = 'input, select, textarea, button, a[href], [tabindex="0"]';

/** A small panel that opens from a control and closes when attention goes elsewhere. */
export function Popover({ trigger, open, onOpen, align = 'start', label, children }: PopoverProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      {cloneElement(trigger, {
        ref: setAnchor,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        onClick: () => onOpen(!open),
      })}
      {open && anchor && (
        <Floating
          anchor={anchor}
          align={align}
          first={FOCUSABLE}
          onClose={() => onOpen(false)}
          role="dialog"
          aria-label={label}
          // It can be longer than there is room, and have nothing in it that takes the focus.
          tabIndex={0}
          className={styles.popover}
        >
          {children}
        </Floating>
      )}
    </>
  );
}
