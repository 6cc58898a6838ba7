import type { Clock } from '../std/index.ts';
import type { Revision } from './revision.ts';

interface Waiter {
  readonly revision: Revision;
  readonly done: (reached: boolean) => void;
}

/** Those who wait for a revision that has not happened yet. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves true once `reached` is told of `revision`, false after `timeoutMs` of the clock. */
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
