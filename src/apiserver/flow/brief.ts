/** Flow control for requests that end in the turn of the event loop in which they begin: no other request can see the seat that they take. */
import type { Flow, FlowRequest } from './types.ts';
import type { Levels } from './levels.ts';

export type BriefRequest = Pick<FlowRequest, 'user' | 'info' | 'mutating'>;

/** Whether such a request may run now without waiting; if so, it is counted as one that has run. */
export function passes(request: BriefRequest, flow: Flow, levels: Levels | undefined): boolean {
  return levels ? passesLevel(request, levels) : passesLimits(request, flow);
}

function passesLevel(request: BriefRequest, levels: Levels): boolean {
  const { schema, level } = levels.classify(request);
  const { queues, metrics, object } = level;
  if (!queues) return true;
  // Where a seat is free nobody waits.
  if (queues.executing >= queues.concurrencyLimit) return false;
  const name = schema.metadata.name ?? '';
  if (object.spec.limited?.limitResponse.queuing) {
    metrics.waiting(name, 1);
    metrics.enqueued(name, 1);
    metrics.waiting(name, -1);
  }
  metrics.executing(name, 1);
  metrics.executing(name, -1);
  const { dispatched, waited, ran } = metrics.of(name);
  dispatched.add();
  waited.observe(0);
  ran.observe(0);
  return true;
}

/** The simple limits never let a request wait. */
function passesLimits(request: BriefRequest, flow: Flow): boolean {
  const entered = flow.enter({ ...request, onAbandoned: ignore, onWaiting: ignore });
  if (entered instanceof Promise || !entered.admitted) return false;
  entered.release();
  return true;
}

const ignore = (): void => undefined;
