/** The numbers of running and waiting requests: the maximum of the last second and the current value. */
import { gauge, type Clock, type Metrics } from '../../std/index.ts';

export type RequestKind = 'readOnly' | 'mutating';
export type Phase = 'executing' | 'waiting';

const inFlightRequests = gauge(
  'apiserver_current_inflight_requests',
  'The most requests that ran at once within the last second.',
  ['request_kind'],
);
const inQueueRequests = gauge(
  'apiserver_current_inqueue_requests',
  'The most requests that waited in queues at once within the last second.',
  ['request_kind'],
);

export const inFlightFamilies = [inFlightRequests, inQueueRequests];

const WINDOW = 1000;

/** The maximum of a number within the last second. */
class Watermark {
  readonly #clock: Clock;
  #now = 0;
  #highest = 0;
  #since = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(by: number): void {
    this.#roll();
    this.#now += by;
    if (this.#now > this.#highest) this.#highest = this.#now;
  }

  read(): number {
    this.#roll();
    return this.#highest;
  }

  #roll(): void {
    const now = this.#clock.now();
    if (now - this.#since < WINDOW) return;
    this.#since = now;
    this.#highest = this.#now;
  }
}

export class InFlight {
  readonly #marks: Readonly<Record<Phase, Readonly<Record<RequestKind, Watermark>>>>;

  constructor(clock: Clock) {
    const both = (): Record<RequestKind, Watermark> => ({
      readOnly: new Watermark(clock),
      mutating: new Watermark(clock),
    });
    this.#marks = { executing: both(), waiting: both() };
  }

  add(phase: Phase, kind: RequestKind, by: 1 | -1): void {
    this.#marks[phase][kind].add(by);
  }

  gauge(metrics: Metrics): void {
    for (const kind of ['readOnly', 'mutating'] as const) {
      metrics.set(inFlightRequests, { request_kind: kind }, this.#marks.executing[kind].read());
      metrics.set(inQueueRequests, { request_kind: kind }, this.#marks.waiting[kind].read());
    }
  }
}
