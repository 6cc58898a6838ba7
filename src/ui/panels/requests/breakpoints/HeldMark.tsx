import { useBreakpoints } from '../../../stores/breakpoints.ts';
import styles from './HeldMark.module.css';

/** How many requests are held, so that nobody wonders why something hangs. */
export function HeldMark() {
  const held = useBreakpoints((state) => state.held.length);
  if (held === 0) return null;
  return (
    <span className={styles.mark} aria-label={`${held} held`}>
      {held}
    </span>
  );
}
