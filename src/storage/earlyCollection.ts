import { detach } from './disk/giveBack.ts';

/**
 * A collection begins when at least so many characters were counted since the last one, and at least this share of all that were
 * counted before: the more memory is in use, the longer a collection takes. If none came, another attempt follows after half that share.
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
  readonly #begin: (onCollected: () => void) => void;
  #before = 0;
  #since = 0;
  #isCollected = true;

  /** `begin` begins a collection, and calls back once a collection has ended. */
  constructor(begin = beginCollection) {
    this.#begin = begin;
  }

  /** Counts the characters of a text that was folded or deleted. Other garbage grows with these texts. */
  count(characters: number): void {
    this.#since += characters;
    // V8 does not begin one each time: it waits for more garbage in a large heap. One that has begun may still go on.
    const share = this.#isCollected ? SHARE : SHARE / 2;
    if (this.#since < Math.max(LEAST, this.#before * share)) return;
    this.#before += this.#since;
    this.#since = 0;
    this.#isCollected = false;
    this.#begin(() => (this.#isCollected = true));
  }
}

/** Calls back when an object was collected. Only a full collection of garbage makes it do so. */
const collected = new FinalizationRegistry<() => void>((callBack) => callBack());

/** V8 counts buffers with the heap, and begins a collection when both are too large. It goes on in steps, also once the buffer is gone. */
function beginCollection(onCollected: () => void): void {
  collected.register({}, onCollected);
  try {
    detach(new ArrayBuffer(LARGE));
  } catch {
    // There is no room for it: the engine collects when it has to.
  }
}
