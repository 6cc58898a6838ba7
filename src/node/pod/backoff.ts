/** Milliseconds before something that failed is tried again: twice as many each time, from the first to the longest. */
export const FIRST_BACKOFF = 10_000;
export const LONGEST_BACKOFF = 300_000;
