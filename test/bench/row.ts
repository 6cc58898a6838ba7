/** One line of the benchmark: something of ours against something that stands for the least it could cost, in one run. */
export interface Row {
  readonly name: string;
  /** What is hoped for, in words. */
  readonly aim: string;
  run(): Promise<Measured>;
}

export interface Measured {
  /** What was measured, with its unit: `12 300 creates/s`. */
  readonly subject: string;
  /** What it is held against. */
  readonly reference: string;
  /** Subject to reference, as the aim states it. */
  readonly ratio: number;
}

/** A rate in `unit` per second for `count` things done in `ms`. */
export function rate(count: number, ms: number): number {
  return (count * 1000) / ms;
}

export function perSecond(value: number, unit: string): string {
  return `${thousands(value)} ${unit}/s`;
}

export function thousands(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');
}

/** How long `work` takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Does something `count` times, `inFlight` of them at once. */
export async function concurrently(
  count: number,
  inFlight: number,
  work: (i: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

/** The middle of several rounds, so that one that was disturbed does not count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}

/** The value that so many percent of the sorted ones don't exceed. */
export const percentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;

/** Runs subject and reference by turns, and takes the median of each: the machine's mood then meets both. */
export async function byTurns(
  subject: () => Promise<number>,
  reference: () => Promise<number>,
  rounds = 5,
): Promise<{ subject: number; reference: number }> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await subject());
    theirs.push(await reference());
  }
  return { subject: median(ours), reference: median(theirs) };
}

/** Prints a row as it is measured. */
export function describeRow({ name, aim }: Pick<Row, 'name' | 'aim'>, { subject, reference, ratio }: Measured): string {
  return `${name.padEnd(44)} ${ratio.toFixed(2).padStart(8)}   ${subject} against ${reference} (aim: ${aim})`;
}
