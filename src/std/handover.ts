/** Values on their way from one part of the process to another, in their order; the taker gets all that wait at once. */
export class Handover<T> {
  readonly #limit: number;
  readonly #onTaken: () => void;
  readonly #onCancelled: () => void;
  #waiting: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  /** `onTaken` is called when room has been made, `onCancelled` when nobody takes any more. */
  constructor(limit: number, onTaken: () => void, onCancelled: () => void) {
    this.#limit = limit;
    this.#onTaken = onTaken;
    this.#onCancelled = onCancelled;
  }

  /** Whether so many values wait that the giver should, too. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#limit;
  }

  give(value: T): void {
    if (this.#closed) return;
    this.#waiting.push(value);
    this.#wake?.();
  }

  /** Nothing more comes; what waits can still be taken. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** All that waits, or what comes next; undefined at the end. One taker at a time. */
  async take(): Promise<readonly T[] | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
    const values = this.#waiting;
    this.#waiting = [];
    this.#onTaken();
    return values;
  }

  /** The taker goes; what waits is dropped. */
  cancel(): void {
    this.#waiting = [];
    this.close();
    this.#onCancelled();
  }
}

/** One event of a watch: its object, frozen and shared by all watchers, and the bytes that say the same. */
export interface SharedEvent {
  readonly type: string;
  readonly object: object;
  bytes(): Uint8Array<ArrayBuffer>;
}

/** The answer to a watch within one process: its events can be taken as objects. Whoever reads its body gets them as bytes. */
export class EventsResponse extends Response {
  readonly events: Handover<SharedEvent>;

  constructor(events: Handover<SharedEvent>, init: ResponseInit) {
    super(bytesOf(events), init);
    this.events = events;
  }
}

function bytesOf(events: Handover<SharedEvent>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const taken = await events.take();
        if (!taken) controller.close();
        else for (const event of taken) controller.enqueue(event.bytes());
      },
      cancel: () => events.cancel(),
    },
    { highWaterMark: 0 },
  );
}
