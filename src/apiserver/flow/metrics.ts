/** Flow control metrics, by priority level and flow schema. */
import { counter, gauge, histogram, type Clock, type Metrics, type Series } from '../../std/index.ts';
import type { QueueObserver } from './queueSet.ts';
import { sampleFamilies, Sampler } from './samples.ts';

const LEVEL_AND_SCHEMA = ['priority_level', 'flow_schema'] as const;
/** Upper bounds in seconds. */
const DURATIONS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const LENGTHS = [0, 10, 25, 50, 100, 250, 500, 1000];

export const rejected = counter(
  'apiserver_flowcontrol_rejected_requests_total',
  'Requests that flow control turned away, and why.',
  [...LEVEL_AND_SCHEMA, 'reason'],
);
export const dispatched = counter(
  'apiserver_flowcontrol_dispatched_requests_total',
  'Requests that flow control let begin.',
  LEVEL_AND_SCHEMA,
);
const waitingNow = gauge(
  'apiserver_flowcontrol_current_inqueue_requests',
  'Requests that wait in queues.',
  LEVEL_AND_SCHEMA,
);
export const queueLength = histogram(
  'apiserver_flowcontrol_request_queue_length_after_enqueue',
  'How long the queue was that a request came to, itself included.',
  LENGTHS,
  LEVEL_AND_SCHEMA,
);
export const concurrencyLimit = gauge(
  'apiserver_flowcontrol_request_concurrency_limit',
  'How many requests of a level may run at once.',
  ['priority_level'],
);
const executingNow = gauge('apiserver_flowcontrol_current_executing_requests', 'Requests that run.', LEVEL_AND_SCHEMA);
const waitDuration = histogram(
  'apiserver_flowcontrol_request_wait_duration_seconds',
  'How long requests waited in their queues, and whether they were let begin.',
  DURATIONS,
  [...LEVEL_AND_SCHEMA, 'execute'],
);
const executionDuration = histogram(
  'apiserver_flowcontrol_request_execution_seconds',
  'How long requests ran that flow control let begin.',
  DURATIONS,
  LEVEL_AND_SCHEMA,
);

export const flowFamilies = [
  rejected,
  dispatched,
  waitingNow,
  queueLength,
  concurrencyLimit,
  executingNow,
  waitDuration,
  executionDuration,
  ...sampleFamilies,
];

/** The cached series of one schema at one level. */
export interface FlowSeries {
  readonly waiting: Series;
  readonly executing: Series;
  readonly length: Series;
  readonly dispatched: Series;
  readonly waited: Series;
  readonly ran: Series;
  rejected(reason: string, waitedSeconds: number): void;
}

/** The metrics of one priority level. */
export class LevelMetrics implements QueueObserver {
  readonly #metrics: Metrics;
  readonly #level: string;
  readonly #schemas = new Map<string, FlowSeries>();
  readonly #running: Sampler;
  readonly #queued: Sampler;
  readonly #end: () => void;

  constructor(metrics: Metrics, clock: Clock, level: string) {
    this.#metrics = metrics;
    this.#level = level;
    this.#running = new Sampler(metrics, clock, level, 'executing');
    this.#queued = new Sampler(metrics, clock, level, 'waiting');
    this.#end = metrics.onCollect(() => {
      this.#running.sample();
      this.#queued.sample();
    });
  }

  /** Sets the limits: concurrent requests, and the length of a queue. */
  limit(requests: number, queueLength: number): void {
    this.#metrics.set(concurrencyLimit, { priority_level: this.#level }, requests);
    this.#running.hold(requests);
    this.#queued.hold(queueLength);
  }

  /** The level was removed. */
  end(): void {
    this.limit(0, 0);
    this.#end();
  }

  waiting(flowSchema: string, by: 1 | -1): void {
    this.of(flowSchema).waiting.add(by);
    this.#queued.add(by);
  }

  executing(flowSchema: string, by: 1 | -1): void {
    this.of(flowSchema).executing.add(by);
    this.#running.add(by);
  }

  enqueued(flowSchema: string, length: number): void {
    this.of(flowSchema).length.observe(length);
  }

  of(flowSchema: string): FlowSeries {
    const known = this.#schemas.get(flowSchema);
    if (known) return known;
    const made = this.#make({ priority_level: this.#level, flow_schema: flowSchema });
    this.#schemas.set(flowSchema, made);
    return made;
  }

  #make(labels: Readonly<Record<(typeof LEVEL_AND_SCHEMA)[number], string>>): FlowSeries {
    const metrics = this.#metrics;
    return {
      waiting: metrics.at(waitingNow, labels),
      executing: metrics.at(executingNow, labels),
      length: metrics.at(queueLength, labels),
      dispatched: metrics.at(dispatched, labels),
      waited: metrics.at(waitDuration, { ...labels, execute: 'true' }),
      ran: metrics.at(executionDuration, labels),
      rejected: (reason, seconds) => {
        if (reason !== 'cancelled') metrics.add(rejected, { ...labels, reason });
        metrics.observe(waitDuration, { ...labels, execute: 'false' }, seconds);
      },
    };
  }
}
