import { type Clock, inBackground, otherTasks, throwToHost, type Timer } from '../std/index.ts';
import { QueueMetrics, type QueueCounting } from './metrics.ts';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Whose queue it is, for people. */
  readonly name?: string;
  /** How many keys are worked on at once. */
  readonly workers?: number;
  readonly process: (key: string) => Promise<void>;
  /** Milliseconds until the first retry of a key, and until the last ones. */
  readonly firstDelay?: number;
  readonly longestDelay?: number;
  /** Where the queue counts; it doesn't where nothing is said. */
  readonly counting?: QueueCounting | undefined;
}

/** What a queue holds, for those who look on. */
export interface QueueView {
  /** How many keys wait, and those in front. */
  readonly waiting: number;
  readonly next: readonly string[];
  readonly running: readonly string[];
  /** Keys that come in at a moment in time (milliseconds since the epoch), the soonest first. */
  readonly delayed: readonly { readonly key: string; readonly due: number }[];
  /** Keys that failed the last time, and how often in a row. */
  readonly failing: readonly { readonly key: string; readonly failures: number }[];
  readonly paused: boolean;
}

/** So many keys of each sort are named. */
const SHOWN = 20;

/** After so many keys in a row others get their turn. */
const ROW = 200;

/**
 * Keys to be worked on. A key that is waiting is not queued twice; one that is being worked on and comes in again is
 * worked on once more afterwards, never twice at a time.
 */
export class WorkQueue {
  readonly #options: Required<Omit<WorkQueueOptions, 'counting'>>;
  readonly #metrics: QueueMetrics | undefined;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  #walk: SetIterator<string> = this.#waiting.values();
  /** How many keys were worked on since the queue was empty. */
  #row = 0;
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { readonly due: number; readonly timer: Timer }>();
  readonly #failures = new Map<string, number>();
  #stopped = false;
  #scheduled = false;
  #paused = false;
  /** How many keys may be worked on although the queue is paused. */
  #steps = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = { name: 'a queue', workers: 1, firstDelay: 5, longestDelay: 1_000_000, ...options };
    this.#metrics = options.counting && new QueueMetrics(options.counting, options.clock);
  }

  /** Keys that wait or are being worked on; delayed ones are not counted. */
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

  /** Adds the key when `ms` have passed, `guards` says for which sign of life that waits; of several delays of one key the shortest counts. */
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

  /** How often the key was added by `addRateLimited` since it was last forgotten. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** What waits, runs, is delayed and fails. */
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

  /** While paused, keys come in and nothing works on them. */
  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#steps = 0;
    this.#schedule();
  }

  /** Works on one key though the queue is paused: the one that waits longest, or else the delayed one that is due first. */
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

  /** Work begins in a turn of its own, so that many adds of one turn become one run. */
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

  /** The key that waits longest. One walk goes on from call to call: each from the beginning would pass all that is gone. */
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
          otherTasks().then(() => this.#dispatch()),
          throwToHost,
        );
      else this.#dispatch();
    }
  }
}
