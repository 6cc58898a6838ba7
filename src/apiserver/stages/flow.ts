/** Is there room? Requests that are not long-running wait for a seat, or are turned away (specification, Limits). */
import type { FlowAnswer } from '../flow/index.ts';
import type { RequestContext } from '../context.ts';
import { droppedRequests } from '../metrics.ts';
import type { RequestKind } from '../metrics/inFlight.ts';
import { isLongRunning } from './deadline.ts';
import { PlainFailure } from './failure.ts';

/** A request's place among those that run; left when the request has ended. */
export interface Room {
  readonly headers: FlowAnswer['headers'];
  leave(): void;
}

const UNLIMITED: Room = { headers: [], leave: () => undefined };
const READS = new Set(['get', 'list', 'watch']);

/** Throws 429 where there is no room. Parts of the server itself are exempt, so nobody who has a seat waits for another. */
export function makeRoom(context: RequestContext): Room | Promise<Room> {
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
    ? answer.then((decided) => roomOf(context, kind, decided))
    : roomOf(context, kind, answer);
}

function roomOf(context: RequestContext, kind: RequestKind, answer: FlowAnswer): Room {
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
