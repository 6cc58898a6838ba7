import { detach } from './disk/giveBack.ts';

/** Characters after which a collection begins: so many at least, and this share of all that came before, because one takes as long as there is kept. */
const LEAST = 40_000_000;
const SHARE = 1 / 16;
/** Bytes of a buffer for which V8 begins to collect garbage from 300 to 1,000 MB of objects on. Nobody writes to it, so it takes up no memory. */
const LARGE = 1 << 30;

/**
 * Begins collections of garbage early under load. V8 lets a heap grow to two to three times of what it keeps before it begins one, and
 * what a load leaves behind is as large as what it makes.
 */
export class EarlyCollection {
  readonly #begin: () => void;
  #before = 0;
  #since = 0;

  constructor(begin = beginCollection) {
    this.#begin = begin;
  }

  /** Counts a text of so many characters that became garbage. It stands for all else that its change left behind. */
  left(characters: number): void {
    this.#since += characters;
    if (this.#since < Math.max(LEAST, this.#before * SHARE)) return;
    this.#before += this.#since;
    this.#since = 0;
    this.#begin();
  }
}

/** V8 counts buffers with the heap, and begins to mark what is in use when both are too large. It goes on in steps, also when the buffer is gone. */
function beginCollection(): void {
  try {
    detach(new ArrayBuffer(LARGE));
  } catch {
    // There is no room for it: the engine collects when it has to.
  }
}
