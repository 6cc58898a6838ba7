/**
 * Fair queuing for one priority level (fair queuing of packets, applied to requests and seats). Each queue has the
 * virtual time at which its next request would start if all queues shared the seats evenly; the request that would
 * finish first is served first. The duration of a request is estimated when it starts and corrected when it ends.
 */
import type { Clock } from '../../std/index.ts';
import { deal, hash64 } from './hand.ts';
import type { FlowRequest } from './types.ts';

/** How a level handles requests above its limit; without queues they are refused. */
export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

export interface QueueSetOptions {
  readonly clock: Clock;
  /** Milliseconds after which a waiting request may be refused. */
  readonly waitLimit: number;
  /** Called for each change of a schema's counts, for metrics. */
  readonly observer: QueueObserver;
}

export interface QueueObserver {
  waiting(flowSchema: string, by: 1 | -1): void;
  executing(flowSchema: string, by: 1 | -1): void;
  enqueued(flowSchema: string, queueLength: number): void;
}

/** A request to queue: its schema and its flow distinguisher. */
export interface Work {
  readonly flowSchema: string;
  readonly distinguisher: string;
  /** For inspection. */
  readonly details: FlowRequest;
}

export type Refusal = 'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled';

/** The right to run a request. The holder releases it when the request has ended. */
export interface Seat {
  readonly admitted: true;
  /** The queue that it came from; undefined if the level has none. */
  readonly queue: number | undefined;
  /** Milliseconds. */
  readonly waited: number;
  release(): void;
}

export type Verdict = Seat | { readonly admitted: false; readonly reason: Refusal; readonly waited: number };

/** A waiting request, which can be cancelled. */
export interface Waiting {
  readonly verdict: Promise<Verdict>;
  cancel(): void;
}

interface Queued extends Work {
  readonly arrived: number;
  readonly decide: (verdict: Verdict) => void;
}

interface Queue {
  index: number;
  /** Oldest first. */
  requests: Queued[];
  executing: number;
  /** Virtual seconds. */
  virtualStart: number;
}

/**
 * The estimated duration of a request in seconds. It is long, so that a flow gains nothing from many short requests.
 */
const GUESS = 60;

export class QueueSet {
  readonly #options: QueueSetOptions;
  readonly #hands = new Map<string, readonly number[]>();
  #queuing: Queuing | undefined;
  #concurrencyLimit = 0;
  #queues: Queue[] = [];
  #virtualTime = 0;
  #lastReal: number;
  #robin = 0;
  #waiting = 0;
  #executing = 0;

  constructor(options: QueueSetOptions) {
    this.#options = options;
    this.#lastReal = options.clock.now();
  }

  get idle(): boolean {
    return this.#waiting === 0 && this.#executing === 0;
  }

