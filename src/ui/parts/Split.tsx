import { useCallback, useRef, type KeyboardEvent, type PointerEvent } from 'preact/compat';
import { cx } from './cx.ts';
import styles from './Split.module.css';

interface SplitterProps {
  readonly label: string;
  /** Which edge of the part it moves: the part grows when the splitter is drawn away from it. */
  readonly edge: 'left' | 'top' | 'right';
  /** Size of the part in pixels of the normal text size; as a length it is `sizeOf(size)`. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  readonly onSize: (size: number) => void;
}

const KEY_STEP = 16;
const NORMAL = 16;

/** The length of a part: it grows with the text, so that a projector shows as many words. */
export const sizeOf = (size: number): string => `${size / NORMAL}rem`;

const enlarged = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) / NORMAL;

const growing = { left: 'ArrowLeft', top: 'ArrowUp', right: 'ArrowRight' } as const;
const shrinking = { left: 'ArrowRight', top: 'ArrowDown', right: 'ArrowLeft' } as const;

/** The line between two parts; it is drawn with a pointer or moved with the arrow keys. */
export function Splitter({ label, edge, size, min, max, onSize }: SplitterProps) {
  const start = useRef<{ readonly at: number; readonly size: number }>(undefined);
  const along = useCallback(
    (event: PointerEvent<HTMLElement>) => (edge === 'top' ? event.clientY : event.clientX),
    [edge],
  );
  const clamp = (next: number): void => onSize(Math.round(Math.max(min, Math.min(max, next))));
  const draw = (event: PointerEvent<HTMLElement>): void => {
    if (!start.current) return;
    const moved = (along(event) - start.current.at) / enlarged();
    clamp(start.current.size + (edge === 'right' ? moved : -moved));
  };
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === growing[edge]) clamp(size + KEY_STEP);
    else if (event.key === shrinking[edge]) clamp(size - KEY_STEP);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={edge === 'top' ? 'horizontal' : 'vertical'}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      className={cx(styles.splitter, styles[edge])}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: along(event), size };
      }}
      onPointerMove={draw}
      onPointerUp={() => (start.current = undefined)}
      onKeyDown={press}
    />
  );
}
