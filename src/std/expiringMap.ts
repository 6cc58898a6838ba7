import type { Clock } from './clock.ts';

interface Kept<V> {
  readonly value: V;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** A map whose entries expire by the cluster's clock. It holds at most `most` entries and forgets the least recently set first. */
export class ExpiringMap<V> {
  readonly #entries = new Map<string, Kept<V>>();
  readonly #clock: Clock;
  readonly #most: number;

  constructor(clock: Clock, most = 4096) {
    this.#clock = clock;
    this.#most = most;
  }

  get(key: string): V | undefined {
    const found = this.#entries.get(key);
    if (!found) return undefined;
    if (found.until > this.#clock.now()) return found.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Stores a value for `ms` milliseconds; does not store it if `ms` is not positive. */
  set(key: string, value: V, ms: number): void {
    if (ms <= 0) return;
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#clock.now() + ms });
    if (this.#entries.size <= this.#most) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }
}
