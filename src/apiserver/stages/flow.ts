/** Flow control: requests that are not long-running wait for a seat or are refused (specification, Limits). */
import type { Core, RequestContext } from '../context.ts';
import type { Flow, FlowAnswer } from '../flow/types.ts';
import type { InFlight, RequestKind } from '../metrics/inFlight.ts';
import { droppedRequests, type RequestMetrics } from '../metrics/requests.ts';
import { isLongRunning } from './deadline.ts';
import { PlainFailure } from './failure.ts';

/** What flow control needs from the server. */
export interface FlowServer extends Core {
  readonly flow: Flow;
  readonly inFlight: InFlight;
  readonly requests: RequestMetrics;
}

/** The right to run; released when the request has ended. */
export interface Seat {
  readonly headers: FlowAnswer['headers'];
  leave(): void;
}

const UNLIMITED: Seat = { headers: [], leave: () => undefined };
const READS = new Set(['get', 'list', 'watch']);

/**
 * Throws 429 if no seat is free. Requests of the server itself are exempt, so a request with a seat never waits for
 * another.
 */
export function admit(context: RequestContext<FlowServer>): Seat | Promise<Seat> {
  const { server, info, user, request, deadline } = context;
  if (isLongRunning(info)) return UNLIMITED;
  const kind = READS.has(info.verb) ? 'readOnly' : 'mutating';
  const answer = server.flow.enter({
    user,
    info,
    mutating: kind === 'mutating',
    onAbandoned: (call) => {
      deadline?.onExpired(call);
      request.signal.addEventListener('abort', call, { once: true });
    },
    onWaiting: (by) => server.inFlight.add('waiting', kind, by),
  });
  return answer instanceof Promise
    ? answer.then((decided) => seatOf(context, kind, decided))
    : seatOf(context, kind, answer);
}

function seatOf(context: RequestContext<FlowServer>, kind: RequestKind, answer: FlowAnswer): Seat {
  const { server } = context;
  trace(context, answer);
  if (!answer.admitted) {
    server.metrics.add(droppedRequests, { request_kind: kind });
    server.requests.terminated(context, 429);
    throw new PlainFailure(429, 'Too many requests, please try again later.', { 'retry-after': '1' });
  }
  server.inFlight.add('executing', kind, 1);
  const leave = (): void => {
    server.inFlight.add('executing', kind, -1);
    answer.release();
  };
  return { headers: answer.headers, leave };
}

function trace({ server, id }: RequestContext, answer: FlowAnswer): void {
  if (!server.tracer.wants('request')) return;
  const { flowSchema, priorityLevel, outcome, admitted, detail } = answer;
  const decision = { flowSchema, priorityLevel, outcome, admitted, detail };
  server.tracer.emit({ topic: 'request', request: id, stage: 'flow', ...decision });
}
