import { hostTime } from '../std/index.ts';

/** With so many requests in a write, on average of the last ones, there is a load: most have one even then. */
const CROWD = 1.25;
/** Of how many writes the average is, about: under load a few large ones come between many small ones. */
const RECENT = 64;
/** The maximum number of writes that follow each other at once before they are paced. */
const BURST = 20;

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

  /** What the next write waits for, if it has to; the one before had so many requests. */
  next(requests: number): Promise<void> | undefined {
    this.#crowd += (requests - this.#crowd) / RECENT;
    const now = hostTime.now();
    const at = Math.min(Math.max(this.#free, now - BURST * this.#gap), now + this.#gap);
    this.#free = at + this.#gap;
    if (at <= now || this.#crowd < CROWD) return undefined;
    return new Promise((resolve) => void hostTime.schedule(resolve, at - now));
  }
}
