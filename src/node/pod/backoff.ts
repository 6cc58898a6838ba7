/** Milliseconds before a failed operation is retried: doubled each time, from the first to the longest. */
export const FIRST_BACKOFF = 10_000;
export const LONGEST_BACKOFF = 300_000;

/** The back-off before the next restart of a container with this number of restarts. The first restart is immediate. */
export const backoffAfter = (restarts: number): number =>
  Math.min(FIRST_BACKOFF * 2 ** Math.max(0, restarts - 1), LONGEST_BACKOFF);
