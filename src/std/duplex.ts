/** A bidirectional byte stream; each direction ends independently. */
export interface Duplex {
  /** The next bytes; undefined at the end or when the other side is gone. */
  read(): Promise<Uint8Array | undefined>;
  /** Resolves when there is room for more. Bytes without a reader are dropped. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the writing direction; reading is still possible. */
  end(): void;
  /** Aborts both directions. */
  reset(): void;
}

/** Writers should wait while more chunks than this are queued. */
const MOST_WAITING = 64;

/** A queue of chunks that can be closed. For one reader and one writer at a time. */
export class ChunkQueue<T> {
  readonly #chunks: T[] = [];
  #closed = false;
  #changed: (() => void)[] = [];

  push(chunk: T): void {
    if (this.#closed) return;
    this.#chunks.push(chunk);
    this.#notify();
  }

  /** Queued chunks can still be read. */
  close(): void {
    this.#closed = true;
    this.#notify();
  }

  /** The next chunk; undefined once it is closed and empty. */
  async read(): Promise<T | undefined> {
    while (this.#chunks.length === 0 && !this.#closed) await this.#change();
    const chunk = this.#chunks.shift();
    this.#notify();
    return chunk;
  }

  /** Resolves when the queue is short enough or closed. */
  async room(): Promise<void> {
    while (this.#chunks.length >= MOST_WAITING && !this.#closed) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  #notify(): void {
    for (const resolve of this.#changed.splice(0)) resolve();
  }
}
