import type { Clock, Timer } from '../std/index.ts';
import { Heap } from '../std/index.ts';
import type { StorageEvent } from './types.ts';

interface Due {
  readonly key: string;
  readonly at: number;
}

/** The number of items that are looked at for each deleted key: not more than a third of the items stay for nothing. */
const LOOKS = 3;

const EXPIRY = { what: 'an object that expires' };

/** Tracks the expiry times of keys, and requests their deletion when the clock passes them. */
export class Expiry {
  readonly #clock: Clock;
  readonly #expire: (keys: readonly string[]) => void;
  /** The current expiry time of a key, if it has one. */
  readonly #of: (key: string) => number | undefined;
  /**
   * One item for each key, due at or before the key's expiry, so that repeated writes of a key do not pile up, and some for
   * deleted keys.
   */
  readonly #due = new Heap<Due>((a, b) => a.at < b.at);
  /** The place of the item that is looked at next. */
  #next = 0;
  #timer: Timer | undefined;
  #timerAt = Infinity;

  constructor(clock: Clock, of: (key: string) => number | undefined, expire: (keys: readonly string[]) => void) {
    this.#clock = clock;
    this.#of = of;
    this.#expire = expire;
  }

  /** The number of keys that it knows, of which some may be deleted. */
  get size(): number {
    return this.#due.size;
  }

  /** Records the effect of a change on the expiry of its key. */
  note({ key, entry, previous }: Pick<StorageEvent, 'key' | 'entry' | 'previous'>): void {
    const known = previous?.expires;
    if (!entry && known !== undefined) this.#tidy();
    if (entry?.expires === undefined) return;
    if (known === undefined || known > entry.expires) this.#schedule({ key, at: entry.expires });
  }

  /** Schedules another attempt for keys whose deletion failed. */
  retry(keys: readonly string[], delay: number): void {
    for (const key of keys) if (this.#of(key) !== undefined) this.#schedule({ key, at: this.#clock.now() + delay });
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timerAt = -Infinity;
  }

  /** Looks at a few items and takes out those of deleted keys. For each deleted key it is called once, so few such items stay. */
  #tidy(): void {
    for (let left = LOOKS; left > 0; left--) {
      if (this.#next >= this.#due.size) this.#next = 0;
      const due = this.#due.at(this.#next);
      if (due && this.#of(due.key) === undefined) this.#due.remove(this.#next);
      else this.#next++;
    }
  }

  #schedule(due: Due): void {
    this.#due.push(due);
    if (due.at < this.#timerAt) this.#arm(due.at);
  }

  #arm(at: number): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer =
      at === Infinity ? undefined : this.#clock.setTimeout(() => this.#fire(), at - this.#clock.now(), EXPIRY);
  }

  #fire(): void {
    const now = this.#clock.now();
    const keys = new Set<string>();
    for (let due = this.#due.peek(); due && due.at <= now; due = this.#due.peek()) {
      this.#due.pop();
      const expires = this.#of(due.key);
      if (expires === undefined) continue;
      if (expires <= now) keys.add(due.key);
      else this.#due.push({ key: due.key, at: expires });
    }
    this.#arm(this.#due.peek()?.at ?? Infinity);
    this.#expire([...keys]);
  }
}
