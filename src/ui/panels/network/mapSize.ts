/** At which size the map is drawn. */
const SMALLEST = 0.3;
const LARGEST = 2;
const STEP = 1.25;
/** Below this the names could not be read: the map is scrolled instead. */
const SMALLEST_FIT = 0.6;
/** At this size names are still easy to read, so rows are made no wider than what then fits. */
const READABLE = 0.85;

/** A small map is drawn larger where there is room, as on a projector, but so that it still looks like the others. */
const LARGEST_FIT = 1.6;

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How wide rows may be in a place, in units of the drawing beside its margins; undefined before the place is measured. */
export const rowsIn = (place: Size, margin: number): number | undefined =>
  place.width > 0 ? place.width / READABLE - 2 * margin : undefined;

/** How large a map is drawn so that its width fits into a place; larger than it is only where its height fits too. */
export function fitOf(place: Size, map: Size): number {
  if (place.width <= 0) return 1;
  const byWidth = place.width / map.width;
  if (byWidth < 1) return Math.max(SMALLEST_FIT, byWidth);
  return Math.min(LARGEST_FIT, byWidth, Math.max(1, place.height / map.height));
}

/** The next size, in or out. */
export const zoomed = (zoom: number, way: 'in' | 'out'): number =>
  Math.min(LARGEST, Math.max(SMALLEST, way === 'in' ? zoom * STEP : zoom / STEP));
