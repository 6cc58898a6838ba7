/** When views show what has come meanwhile: all at the same moments, so that the browser paints once for all of them. */

/** Milliseconds between two such moments. */
const BEAT = 60;

/** Milliseconds until the next moment, if only one of so many is used. */
export function untilBeat(ofEach = 1): number {
  const every = ofEach * BEAT;
  return every - (performance.now() % every);
}
