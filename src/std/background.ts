/**
 * Runs `work` without waiting for it. `onProblem` handles a rejection: retry, report it, or `throwToHost` if it can
 * only be a bug.
 */
export function inBackground(work: Promise<unknown>, onProblem: (problem: unknown) => void): void {
  work.catch(onProblem);
}

/** Throws outside of any call, so that the host reports the error and continues. */
export function throwToHost(problem: unknown): void {
  queueMicrotask(() => {
    throw problem;
  });
}
