import { useEffectEvent, useLayoutEffect, useRef, type ComponentProps } from 'preact/compat';
import { place } from './place.ts';

interface FloatingProps extends ComponentProps<'div'> {
  /** The control that opened it: it stands beside it, and the focus goes back there. */
  readonly anchor: HTMLElement;
  readonly align: 'start' | 'end';
  readonly onClose: () => void;
  /** Which of its elements has the focus at first; itself where there is none. */
  readonly first: string;
}

/**
 * Something that floats above everything else, beside the control that opened it. It closes with escape and when
 * attention goes elsewhere.
 */
export function Floating({ anchor, align, onClose, first, ...rest }: FloatingProps) {
  const ref = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  const settle = useEffectEvent(() => ref.current && place(ref.current, anchor, { side: 'bottom', align, gap: 4 }));
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    box.showPopover();
    settle();
    (box.querySelector<HTMLElement>(first) ?? box).focus({ preventScroll: true });
    return () => {
      if (box.contains(document.activeElement)) anchor.focus({ preventScroll: true });
    };
  }, [anchor, first]);
  // As soon as it stands: escape closes it, and nothing beneath it.
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && !box.contains(target) && !anchor.contains(target)) close();
    };
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      // What lies beneath, a dialog or the inspector, stays.
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    const size = new ResizeObserver(() => void settle());
    size.observe(box);
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('pointerdown', leave, { signal, capture: true });
    document.addEventListener('focusin', leave, { signal });
    document.addEventListener('keydown', press, { signal, capture: true });
    document.addEventListener('scroll', ({ target }) => target !== box && settle(), { signal, capture: true });
    window.addEventListener('resize', () => settle(), { signal });
    return () => {
      size.disconnect();
      ending.abort();
    };
  }, [anchor]);
  return <div ref={ref} popover="manual" tabIndex={-1} {...rest} />;
}
