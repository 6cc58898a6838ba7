import { inBackground, throwToHost } from './background.ts';
import { yieldToTasks } from './tasks.ts';

/** Background work lets so many others start first, and all that waited when it came; it waits no longer than that. */
const PATIENCE = 128;

interface Later {
  readonly start: () => void;
  /** How much other work has started by then. */
  readonly after: number;
}

/**
 * Starts one piece of work in each turn of the host's event loop. Flows alternate, so that much work of one delays that of the others
 * by one turn each; within a flow work starts in order of arrival. In between the host runs other tasks, so that a thousand
 * simultaneous requests delay nobody else. It does not wait for work that has started.
 */
export class Turnstile {
  readonly #turn: () => Promise<void>;
  /** The work that waits, by flow, in the order of their turns. */
  readonly #flows = new Map<string | undefined, (() => void)[]>();
  readonly #background: Later[] = [];
  /** How much work has started, not counting that in the background. */
  #started = 0;
  #waiting = 0;
  #isTurning = false;

  /** `turn` resolves when the host has run the other pending tasks. */
  constructor(turn: () => Promise<void> = yieldToTasks) {
    this.#turn = turn;
  }

  /**
   * Resolves when the caller may start; undefined if it may start immediately. Work `later` starts when no other work
   * waits, or when all that waited when it came, and no less than 128 pieces, have started.
   */
  pass(flow?: string, later = false): Promise<void> | undefined {
    if (!this.#isTurning) {
      this.#isTurning = true;
      inBackground(this.#keepTurning(), throwToHost);
      return undefined;
    }
    return new Promise((start) => {
      if (later) this.#background.push({ start, after: this.#started + Math.max(PATIENCE, this.#waiting) });
      else this.#add(flow, start);
    });
  }

  /** How much work waits for its turn, not counting that in the background. */
  get waiting(): number {
    return this.#waiting;
  }

  #add(flow: string | undefined, start: () => void): void {
    const line = this.#flows.get(flow);
    if (line) line.push(start);
    else this.#flows.set(flow, [start]);
    this.#waiting++;
  }

  async #keepTurning(): Promise<void> {
    await this.#turn();
    for (let start = this.#next(); start; start = this.#next()) {
      start();
      await this.#turn();
    }
    this.#isTurning = false;
  }

  #next(): (() => void) | undefined {
    const [later] = this.#background;
    if (later && (this.#waiting === 0 || this.#started >= later.after)) {
      this.#background.shift();
      return later.start;
    }
    for (const [flow, line] of this.#flows) {
      const start = line.shift();
      this.#flows.delete(flow);
      if (line.length > 0) this.#flows.set(flow, line);
      this.#waiting--;
      this.#started++;
      return start;
    }
    return undefined;
  }
}
