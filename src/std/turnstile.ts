import { inBackground, throwToHost } from './background.ts';
import { yieldToTasks } from './tasks.ts';

/**
 * Starts one piece of work in each turn of the host's event loop, in order of arrival. In between the host runs other
 * tasks, so that a thousand simultaneous requests delay nobody else. It does not wait for work that has started.
 */
export class Turnstile {
  readonly #turn: () => Promise<void>;
  #waiting: (() => void)[] = [];
  readonly #background: (() => void)[] = [];
  #isTurning = false;

  /** `turn` resolves when the host has run the other pending tasks. */
  constructor(turn: () => Promise<void> = yieldToTasks) {
    this.#turn = turn;
  }

  /**
   * Resolves when the caller may start; undefined if it may start immediately. Of work `later`, one piece starts after
   * all other work that is waiting.
   */
  pass(later = false): Promise<void> | undefined {
    if (!this.#isTurning) {
      this.#isTurning = true;
      inBackground(this.#keepTurning(), throwToHost);
      return undefined;
    }
    return new Promise((resolve) => (later ? this.#background : this.#waiting).push(resolve));
  }

  async #keepTurning(): Promise<void> {
    await this.#turn();
    // It takes batches, because removing items one by one from the front of a long array would move the rest each time.
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      for (const start of batch) {
        start();
        await this.#turn();
      }
    }
    this.#isTurning = false;
  }

  #take(): (() => void)[] {
    const batch = this.#waiting;
    this.#waiting = [];
    const later = this.#background.shift();
    if (later) batch.push(later);
    return batch;
  }
}
