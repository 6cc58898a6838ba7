/** Work queue metrics, labelled with the name of the queue. */
import { counter, exponentialBuckets, gauge, histogram, type Clock, type Metrics, type Series } from '../std/index.ts';

/** Upper bounds in seconds: from ten nanoseconds to ten seconds. */
const DURATIONS = exponentialBuckets(1e-8, 10, 10);
const NAME = ['name'] as const;

const queueDepth = gauge('workqueue_depth', 'Keys that wait.', NAME);
const queueAdds = counter('workqueue_adds_total', 'Keys that came in.', NAME);
const queueWait = histogram('workqueue_queue_duration_seconds', 'How long keys waited.', DURATIONS, NAME);
const queueWork = histogram('workqueue_work_duration_seconds', 'How long it took to work on a key.', DURATIONS, NAME);
const queueUnfinished = gauge(
  'workqueue_unfinished_work_seconds',
  'How long all keys that are being worked on have taken so far, together.',
  NAME,
);
const queueLongest = gauge(
  'workqueue_longest_running_processor_seconds',
  'How long the key has taken so far that has taken longest.',
  NAME,
);
const queueRetries = counter('workqueue_retries_total', 'Keys that were put back to be tried again.', NAME);

/** The registry and the name under which a queue is counted. */
export interface QueueCounting {
  readonly metrics: Metrics;
  readonly name: string;
}

/** The metrics of one queue; queues with the same name share them. */
export class QueueMetrics {
  readonly #clock: Clock;
  readonly #depth: Series;
  readonly #adds: Series;
  readonly #wait: Series;
  readonly #work: Series;
  readonly #retries: Series;
  readonly #waiting = new Map<string, number>();
  readonly #running = new Map<string, number>();
  readonly #end: () => void;

  constructor({ metrics, name }: QueueCounting, clock: Clock) {
    this.#clock = clock;
    const labels = { name };
    this.#depth = metrics.at(queueDepth, labels);
    this.#adds = metrics.at(queueAdds, labels);
    this.#wait = metrics.at(queueWait, labels);
    this.#work = metrics.at(queueWork, labels);
    this.#retries = metrics.at(queueRetries, labels);
    const unfinished = metrics.at(queueUnfinished, labels);
    const longest = metrics.at(queueLongest, labels);
    this.#end = metrics.onCollect(() => {
      const taken = [...this.#running.values()].map((since) => (clock.now() - since) / 1000);
      unfinished.set(taken.reduce((sum, seconds) => sum + seconds, 0));
      longest.set(Math.max(0, ...taken));
    });
  }

  /** Records that a key was queued. */
  added(key: string): void {
    this.#adds.add();
    if (this.#waiting.has(key)) return;
    this.#waiting.set(key, this.#clock.now());
    this.#depth.add();
  }

  began(key: string): void {
    const now = this.#clock.now();
    this.#leave(key, now);
    this.#running.set(key, now);
  }

  ended(key: string): void {
    const since = this.#running.get(key);
    this.#running.delete(key);
    if (since !== undefined) this.#work.observe((this.#clock.now() - since) / 1000);
  }

  retried(): void {
    this.#retries.add();
  }

  stopped(): void {
    this.#depth.add(-this.#waiting.size);
    this.#waiting.clear();
    this.#end();
  }

  #leave(key: string, now: number): void {
    const since = this.#waiting.get(key);
    if (since === undefined) return;
    this.#waiting.delete(key);
    this.#depth.add(-1);
    this.#wait.observe((now - since) / 1000);
  }
}
