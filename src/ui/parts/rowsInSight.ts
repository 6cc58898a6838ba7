/** Long and wide tables: only the rows, or columns, in sight are rendered. */
import { useLayoutEffect, useState, type RefObject } from 'preact/compat';
import { flushSync } from 'preact/compat';

/** Rows beyond both edges, so that scrolling and the arrow keys meet rows that are there. */
const BEYOND = 12;
/** Scrolling by fewer rows renders nothing anew. */
const STRIDE = 4;

interface Sight {
  /** The row at the upper edge, rounded down to a stride. */
  readonly from: number;
  /** How many rows there is room for. */
  readonly room: number;
}

/** The rows from `first` up to, not including, `end` are to be rendered: all of them are `height` pixels high. The same of columns that are so wide. */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  height: number,
  of: 'rows' | 'columns' = 'rows',
): { readonly first: number; readonly end: number } {
  const [sight, setSight] = useState<Sight>({ from: 0, room: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = (): void => {
      const [passed, place] =
        of === 'rows' ? [element.scrollTop, element.clientHeight] : [element.scrollLeft, element.clientWidth];
      const from = Math.floor(passed / height / STRIDE) * STRIDE;
      const room = Math.ceil(place / height) + STRIDE;
      setSight((before) => (before.from === from && before.room === room ? before : { from, room }));
    };
    // At once, in the frame that scrolls: a moment later there would be a gap to see.
    const scrolled = (): void => flushSync(look);
    const size = new ResizeObserver(look);
    size.observe(element);
    element.addEventListener('scroll', scrolled, { passive: true });
    look();
    return () => {
      size.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, [scroller, height, of]);
  const from = Math.min(sight.from, Math.max(0, count - sight.room));
  return { first: Math.max(0, from - BEYOND), end: Math.min(count, from + sight.room + BEYOND) };
}
