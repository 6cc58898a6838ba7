import { useEffectEvent, useLayoutEffect, useRef, type ComponentProps, type PointerEvent } from 'preact/compat';
import type { Plain } from './attributes.ts';
import { cx } from './cx.ts';
import styles from './Modal.module.css';

interface ModalProps extends Omit<Plain<ComponentProps<'dialog'>>, 'onClose' | 'open'> {
  readonly onClose: () => void;
  /** What has the focus at first; the dialog itself where nothing is said: on its first button, which closes it, a tooltip would open. */
  readonly first?: string;
}

/** Whether a pointer is on the veil, which belongs to the dialog but lies around it. */
function onVeil({ target, currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}

/** The browser's own dialog: while it stands, nothing else can be reached; escape and a press beside it close it. */
export function Modal({ onClose, first, className, ...rest }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const cancel = useEffectEvent((event: Event) => {
    event.preventDefault();
    onClose();
  });
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const before = document.activeElement;
    dialog.showModal();
    const start = first === undefined ? dialog : (dialog.querySelector<HTMLElement>(first) ?? dialog);
    start.focus();
    dialog.addEventListener('cancel', cancel);
    return () => {
      dialog.removeEventListener('cancel', cancel);
      dialog.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [first]);
  return (
    <dialog
      ref={ref}
      tabIndex={-1}
      {...rest}
      className={cx(styles.modal, className)}
      onPointerDown={(event) => onVeil(event) && onClose()}
    />
  );
}
