import { inBackground, throwToHost } from './background.ts';
import { yieldToTasks } from './tasks.ts';

/** Background work that has seen so many others start waits no longer for a moment in which nobody else waits. */
const PATIENCE = 128;

interface Later {
  readonly start: () => void;
  /** How much other work had started when it came. */
  readonly since: number;
}

/**
 * Starts one piece of work in each turn of the host's event loop, in order of arrival. In between the host runs other
 * tasks, so that a thousand simultaneous requests delay nobody else. It does not wait for work that has started.
 */
export class Turnstile {
  readonly #turn: () => Promise<void>;
  #waiting: (() => void)[] = [];
  readonly #background: Later[] = [];
  /** How much work has started, not counting that in the background. */
  #started = 0;
  #isTurning = false;
  /** What was taken from `#waiting` and has not started. */
  #taken = 0;

  /** `turn` resolves when the host has run the other pending tasks. */
  constructor(turn: () => Promise<void> = yieldToTasks) {
    this.#turn = turn;
  }

  /**
   * Resolves when the caller may start; undefined if it may start immediately. Work `later` starts when no other work
   * is waiting, or when it has been overtaken often enough.
   */
  pass(later = false): Promise<void> | undefined {
    if (!this.#isTurning) {
      this.#isTurning = true;
      inBackground(this.#keepTurning(), throwToHost);
      return undefined;
    }
    return new Promise((start) => {
      if (later) this.#background.push({ start, since: this.#started });
      else this.#waiting.push(start);
    });
  }

  /** How much work waits for its turn, not counting that in the background. */
  get waiting(): number {
    return this.#waiting.length + this.#taken;
  }

  async #keepTurning(): Promise<void> {
    await this.#turn();
    // It takes batches, because removing items one by one from the front of a long array would move the rest each time.
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      for (const start of batch) {
        this.#taken = Math.max(0, this.#taken - 1);
        start();
        await this.#turn();
      }
    }
    this.#isTurning = false;
  }

  #take(): (() => void)[] {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#taken = batch.length;
    this.#started += batch.length;
    const [later] = this.#background;
    if (later && (batch.length === 0 || this.#started - later.since > PATIENCE)) {
      this.#background.shift();
      batch.push(later.start);
    }
    return batch;
  }
}
