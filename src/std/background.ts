/**
 * Lets `work` go on while the caller returns. `onProblem` says what a rejection means: try again, report it, or
 * `throwToHost` where a rejection could only be a mistake of ours.
 */
export function inBackground(work: Promise<unknown>, onProblem: (problem: unknown) => void): void {
  work.catch(onProblem);
}

/** Throws outside of any call, so that the host hears of the error, shows it, and goes on. */
export function throwToHost(problem: unknown): void {
  queueMicrotask(() => {
    throw problem;
  });
}
