import { IDLE, type Clock, type Timer } from '../std/index.ts';
import type { Revision } from './revision.ts';

interface Compactable {
  readonly revision: Revision;
  compact(revision: Revision): Promise<void>;
}

/** Compacts history every `keep` milliseconds, up to the revision of one interval ago. */
export class Compactor {
  readonly #clock: Clock;
  #keep: number;
  readonly #storage: Compactable;
  #mark: Revision;
  /** When the next tick is due; during a long step of the clock it may fire late. */
  #due = 0;
  #timer: Timer | undefined;

  constructor(clock: Clock, keep: number, storage: Compactable) {
    this.#clock = clock;
    this.#keep = keep;
    this.#storage = storage;
    this.#mark = storage.revision;
    this.#arm();
  }

  /** Changes the interval and starts it anew. */
  keep(ms: number): void {
    this.close();
    this.#keep = ms;
    this.#arm();
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  #arm(): void {
    if (this.#keep === Infinity) return;
    this.#due = this.#clock.now() + this.#keep;
    this.#timer = this.#clock.setTimeout(() => this.#tick(), this.#keep, IDLE);
  }

  #tick(): void {
    // After a step of several intervals, everything before the step is older than one interval.
    const late = this.#clock.now() - this.#due >= this.#keep;
    const mark = late ? this.#storage.revision : this.#mark;
    this.#mark = this.#storage.revision;
    // A failed compaction is included in the next tick.
    this.#storage.compact(mark).catch(() => undefined);
    this.#arm();
  }
}
