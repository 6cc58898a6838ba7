/** How fast a load goes, from how far it was at which moment. Pure. */

export interface Sample {
  /** Milliseconds by the page's clock. */
  readonly at: number;
  readonly done: number;
}

/** What happened longer ago says little of how fast it goes now. */
const WINDOW = 15_000;

/** The samples with one more; those too old to count are left out, but for one to measure from. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const first = samples.findLastIndex(({ at }) => sample.at - at >= WINDOW);
  return [...samples.slice(Math.max(0, first)), sample];
}

/** How many are done in a second; undefined before that can be told. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < 1_000 || last.done <= first.done) return undefined;
  return ((last.done - first.done) * 1_000) / (last.at - first.at);
}

/** Seconds that are left at this rate. */
export function secondsLeft(left: number, rate: number | undefined): number | undefined {
  return rate === undefined ? undefined : left / rate;
}

/** `40 s`, `3 min`, `1 h 20 min`. */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
