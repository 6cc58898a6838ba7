/** At which size the map is drawn. */
const SMALLEST = 0.3;
const LARGEST = 2;
const STEP = 1.25;
/** Below this the names could not be read: the map is scrolled instead. */
const SMALLEST_FIT = 0.6;

/** How large a map of some width is drawn so that it fits into a place; never larger than it is. */
export const fitOf = (place: number, width: number): number =>
  place <= 0 || width <= place ? 1 : Math.max(SMALLEST_FIT, place / width);

/** The next size, in or out. */
export const zoomed = (zoom: number, way: 'in' | 'out'): number =>
  Math.min(LARGEST, Math.max(SMALLEST, way === 'in' ? zoom * STEP : zoom / STEP));
