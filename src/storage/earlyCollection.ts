import { detach } from './disk/giveBack.ts';

/**
 * A collection begins when at least so many characters were replaced since the last one, and at least this share of all that were
 * replaced before: the more memory is in use, the longer a collection takes.
 */
const LEAST = 40_000_000;
const SHARE = 1 / 16;
/** Bytes of a buffer that makes V8 begin a collection. Nobody writes to it, so it takes up no memory. */
const LARGE = 1 << 30;

/**
 * Begins collections of garbage early under load. V8 waits until the heap is two and a half times as large as after the last one, which in
 * a large cluster is a gigabyte of garbage and more.
 */
export class EarlyCollection {
  readonly #begin: () => void;
  #before = 0;
  #since = 0;

  constructor(begin = beginCollection) {
    this.#begin = begin;
  }

  /** Counts the characters of a text that is garbage, because its difference to another is kept instead. Other garbage grows with these texts. */
  replaced(characters: number): void {
    this.#since += characters;
    if (this.#since < Math.max(LEAST, this.#before * SHARE)) return;
    this.#before += this.#since;
    this.#since = 0;
    this.#begin();
  }
}

/** V8 counts buffers with the heap, and begins a collection when both are too large. It goes on in steps, also once the buffer is gone. */
function beginCollection(): void {
  try {
    detach(new ArrayBuffer(LARGE));
  } catch {
    // There is no room for it: the engine collects when it has to.
  }
}
