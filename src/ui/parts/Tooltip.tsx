import {
  cloneElement,
  useEffect,
  useLayoutEffect,
  useRef,
  type FocusEvent,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
} from 'preact/compat';
import { create } from '../store.ts';
import { KeyHint } from './KeyHint.tsx';
import { place, type Side } from './place.ts';
import styles from './Tooltip.module.css';

interface Tip {
  readonly anchor: Element;
  readonly text: string;
  readonly keys: string | undefined;
  readonly side: Side;
}

const DELAY = 400;
/** After one tip the next comes at once: who looks along a row of controls has said that they want to know. */
const SKIP = 200;
/** Time to get from the control to its tip, whose words may be selected. */
const LINGER = 120;
const ID = 'tooltip';

const useTip = create<{ readonly tip: Tip | undefined }>()(() => ({ tip: undefined }));
let pending: ReturnType<typeof setTimeout> | undefined;
let left = -Infinity;

function show(tip: Tip, delay: number): void {
  clearTimeout(pending);
  pending = setTimeout(() => useTip.setState({ tip }), delay);
}

function hide(): void {
  clearTimeout(pending);
  if (!useTip.getState().tip) return;
  left = performance.now();
  useTip.setState({ tip: undefined });
}

function hideSoon(): void {
  clearTimeout(pending);
  pending = setTimeout(hide, LINGER);
}

interface TooltipProps {
  readonly text: string;
  readonly keys?: string;
  readonly side?: Side;
  readonly children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** A short explanation of a control, on hover and on focus. */
export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  const { onPointerEnter, onPointerLeave, onPointerDown, onFocusIn, onFocusOut } = children.props;
  const anchor = useRef<Element>(undefined);
  const offer = (element: Element, delay: number): void => {
    anchor.current = element;
    show({ anchor: element, text, keys, side }, delay);
  };
  // A control may go while its tip is shown or on its way.
  useEffect(
    () => () => {
      if (anchor.current) hide();
    },
    [],
  );
  return cloneElement(children, {
    onPointerEnter: (event: PointerEvent<HTMLElement>) => {
      onPointerEnter?.(event);
      const soon = performance.now() - left < SKIP;
      if (event.pointerType !== 'touch') offer(event.currentTarget, soon ? 0 : DELAY);
    },
    onPointerLeave: (event: PointerEvent<HTMLElement>) => {
      onPointerLeave?.(event);
      hideSoon();
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      onPointerDown?.(event);
      hide();
    },
    onFocusIn: (event: FocusEvent<HTMLElement>) => {
      onFocusIn?.(event);
      if (event.currentTarget.matches(':focus-visible')) offer(event.currentTarget, 0);
    },
    onFocusOut: (event: FocusEvent<HTMLElement>) => {
      onFocusOut?.(event);
      hide();
    },
  });
}

/** Where tooltips appear; stands once, beside everything else. Escape, a click and scrolling take them away. */
export function Tooltips() {
  const tip = useTip((state) => state.tip);
  return tip && <ShownTip key={tip.text} {...tip} />;
}

function ShownTip({ anchor, text, keys, side }: Tip) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    box.current.showPopover();
    place(box.current, anchor, { side, align: 'center', gap: 6 });
    const described = anchor.hasAttribute('aria-describedby');
    if (!described) anchor.setAttribute('aria-describedby', ID);
    return () => {
      if (!described) anchor.removeAttribute('aria-describedby');
    };
  }, [anchor, side]);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('keydown', hide, { signal, capture: true });
    document.addEventListener('scroll', hide, { signal, capture: true });
    return () => ending.abort();
  }, []);
  return (
    <div
      ref={box}
      id={ID}
      role="tooltip"
      popover="manual"
      className={styles.tooltip}
      onPointerEnter={() => clearTimeout(pending)}
      onPointerLeave={hide}
    >
      {text}
      {keys && <KeyHint keys={keys} />}
    </div>
  );
}
