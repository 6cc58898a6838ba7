import { problemEvent, type Tracer } from '../../cluster/index.ts';

/**
 * Converts uncaught errors in this thread to trace events, which the page displays. Without a listener the browser
 * passes the error to the worker's owner. Returns a function that stops it.
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
