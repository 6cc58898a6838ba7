import { type Clock, delay, type Part, type StopSignal } from '../std/index.ts';
import { Backoff } from './backoff.ts';

const FIRST_DELAY = 1000;
const LONGEST_DELAY = 30_000;

export interface Retrying {
  readonly clock: Clock;
  /** Stops retrying. */
  readonly signal: StopSignal;
  /** Called for each failure. */
  readonly onProblem: (problem: unknown) => void;
}

/** Repeats `work` with back-off until it succeeds. Resolves to undefined if `signal` aborts first. */
export async function retry<T>(work: () => Promise<T>, { clock, signal, onProblem }: Retrying): Promise<T | undefined> {
  const backoff = new Backoff(FIRST_DELAY, LONGEST_DELAY);
  while (!signal.aborted) {
    try {
      return await work();
    } catch (problem) {
      onProblem(problem);
      await delay(clock, backoff.next(), signal);
    }
  }
  return undefined;
}

/** Loads a part for a component that retries by itself. Resolves to undefined if `signal` aborts. */
export function fetchPatiently<T>(part: Pick<Part<T>, 'load'>, retrying: Retrying): Promise<T | undefined> {
  return retry(() => retrying.clock.during(part.load(), 'io'), retrying);
}
