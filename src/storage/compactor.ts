import type { Clock, Timer } from '../std/index.ts';
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
  /** Before which history was last dropped. */
  #dropped: Revision = 0;
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
    this.#timer = this.#clock.setTimeout(() => this.#tick(), this.#keep, { idle: () => this.#hasNothingToDrop() });
  }

  #hasNothingToDrop(): boolean {
    return this.#dropped === this.#mark && this.#mark === this.#storage.revision;
  }

  #tick(): void {
    const mark = this.#mark;
    this.#mark = this.#storage.revision;
    // What could not be compacted now is compacted with the rest at the next tick.
    this.#storage.compact(mark).catch(() => undefined);
    this.#dropped = mark;
    this.#arm();
  }
}
