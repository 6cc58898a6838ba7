import { useLayoutEffect, useState, type RefObject } from 'preact/compat';

/** The width of a digit of the tables' type, in the size of the page's; a little more than most have. */
const DIGIT = 0.61 * 0.75;

/** How many characters of a table fit beside each other in an element; before it is known, any number. */
export function useRoom(element: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(Infinity);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const measure = (): void => {
      const digit = parseFloat(getComputedStyle(document.documentElement).fontSize) * DIGIT;
      setRoom(Math.floor(measured.clientWidth / digit));
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(measured);
    measure();
    return () => sizes.disconnect();
  }, [element]);
  return room;
}
