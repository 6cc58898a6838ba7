import { IDLE, type Clock, type Timer } from '../std/index.ts';
import type { Revision } from './revision.ts';

interface Compactable {
  readonly revision: Revision;
  compact(revision: Revision): Promise<void>;
}

/** Once in every `keep` milliseconds drops the history before the revision of one interval ago. */
export class Compactor {
  readonly #clock: Clock;
  #keep: number;
  readonly #storage: Compactable;
  #mark: Revision;
  /** When the next tick is due; a long step of the clock lets it come late. */
  #due = 0;
  #timer: Timer | undefined;

  constructor(clock: Clock, keep: number, storage: Compactable) {
    this.#clock = clock;
    this.#keep = keep;
    this.#storage = storage;
    this.#mark = storage.revision;
    this.#arm();
  }

  /** Changes the interval; the next one begins now. */
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
    // What was there before a step that took several intervals is older than one of them.
    const late = this.#clock.now() - this.#due >= this.#keep;
    const mark = late ? this.#storage.revision : this.#mark;
    this.#mark = this.#storage.revision;
    // What could not be compacted now is compacted with the rest at the next tick.
    this.#storage.compact(mark).catch(() => undefined);
    this.#arm();
  }
}
