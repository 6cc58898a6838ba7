import type { WireStreams } from './streams.ts';

/** One request under way. */
export class Running {
  /** Bytes sent that the reader has not taken yet. */
  unread = 0;
  /** Lets a writer go on that waits for the reader. */
  wake: (() => void) | undefined;
  /** Where its connection was switched. */
  streams: WireStreams | undefined;
  #aborted = false;
  #controller: AbortController | undefined;

  /** Aborts when the caller is gone. It is created on demand, because most requests are answered before. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }

  /** Resolves when the reader has taken something, or is gone. */
  credit(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
