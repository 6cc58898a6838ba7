/** Where the names of moving things stand. */
import type { Point, Rect } from './geometry.ts';

/** In pixels: of the ground below a name, and how far that lies from its point. */
export const LABEL = { height: 16, padding: 3, gap: 8 } as const;

export interface Label {
  readonly text: string;
  readonly box: Rect;
}

/** A name at the right of a point, or at its left where it would go beyond `limit`; what fits on neither side is shortened in its middle. */
export function besidePoint(text: string, { x, y }: Point, limit: number, measure: (text: string) => number): Label {
  const around = LABEL.gap + 2 * LABEL.padding;
  const [before, after] = [x - around, limit - x - around];
  const full = measure(text);
  const atRight = full <= after || (full > before && after >= before);
  const shown = full <= Math.max(before, after) ? text : shortened(text, Math.max(before, after), full);
  const width = measure(shown) + 2 * LABEL.padding;
  const left = atRight ? x + LABEL.gap : x - LABEL.gap - width;
  return { text: shown, box: { x: left, y: y - LABEL.height / 2, width, height: LABEL.height } };
}

/** A name below a point, between `from` and `to`: on a phone, where the names of the stages stand beside it. */
export function belowPoint(
  text: string,
  { x, y }: Point,
  { from, to }: { readonly from: number; readonly to: number },
  measure: (text: string) => number,
): Label {
  const full = measure(text);
  const room = to - from - 2 * LABEL.padding;
  const shown = full <= room ? text : shortened(text, room, full);
  const width = measure(shown) + 2 * LABEL.padding;
  const left = Math.max(from, Math.min(x - width / 2, to - width));
  return { text: shown, box: { x: left, y: y + LABEL.gap, width, height: LABEL.height } };
}

/** The beginning says what is done, the end distinguishes the names. */
function shortened(text: string, room: number, full: number): string {
  const kept = Math.max(2, Math.floor((text.length * room) / full) - 1);
  return `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;
}

export const overlap = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
