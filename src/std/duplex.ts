/** Bytes in both directions, each of which can end by itself. */
export interface Duplex {
  /** The next bytes; undefined at the end, or when the other side is gone. */
  read(): Promise<Uint8Array | undefined>;
  /** Resolves when there is room for more. What nobody reads any more is dropped. */
  write(bytes: Uint8Array): Promise<void>;
  /** Says that nothing more will be written; what the other side writes can still be read. */
  end(): void;
  /** Breaks off both directions. */
  reset(): void;
}

/** So many chunks may wait before whoever adds to them should wait, too. */
const MOST_WAITING = 64;

/** Chunks that wait to be read, until it is closed. One reader and one writer at a time. */
export class ChunkQueue<T> {
  readonly #chunks: T[] = [];
  #closed = false;
  #changed: (() => void)[] = [];

  push(chunk: T): void {
    if (this.#closed) return;
    this.#chunks.push(chunk);
    this.#notify();
  }

  /** What waits can still be read. */
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

  /** Resolves when few chunks wait, or it is closed. */
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
