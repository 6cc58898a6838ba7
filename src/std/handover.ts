import { LightResponse } from './lightResponse.ts';

/** Who gives the values of a `Handover`. */
interface Writer {
  /** Called when there is room again. */
  drained(): void;
  /** Called when the reader has cancelled. */
  gone(): void;
}

/** Who gets them, without waiting in a function of its own. */
export interface Reader<T> {
  read(values: readonly T[]): void;
  /** Called once after the last value. */
  ended(): void;
}

/** A queue from one part of the process to another. The reader gets all queued values at once. */
export class Handover<T> {
  readonly #limit: number;
  readonly #writer: Writer;
  #waiting: T[] = [];
  #closed = false;
  /** Calls the reader for new values or the end, if it waits. */
  #wake: (() => void) | undefined;

  constructor(limit: number, writer: Writer) {
    this.#limit = limit;
    this.#writer = writer;
  }

  /** Whether the writer should wait because too many values are queued. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#limit;
  }

  give(value: T): void {
    if (this.#closed) return;
    this.#waiting.push(value);
    if (this.#waiting.length === 1) this.#wake?.();
  }

  /** Ends the queue; queued values can still be taken. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // If values are left, their reader was called already, and is notified of the end after them.
    if (this.#waiting.length === 0) this.#wake?.();
  }

  /** All queued values, or the next one; undefined at the end. For one reader at a time. */
  async take(): Promise<readonly T[] | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
    return this.#takeAll();
  }

  /**
   * Hands all values to a reader from now on, in place of `take`. A reader needs no promises and functions that wait, which
   * take kilobytes for each of thousands of queues. It is called in microtasks: for all values that came in one turn.
   */
  readBy(reader: Reader<T>): void {
    this.#wake = () => queueMicrotask(() => this.#pass(reader));
    if (this.#waiting.length > 0 || this.#closed) this.#wake();
  }

  #pass(reader: Reader<T>): void {
    if (this.#waiting.length > 0) reader.read(this.#takeAll());
    if (!this.#closed || !this.#wake) return;
    this.#wake = undefined;
    reader.ended();
  }

  #takeAll(): readonly T[] {
    const values = this.#waiting;
    this.#waiting = [];
    this.#writer.drained();
    return values;
  }

  /** Cancels reading; queued values are dropped. */
  cancel(): void {
    this.#waiting = [];
    this.close();
    this.#writer.gone();
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
