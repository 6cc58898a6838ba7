/** Where the names of moving things stand. */
import type { Point, Rect } from './geometry.ts';

/** In pixels: what stands around a name on its ground, and how far that lies from its point. */
export const LABEL = { padding: 3, gap: 8 } as const;

/** How names are written: how wide one is, and how high its ground. */
export interface Type {
  readonly measure: (text: string) => number;
  readonly height: number;
}

/** The room that names keep within, from side to side. */
export interface Room {
  readonly from: number;
  readonly to: number;
}

export interface Label {
  readonly text: string;
  readonly box: Rect;
}

/**
 * A name at the right of a point, or at its left where it would leave the room; what fits on neither side is shortened in its middle.
 * Where the point is beyond the room, its name waits at the edge.
 */
export function besidePoint(text: string, { x, y }: Point, { from, to }: Room, type: Type): Label {
  const around = LABEL.gap + 2 * LABEL.padding;
  const end = Math.min(x - LABEL.gap, to);
  const [before, after] = [end - 2 * LABEL.padding - from, to - x - around];
  const full = type.measure(text);
  const atRight = full <= after || (full > before && after >= before);
  const { shown, width } = fitted(text, Math.max(before, after), type);
  const left = atRight ? x + LABEL.gap : end - width;
  return { text: shown, box: { x: left, y: y - type.height / 2, width, height: type.height } };
}

/** A name that fills a box of its own, from its left side: on a phone, where there is no room beside what moves. */
export function captionIn(text: string, box: Rect, type: Type): Label {
  const { shown, width } = fitted(text, box.width - 2 * LABEL.padding, type);
  return { text: shown, box: { x: box.x, y: box.y + (box.height - type.height) / 2, width, height: type.height } };
}

function fitted(text: string, room: number, { measure }: Type): { readonly shown: string; readonly width: number } {
  const full = measure(text);
  let shown = text;
  // Letters differ in width: what is as long as the room on average may still be wider.
  for (let kept = Math.floor((text.length * room) / full) - 1; kept >= 2 && measure(shown) > room; kept--)
    shown = shortened(text, kept);
  return { shown, width: measure(shown) + 2 * LABEL.padding };
}

/** The beginning says what is done, the end distinguishes the names. */
const shortened = (text: string, kept: number): string =>
  `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;

export const overlap = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
