import { delay, type Clock, type Part } from '../std/index.ts';
import { Backoff } from './backoff.ts';

const FIRST_DELAY = 1000;
const LONGEST_DELAY = 30_000;

/** A part of the program for those who work by themselves: they try until it is there. Undefined where `signal` ended that. */
export async function fetchPatiently<T>(
  part: Pick<Part<T>, 'load'>,
  {
    clock,
    signal,
    onProblem,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly onProblem: (problem: unknown) => void },
): Promise<T | undefined> {
  const backoff = new Backoff(FIRST_DELAY, LONGEST_DELAY);
  while (!signal.aborted) {
    try {
      return await part.load();
    } catch (problem) {
      onProblem(problem);
      await delay(clock, backoff.next(), signal);
    }
  }
  return undefined;
}
