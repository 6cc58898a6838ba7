import { detach } from './disk/giveBack.ts';

/** A collection begins after so many characters at least, and after this share of all that came before: the more is kept, the longer it takes. */
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

  /** Counts a text of so many characters that became garbage. It stands for all else that its change left behind. */
  left(characters: number): void {
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
