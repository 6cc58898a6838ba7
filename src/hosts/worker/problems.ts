import { problemEvent, type Tracer } from '../../cluster/index.ts';

/**
 * Turns errors that nothing in this thread caught into trace events, which the page shows. Where nobody follows them, the
 * browser hands the error to whoever started this worker. Returns what ends that.
 */
export function traceErrors(scope: EventTarget, tracer: Tracer): () => void {
  const onError = (event: Event): void => {
    if (!tracer.wants('problem')) return;
    const { error, message } = event as ErrorEvent;
    tracer.emit(problemEvent(error ?? message));
    event.preventDefault();
  };
  scope.addEventListener('error', onError);
  return () => scope.removeEventListener('error', onError);
}

/** Makes errors of promises that were rejected and not handled: browsers tell a worker's owner of errors alone. */
export function throwRejections(scope: EventTarget, rethrow: (reason: unknown) => void): void {
  scope.addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    rethrow((event as PromiseRejectionEvent).reason);
  });
}
