import type { Random } from '../std/index.ts';

/** Delays that grow with each failure in a row. */
export class Backoff {
  readonly #first: number;
  readonly #max: number;
  readonly #random: Random | undefined;
  #failures = 0;

  /** Milliseconds of the first delay and of the longest; with `random`, each is stretched by up to its double. */
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
