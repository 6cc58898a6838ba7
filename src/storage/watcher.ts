import { CompactedError, OverflowError } from './errors.ts';
import type { KeySpace } from './keyspace.ts';
import type { EventSink, StorageEvent, Watch } from './types.ts';
import type { Revision } from './revision.ts';

interface WatcherOptions {
  readonly space: KeySpace;
  readonly from: Revision;
  readonly bufferLimit: number;
  readonly sink: EventSink;
  readonly onEnd: (error?: CompactedError | OverflowError) => void;
  /** Removes the watcher from the list of receivers. */
  readonly leave: () => void;
}

/** One watch: its position, and the queue of events while its receiver is busy. */
export class Watcher implements Watch {
  readonly #options: WatcherOptions;
  /** Everything up to this revision has been delivered. */
  #position: Revision;
  #queue: StorageEvent[] = [];
  /** The maximum length of the queue; unlimited until the initial history has been delivered. */
  #allowance = Infinity;
  /** True until the watch has started, and while the receiver's promise is pending. */
  #busy = true;
  #ended = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#position = options.from;
  }

  get revision(): Revision {
    return this.#busy ? this.#position : Math.max(this.#position, this.#options.space.revision);
  }

  get backlog(): number {
    return this.#queue.length;
  }

  close(): void {
    this.#ended = true;
    this.#queue = [];
    this.#options.leave();
  }

  end(error?: CompactedError | OverflowError): void {
    if (this.#ended) return;
    this.close();
    this.#options.onEnd(error);
  }

  /** Queues past events. Nothing is delivered before the caller has received the watch. */
  start(history: () => StorageEvent[]): void {
    try {
      this.#queue = history();
      queueMicrotask(() => this.#resume());
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      queueMicrotask(() => this.end(error));
    }
  }

  /** Delivers events, or queues them while the receiver is busy; ends the watch if the queue is too long. */
  offer(events: readonly StorageEvent[], revision: Revision): void {
    const fresh = this.#afterPosition(events);
    if (this.#ended || fresh.length === 0) return;
    if (!this.#busy) return this.#deliver(fresh, revision);
    for (const event of fresh) this.#queue.push(event);
    if (this.#queue.length > this.#allowance) this.end(new OverflowError(this.#options.bufferLimit));
  }

  #resume(): void {
    if (this.#ended) return;
    this.#busy = false;
    const events = this.#queue;
    this.#queue = [];
    this.#allowance = this.#options.bufferLimit;
    if (events.length > 0) this.#deliver(events, this.#options.space.revision);
  }

  #deliver(events: readonly StorageEvent[], revision: Revision): void {
    try {
      const pending = this.#options.sink(events, revision);
      if (!(pending instanceof Promise)) return this.#moveTo(revision);
      this.#busy = true;
      pending.then(
        () => {
          this.#moveTo(revision);
          this.#resume();
        },
        () => this.end(),
      );
    } catch {
      // A failed receiver has lost events, so it must not get later ones. Other watches are not affected.
      this.end();
    }
  }

  #moveTo(revision: Revision): void {
    this.#position = Math.max(this.#position, revision);
  }

  /** A watch may start at a future revision; then earlier events are not delivered to it. */
  #afterPosition(events: readonly StorageEvent[]): readonly StorageEvent[] {
    const from = this.#options.from;
    const first = events[0];
    return first && first.revision > from ? events : events.filter((event) => event.revision > from);
  }
}
