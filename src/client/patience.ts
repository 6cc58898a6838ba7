import { delay, type Clock, type Part } from '../std/index.ts';
import { Backoff } from './backoff.ts';

const FIRST_DELAY = 1000;
const LONGEST_DELAY = 30_000;

export interface Retrying {
  readonly clock: Clock;
  /** Ends the attempts. */
  readonly signal: AbortSignal;
  /** Hears of each failure. */
  readonly onProblem: (problem: unknown) => void;
}

/** Repeats `work` with back-off until it succeeds. Resolves to undefined when `signal` aborted before that. */
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

/** Fetches a part of the program for a component that works by itself. Resolves to undefined when `signal` aborted. */
export function fetchPatiently<T>(part: Pick<Part<T>, 'load'>, retrying: Retrying): Promise<T | undefined> {
  return retry(() => retrying.clock.during(part.load(), 'io'), retrying);
}
