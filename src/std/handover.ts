import { LightResponse } from './lightResponse.ts';

/** A queue from one part of the process to another. The reader gets all queued values at once. */
export class Handover<T> {
  readonly #limit: number;
  readonly #onTaken: () => void;
  readonly #onCancelled: () => void;
  #waiting: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  /** `onTaken` is called when there is room again, `onCancelled` when the reader has cancelled. */
  constructor(limit: number, onTaken: () => void, onCancelled: () => void) {
    this.#limit = limit;
    this.#onTaken = onTaken;
    this.#onCancelled = onCancelled;
  }

  /** Whether the writer should wait because too many values are queued. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#limit;
  }

  give(value: T): void {
    if (this.#closed) return;
    this.#waiting.push(value);
    this.#wake?.();
  }

  /** Ends the queue; queued values can still be taken. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** All queued values, or the next one; undefined at the end. For one reader at a time. */
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

  /** Cancels reading; queued values are dropped. */
  cancel(): void {
    this.#waiting = [];
    this.close();
    this.#onCancelled();
  }
}

/** One event of a watch: its object, frozen and shared by all watchers, and its serialized bytes. */
export interface SharedEvent {
  readonly type: string;
  readonly object: object;
  bytes(): Uint8Array<ArrayBuffer>;
}

/**
 * The response to a watch in the same process: events can be taken as objects. Reading the body returns them as bytes.
 */
export class EventsResponse extends LightResponse {
  readonly events: Handover<SharedEvent>;
  #streamed: Response | undefined;

  constructor(events: Handover<SharedEvent>, init: ResponseInit) {
    super(init);
    this.events = events;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#stream.body;
  }

  get bodyUsed(): boolean {
    return this.#streamed?.bodyUsed === true;
  }

  text(): Promise<string> {
    return this.#stream.text();
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#stream.arrayBuffer());
  }

  clone(): Response {
    return this.#stream.clone();
  }

  get #stream(): Response {
    return (this.#streamed ??= new Response(bytesOf(this.events), this));
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