  /** Whether there are queues for flows. */
  get hasQueues(): boolean {
    return (this.#queuing?.queues ?? 0) > 1;
  }

  get concurrencyLimit(): number {
    return this.#concurrencyLimit;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  /** The waiting requests by queue, for inspection. */
  get queues(): readonly Readonly<Queue>[] {
    return this.#queues;
  }

  /** Removed queues serve their requests first; new queues are available at once. */
  configure(queuing: Queuing | undefined, concurrencyLimit: number): void {
    this.#syncTime();
    if (queuing?.queues !== this.#queuing?.queues || queuing?.handSize !== this.#queuing?.handSize) this.#hands.clear();
    this.#queuing = queuing;
    this.#concurrencyLimit = concurrencyLimit;
    for (let index = this.#queues.length; index < (queuing?.queues ?? 0); index++)
      this.#queues.push({ index, requests: [], executing: 0, virtualStart: 0 });
    this.#dispatch();
  }

  /** Returns a verdict if it is immediate; otherwise the request waits. */
  start(work: Work): Verdict | Waiting {
    this.#syncTime();
    if (!this.#queuing) return this.#startUnqueued(work);
    const queue = this.#shortest(work, this.#queuing);
    this.#refuseOld(queue);
    if (this.#executing >= this.#concurrencyLimit && queue.requests.length >= this.#queuing.queueLengthLimit)
      return { admitted: false, reason: 'queue-full', waited: 0 };
    return this.#enqueue(work, queue);
  }

  /** Refuses all waiting requests, when the server stops. */
  clear(): void {
    for (const queue of this.#queues)
      for (const request of [...queue.requests]) this.#refuse(queue, request, 'cancelled');
  }

  #startUnqueued(work: Work): Verdict {
    if (this.#executing >= this.#concurrencyLimit) return { admitted: false, reason: 'concurrency-limit', waited: 0 };
    this.#executing += 1;
    this.#options.observer.executing(work.flowSchema, 1);
    return this.#seat(work.flowSchema, undefined, 0);
  }

  /** The shortest of the flow's queues; among equals the one dealt first. */
  #shortest({ flowSchema, distinguisher }: Work, { queues, handSize }: Queuing): Queue {
    const flow = `${flowSchema}\u0000${distinguisher}`;
    let hand = this.#hands.get(flow);
    if (!hand) {
      hand = deal(hash64(flow), queues, handSize);
      if (this.#hands.size >= 10_000) this.#hands.clear();
      this.#hands.set(flow, hand);
    }
    let best = this.#queues[hand[0] as number] as Queue;
    for (const index of hand) {
      const queue = this.#queues[index] as Queue;
      if (queue.requests.length < best.requests.length) best = queue;
    }
    return best;
  }

  /** Overdue requests are only refused when another request enters their queue, as in the reference. */
  #refuseOld(queue: Queue): void {
    const since = this.#options.clock.now() - this.#options.waitLimit;
    for (let oldest = queue.requests[0]; oldest && oldest.arrived < since; oldest = queue.requests[0])
      this.#refuse(queue, oldest, 'time-out');
  }

  #refuse(queue: Queue, request: Queued, reason: Refusal): void {
    const at = queue.requests.indexOf(request);
    if (at < 0) return;
    queue.requests.splice(at, 1);
    this.#waiting -= 1;
    this.#options.observer.waiting(request.flowSchema, -1);
    request.decide({ admitted: false, reason, waited: this.#options.clock.now() - request.arrived });
  }

  #enqueue(work: Work, queue: Queue): Verdict | Waiting {
    let verdict: Verdict | undefined;
    let settle: ((verdict: Verdict) => void) | undefined;
    const decide = (decided: Verdict): void => {
      verdict = decided;
      settle?.(decided);
    };
    const { flowSchema, distinguisher, details } = work;
    const request: Queued = { flowSchema, distinguisher, details, arrived: this.#options.clock.now(), decide };
    if (queue.requests.length === 0 && queue.executing === 0) queue.virtualStart = this.#virtualTime;
    queue.requests.push(request);
    this.#waiting += 1;
    this.#options.observer.waiting(work.flowSchema, 1);
    this.#options.observer.enqueued(work.flowSchema, queue.requests.length);
    // If nobody else waits there is nothing to choose.
    if (this.#waiting === 1 && this.#executing < this.#concurrencyLimit) this.#begin(this.#choose(queue));
    else this.#dispatch();
    return (
      verdict ?? {
        verdict: new Promise((resolve) => (settle = resolve)),
        cancel: () => this.#refuse(queue, request, 'cancelled'),
      }
    );
  }

  #dispatch(): void {
    while (this.#waiting > 0 && this.#executing < this.#concurrencyLimit) this.#begin(this.#next());
  }

  /** Starts the oldest request of a queue. */
  #begin(queue: Queue | undefined): void {
    const request = queue?.requests.shift();
    if (!queue || !request) return;
    const { flowSchema, arrived } = request;
    this.#waiting -= 1;
    this.#executing += 1;
    queue.executing += 1;
    queue.virtualStart += GUESS;
    this.#options.observer.waiting(flowSchema, -1);
    this.#options.observer.executing(flowSchema, 1);
    request.decide(this.#seat(flowSchema, queue, this.#options.clock.now() - arrived));
  }

  /** The queue whose oldest request would finish first; among equals the one after the last served. */
  #next(): Queue | undefined {
    const count = this.#queues.length;
    let next: Queue | undefined;
    for (let step = 1, at = this.#robin + 1; step <= count; step++, at++) {
      if (at >= count) at -= count;
      const queue = this.#queues[at] as Queue;
      if (queue.requests.length > 0 && (!next || queue.virtualStart < next.virtualStart)) next = queue;
    }
    return next && this.#choose(next);
  }

  /** A queue's virtual time must not lag behind the common one, or an idle queue would build up credit. */
  #choose(queue: Queue): Queue {
    this.#robin = queue.index;
    queue.virtualStart = Math.max(queue.virtualStart, this.#virtualTime + queue.executing * GUESS);
    return queue;
  }

  #seat(flowSchema: string, queue: Queue | undefined, waited: number): Seat {
    const began = this.#options.clock.now();
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      this.#release(flowSchema, queue, began);
    };
    return { admitted: true, queue: queue?.index, waited, release };
  }

  #release(flowSchema: string, queue: Queue | undefined, began: number): void {
    this.#syncTime();
    this.#executing -= 1;
    this.#options.observer.executing(flowSchema, -1);
    if (queue) {
      queue.virtualStart -= GUESS - (this.#options.clock.now() - began) / 1000;
      queue.executing -= 1;
      this.#dropIfUnwanted(queue);
    }
    this.#dispatch();
  }

  #dropIfUnwanted(queue: Queue): void {
    const unwanted = this.#queues.length > (this.#queuing?.queues ?? 0);
    if (!unwanted || queue.requests.length > 0 || queue.executing > 0) return;
    this.#queues.splice(queue.index, 1);
    this.#queues.forEach((other, index) => (other.index = index));
    if (this.#robin >= queue.index) this.#robin -= 1;
  }

  /** Virtual time runs at the rate at which each busy queue is served. */
  #syncTime(): void {
    const now = this.#options.clock.now();
    const seconds = (now - this.#lastReal) / 1000;
    this.#lastReal = now;
    if (seconds > 0 && !this.idle) this.#virtualTime += seconds * this.#rate();
  }

  #rate(): number {
    let busy = 0;
    let executing = 0;
    for (const queue of this.#queues) {
      executing += queue.executing;
      if (queue.requests.length > 0 || queue.executing > 0) busy += 1;
    }
    return busy === 0 ? 0 : Math.min(executing, this.#concurrencyLimit) / busy;
  }
}
