/** Shows errors that nothing caught, in the page or in a cluster: each is a mistake of the program. */
import type { TraceEvent } from '../../trace/index.ts';
import type { Host } from '../host.ts';
import { toast } from '../parts/Toast.tsx';

const inCluster = (message: string): void =>
  toast('failed', 'A part of the cluster failed. The rest goes on.', message);

const inPage = (message: string): void => toast('failed', 'A part of this page failed. The rest goes on.', message);

/** Cancelled work is no mistake: the editor and aborted requests reject with these. */
const CANCELLATIONS = ['AbortError', 'Canceled'];

/** Shows the page's own errors, and those of workers. */
export function showProblems(host: Host): void {
  host.onProblem?.(inCluster);
  // An error event without an error is the browser's own remark, such as one about a ResizeObserver.
  addEventListener('error', ({ error }) => error instanceof Error && inPage(error.message));
  addEventListener('unhandledrejection', ({ reason }: PromiseRejectionEvent) => {
    const { name, message } = reason instanceof Error ? reason : { name: '', message: String(reason) };
    if (!CANCELLATIONS.includes(name)) inPage(message);
  });
}

/** Shows the errors among a cluster's trace events. */
export function noteProblems(events: readonly TraceEvent[]): void {
  for (const event of events) if (event.topic === 'problem') inCluster(event.message);
}
