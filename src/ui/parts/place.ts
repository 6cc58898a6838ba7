/** Where something stands that floats beside a control. */

export type Side = 'top' | 'right' | 'bottom' | 'left';
export type Align = 'start' | 'center' | 'end';

interface Placement {
  readonly side: Side;
  readonly align: Align;
  /** Pixels between the control and what floats. */
  readonly gap: number;
}

/** Pixels that stay free at the window's edges. */
const EDGE = 8;
const opposites = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' } as const;

const clamp = (value: number, most: number): number => Math.max(EDGE, Math.min(value, most));

function along(align: Align, start: number, length: number, own: number): number {
  if (align === 'start') return start;
  return align === 'end' ? start + length - own : start + (length - own) / 2;
}

/**
 * Puts `box`, which is shown and has a fixed position, beside `anchor`: on the side that is asked for, or on the other
 * one where only there is room, and within the window. Its style may use `--room`, the height that is left for it.
 */
export function place(box: HTMLElement, anchor: Element, { side, align, gap }: Placement): void {
  const from = anchor.getBoundingClientRect();
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const room = {
    top: from.top - gap - EDGE,
    bottom: height - from.bottom - gap - EDGE,
    left: from.left - gap - EDGE,
    right: width - from.right - gap - EDGE,
  };
  const upright = side === 'top' || side === 'bottom';
  const other = opposites[side];
  box.style.setProperty('--room', `${upright ? Math.max(room[side], room[other]) : height - 2 * EDGE}px`);
  const { offsetWidth, offsetHeight } = box;
  const wanted = upright ? offsetHeight : offsetWidth;
  const chosen = room[side] >= wanted || room[side] >= room[other] ? side : other;
  const left = upright
    ? along(align, from.left, from.width, offsetWidth)
    : chosen === 'right'
      ? from.right + gap
      : from.left - gap - offsetWidth;
  const top = upright
    ? chosen === 'bottom'
      ? from.bottom + gap
      : from.top - gap - offsetHeight
    : along(align, from.top, from.height, offsetHeight);
  box.style.left = `${Math.round(clamp(left, width - offsetWidth - EDGE))}px`;
  box.style.top = `${Math.round(clamp(top, height - offsetHeight - EDGE))}px`;
}
