import { hostTime } from '../std/index.ts';

/** From this average number of requests in a write on, there is a load. Even under load most writes have one request. */
const CROWD = 1.25;
/** The average is over about this many writes, because under load a few large ones come between many small ones. */
const RECENT = 64;
/** The maximum number of writes that follow each other at once before they are paced. */
const BURST = 20;

/** If no request arrives for so many milliseconds, no more are expected before the next write. */
const QUIET = 2;

/** Has writes begin a while apart under load, so that they are fewer and larger ones. A client that writes alone does not wait. */
export class Pace {
  readonly #gap: number;
  /** When the next write may begin. */
  #free = 0;
  #crowd = 1;

  /** `gap` is in milliseconds. */
  constructor(gap: number) {
    this.#gap = gap;
  }

  /**
   * The pause before the next write, which ends early if no more requests arrive; undefined if there is none. `requests` is the number
   * of requests in the last write, `waiting` the number that wait for the next one.
   */
  next(requests: number, waiting: () => number): Promise<void> | undefined {
    this.#crowd += (requests - this.#crowd) / RECENT;
    const now = hostTime.now();
    const at = Math.min(Math.max(this.#free, now - BURST * this.#gap), now + this.#gap);
    this.#free = at + this.#gap;
    if (at <= now || this.#crowd < CROWD) return undefined;
    return whileRequestsArrive(at - now, waiting);
  }
}

/** Waits so many milliseconds, or until no request has arrived for `QUIET`. */
async function whileRequestsArrive(ms: number, waiting: () => number): Promise<void> {
  const until = hostTime.now() + ms;
  let before = -1;
  // The number of steps is bounded, in case the clock is set back.
  for (let rest = ms; rest > 0 && hostTime.now() < until && waiting() !== before; rest -= QUIET) {
    before = waiting();
    const pause = Math.min(rest, QUIET);
    await new Promise<void>((resolve) => void hostTime.schedule(resolve, pause));
  }
}
