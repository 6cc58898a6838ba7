import type { Random } from '../std/index.ts';

/** Delays that grow with each consecutive failure. */
export class Backoff {
  readonly #first: number;
  readonly #max: number;
  readonly #random: Random | undefined;
  #failures = 0;

  /**
   * The first and the longest delay in milliseconds. With `random` each delay is extended by a random part of itself.
   */
  constructor(first: number, max: number, random?: Random) {
    this.#first = first;
    this.#max = max;
    this.#random = random;
  }

  next(): number {
    const delay = Math.min(this.#first * 2 ** this.#failures, this.#max);
    this.#failures += 1;
    return delay * (1 + (this.#random?.next() ?? 0));
  }

  reset(): void {
    this.#failures = 0;
  }
}
