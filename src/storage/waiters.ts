import type { Clock } from '../std/index.ts';
import type { Revision } from './revision.ts';

interface Waiter {
  readonly revision: Revision;
  readonly done: (reached: boolean) => void;
}

/** Waits for future revisions. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves to true once `reached` is called with `revision`, or to false after `timeoutMs` of the clock. */
  wait(revision: Revision, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        revision,
        done: (reached) => {
          this.#clock.clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve(reached);
        },
      };
      const timer = this.#clock.setTimeout(() => waiter.done(false), timeoutMs);
      this.#waiting.add(waiter);
    });
  }

  reached(revision: Revision): void {
    for (const waiter of [...this.#waiting]) if (waiter.revision <= revision) waiter.done(true);
  }

  close(): void {
    for (const waiter of [...this.#waiting]) waiter.done(false);
  }
}
