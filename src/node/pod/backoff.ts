/** Milliseconds before something that failed is tried again: twice as many each time, from the first to the longest. */
export const FIRST_BACKOFF = 10_000;
export const LONGEST_BACKOFF = 300_000;

/** The wait before the next restart of a container that has been restarted so often. The first restart comes at once. */
export const backoffAfter = (restarts: number): number =>
  Math.min(FIRST_BACKOFF * 2 ** Math.max(0, restarts - 1), LONGEST_BACKOFF);
