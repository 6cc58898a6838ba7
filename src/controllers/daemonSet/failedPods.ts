import type { DaemonSet } from '../../client/index.ts';
import type { Clock } from '../../std/index.ts';

const FIRST_DELAY = 1000;
const LONGEST_DELAY = 900_000;
const REMEMBERED = 4096;

interface Entry {
  readonly at: number;
  readonly delay: number;
}

/**
 * Back-off for deleting and replacing failed pods: a second at first, doubled each time, a quarter of an hour at most.
 * Kept for each node and generation of a daemon set.
 */
export class FailedPodsBackoff {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until a failed pod on the node may be deleted; 0 if it may be deleted now. */
  delay(set: DaemonSet, node: string): number {
    const entry = this.#current(keyOf(set, node));
    return entry ? Math.max(0, entry.at + entry.delay - this.#clock.now()) : 0;
  }

  /** Records the deletion of a failed pod. */
  next(set: DaemonSet, node: string): void {
    const key = keyOf(set, node);
    const before = this.#current(key)?.delay;
    const delay = before === undefined ? FIRST_DELAY : Math.min(before * 2, LONGEST_DELAY);
    this.#entries.delete(key);
    this.#entries.set(key, { at: this.#clock.now(), delay });
    const oldest = this.#entries.size > REMEMBERED ? this.#entries.keys().next().value : undefined;
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** An entry without failures for twice the longest delay is reset. */
  #current(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#clock.now() - entry.at <= 2 * LONGEST_DELAY ? entry : undefined;
  }
}

function keyOf({ metadata, status }: DaemonSet, node: string): string {
  return `${metadata.uid}/${status.observedGeneration ?? 0}/${node}`;
}
