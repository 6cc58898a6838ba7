import { inBackground, throwToHost } from './background.ts';
import { otherTasks } from './tasks.ts';

/**
 * Starts one piece of work in each turn of the host's event loop, in the order in which they come. Between two of them the
 * host runs whatever else waits, so that a thousand requests made at once hold up nobody else. Work that has started is not
 * waited for: it may take as long as it likes.
 */
export class Turnstile {
  readonly #turn: () => Promise<void>;
  #waiting: (() => void)[] = [];
  #isTurning = false;

  /** `turn` resolves when the host has run what else was waiting. */
  constructor(turn: () => Promise<void> = otherTasks) {
    this.#turn = turn;
  }

  /** Resolves when the caller may start; undefined when that is at once. */
  pass(): Promise<void> | undefined {
    if (!this.#isTurning) {
      this.#isTurning = true;
      inBackground(this.#keepTurning(), throwToHost);
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #keepTurning(): Promise<void> {
    await this.#turn();
    // Taken from the front one by one, a long array would be moved each time.
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
    return batch;
  }
}
