/** Values that change more often than anybody can read. */
import { useEffect, useRef, useState } from 'react';

/** How often a value is shown anew at most, in milliseconds. */
const PACE = 200;

/** The value, at most a few times a second. A change after a pause is shown at once, and the last one is always shown. */
export function useCalm<T>(value: T): T {
  const [shown, setShown] = useState(value);
  const last = useRef(-PACE);
  useEffect(() => {
    const show = (): void => {
      last.current = performance.now();
      setShown(value);
    };
    const wait = last.current + PACE - performance.now();
    if (wait <= 0) return show();
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  }, [value]);
  return shown;
}
