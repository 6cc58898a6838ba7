import { type Clock, inBackground, yieldToTasks, throwToHost, type Timer } from '../std/index.ts';
import { QueueMetrics, type QueueCounting } from './metrics.ts';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** The owner of the queue, for people. */
  readonly name?: string;
  /** The number of keys that are processed concurrently. */
  readonly workers?: number;
  readonly process: (key: string) => Promise<void>;
  /** The shortest and the longest delay before a key is retried, in milliseconds. */
  readonly firstDelay?: number;
  readonly longestDelay?: number;
  /** Where the queue is counted; without it, it is not counted. */
  readonly counting?: QueueCounting | undefined;
}

/** The state of a queue, for inspection. */
export interface QueueView {
  /** The number of waiting keys, and the first of them. */
  readonly waiting: number;
  readonly next: readonly string[];
  readonly running: readonly string[];
  /** Keys that will be added at a time (milliseconds since the epoch), soonest first. */
  readonly delayed: readonly { readonly key: string; readonly due: number }[];
  /** Keys whose last attempt failed, with the number of consecutive failures. */
  readonly failing: readonly { readonly key: string; readonly failures: number }[];
  readonly paused: boolean;
}

/** The maximum number of keys listed in each category. */
const SHOWN = 20;

/** After this many keys in a row the queue yields to other tasks. */
const ROW = 200;

/**
 * A work queue of keys. A waiting key is not queued twice. A key that is added while it is processed is processed once
 * more afterwards, never concurrently.
 */
export class WorkQueue {
  readonly #options: Required<Omit<WorkQueueOptions, 'counting'>>;
  readonly #metrics: QueueMetrics | undefined;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  #walk: SetIterator<string> = this.#waiting.values();
  /** The number of keys processed since the queue was last empty. */
  #row = 0;
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { readonly due: number; readonly timer: Timer }>();
  readonly #failures = new Map<string, number>();
  #stopped = false;
  #scheduled = false;
  #paused = false;
  /** The number of keys that may be processed while the queue is paused. */
  #steps = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = { name: 'a queue', workers: 1, firstDelay: 5, longestDelay: 1_000_000, ...options };
    this.#metrics = options.counting && new QueueMetrics(options.counting, options.clock);
  }

  /** The number of waiting and processing keys, without delayed ones. */
  get length(): number {
    return this.#waiting.size + this.#running.size;
  }

  add(key: string): void {
    if (this.#stopped) return;
    if (this.#running.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#metrics?.added(key);
    this.#schedule();
  }

  /**
   * Adds the key after `ms`; `guards` names the heartbeat that it waits for. The shortest of several delays of one key
   * applies.
   */
  addAfter(key: string, ms: number, guards?: string): void {
    if (this.#stopped) return;
    if (ms <= 0) return this.add(key);
    const { clock } = this.#options;
    const due = clock.now() + ms;
    const known = this.#delayed.get(key);
    if (known && known.due <= due) return;
    clock.clearTimeout(known?.timer);
    const timer = clock.setTimeout(
      () => {
        this.#delayed.delete(key);
        this.add(key);
      },
      ms,
      { what: `${this.#options.name} ${key}`, ...(guards !== undefined && { guards }) },
    );
    this.#delayed.set(key, { due, timer });
  }

  /** Adds the key after a delay that doubles with each call until `forget`. */
  addRateLimited(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#metrics?.retried();
    this.#failures.set(key, failures + 1);
    this.addAfter(key, Math.min(this.#options.firstDelay * 2 ** failures, this.#options.longestDelay));
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The number of `addRateLimited` calls for the key since it was last forgotten. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The waiting, running, delayed and failing keys. */
  view(): QueueView {
    const delayed = Array.from(this.#delayed, ([key, { due }]) => ({ key, due })).sort((a, b) => a.due - b.due);
    const failing = Array.from(this.#failures, ([key, failures]) => ({ key, failures }));
    return {
      waiting: this.#waiting.size,
      next: [...this.#waiting].slice(0, SHOWN),
      running: [...this.#running],
      delayed: delayed.slice(0, SHOWN),
      failing: failing.slice(0, SHOWN),
      paused: this.#paused,
    };
  }

  /** While paused, keys are queued but not processed. */
  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#steps = 0;
    this.#schedule();
  }

  /** Processes one key while the queue is paused: the first in the queue, or else the delayed one that is due first. */
  step(): void {
    if (this.#waiting.size === 0) {
      const [soonest] = this.view().delayed;
      if (!soonest) return;
      this.#options.clock.clearTimeout(this.#delayed.get(soonest.key)?.timer);
      this.#delayed.delete(soonest.key);
      this.#waiting.add(soonest.key);
    }
    this.#steps += 1;
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    for (const { timer } of this.#delayed.values()) this.#options.clock.clearTimeout(timer);
    this.#delayed.clear();
    this.#waiting.clear();
    this.#again.clear();
    this.#metrics?.stopped();
  }

  /** Processing starts in a later turn, so that several adds in one turn cause one run. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#running.size < this.#options.workers && (!this.#paused || this.#steps > 0)) {
      const key = this.#take();
      if (key === undefined) return;
      if (this.#paused) this.#steps -= 1;
      this.#running.add(key);
      this.#metrics?.began(key);
      inBackground(this.#work(key), throwToHost);
    }
  }

  /**
   * Removes the first key. One iterator is kept between calls, because a new one would skip all removed keys each time.
   */
  #take(): string | undefined {
    let next = this.#walk.next();
    if (next.done) next = (this.#walk = this.#waiting.values()).next();
    if (next.done) this.#row = 0;
    else this.#waiting.delete(next.value);
    return next.value;
  }

  async #work(key: string): Promise<void> {
    try {
      await this.#options.process(key);
    } finally {
      this.#running.delete(key);
      this.#metrics?.ended(key);
      if (this.#again.delete(key)) this.#waiting.add(key);
      if (++this.#row % ROW === 0)
        inBackground(
          yieldToTasks().then(() => this.#dispatch()),
          throwToHost,
        );
      else this.#dispatch();
    }
  }
}
