import type { Pending } from './folding.ts';

const CHUNK = 256;

/**
 * Timers by their moment, first come first within one, in chunks of a few hundred: to add or remove one searches by halves and
 * moves less than a chunk. In one array, each of the thousands of timers that nodes set would move those of all others.
 */
export class TimerQueue {
  /** No chunk is empty; each comes before the next. */
  #chunks: Pending[][] = [];

  get first(): Pending | undefined {
    return this.#chunks[0]?.[0];
  }

  /** All of them, in order. */
  inOrder(): readonly Pending[] {
    return this.#chunks.flat();
  }

  add(timer: Pending): void {
    const at = this.#chunkOf(timer);
    const chunk = this.#chunks[at];
    if (!chunk) return void this.#chunks.push([timer]);
    chunk.splice(placeIn(chunk, timer), 0, timer);
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(chunk.length >> 1));
  }

  /** Does nothing where it is not there any more. */
  remove(timer: Moment): void {
    const at = this.#chunkOf(timer);
    const chunk = this.#chunks[at];
    const index = chunk ? placeIn(chunk, timer) : 0;
    if (chunk?.[index]?.id !== timer.id) return;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  clear(): void {
    this.#chunks = [];
  }

  /** The chunk that holds a timer or would take it: the last that begins with it or before it, or the first. */
  #chunkOf(timer: Moment): number {
    let low = 1;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const [head] = this.#chunks[middle] as [Pending];
      if (isBefore(timer, head)) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }
}

type Moment = Pick<Pending, 'id' | 'due'>;

const isBefore = (a: Moment, b: Moment): boolean => a.due < b.due || (a.due === b.due && a.id < b.id);

/** Where a timer stands in a chunk, or would. */
function placeIn(chunk: readonly Pending[], timer: Moment): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(chunk[middle] as Pending, timer)) low = middle + 1;
    else high = middle;
  }
  return low;
}
