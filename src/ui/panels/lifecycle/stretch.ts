/** A stretch of time that is drawn, in milliseconds since the epoch. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * DAY),
] as const;

const MOST_TICKS = 6;

/** Round moments within a stretch, few enough to be read. */
export function ticksBetween({ from, to }: Stretch): readonly number[] {
  const step = STEPS.find((each) => (to - from) / each <= MOST_TICKS) ?? 365 * DAY;
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}

/** The stretch from the first moment until `now`, with a little room. */
export function stretchOf(moments: readonly number[], now: number): Stretch {
  const from = moments.reduce((first, each) => Math.min(first, each), now - 10 * SECOND);
  return { from: from - (now - from) * 0.02, to: now + (now - from) * 0.02 };
}
