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
 * How long failed pods stay before they are deleted and replaced: a second the first time, twice as long each further
 * time, a quarter of an hour at most. Counted for each node and generation of a daemon set.
 */
export class FailedPodsBackoff {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds for which a failed pod on the node has to stay; 0 where it may go. */
  delay(set: DaemonSet, node: string): number {
    const entry = this.#current(keyOf(set, node));
    return entry ? Math.max(0, entry.at + entry.delay - this.#clock.now()) : 0;
  }

  /** Counts a failed pod that is deleted now. */
  next(set: DaemonSet, node: string): void {
    const key = keyOf(set, node);
    const before = this.#current(key)?.delay;
    const delay = before === undefined ? FIRST_DELAY : Math.min(before * 2, LONGEST_DELAY);
    this.#entries.delete(key);
    this.#entries.set(key, { at: this.#clock.now(), delay });
    const oldest = this.#entries.size > REMEMBERED ? this.#entries.keys().next().value : undefined;
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** What was quiet for twice the longest delay starts anew. */
  #current(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#clock.now() - entry.at <= 2 * LONGEST_DELAY ? entry : undefined;
  }
}

function keyOf({ metadata, status }: DaemonSet, node: string): string {
  return `${metadata.uid}/${status.observedGeneration ?? 0}/${node}`;
}
