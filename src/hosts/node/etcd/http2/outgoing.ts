/** What a stream of HTTP/2 sends, as far as the other side has room for it (RFC 7540, section 5.2). */
import { ByteQueue } from './byteQueue.ts';

/** How many bytes the other side takes; less than none after it has lowered a setting. */
export class SendWindow {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  grow(bytes: number): void {
    this.#bytes += bytes;
  }
}

export interface Piece {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

export class OutgoingStream {
  readonly window = new SendWindow(0);
  readonly #shared: SendWindow;
  readonly #bytes = new ByteQueue();
  #id = 0;
  #isEnded = false;
  #isSent = false;

  constructor(shared: SendWindow) {
    this.#shared = shared;
  }

  /** The number of the stream; 0 before it starts. */
  get id(): number {
    return this.#id;
  }

  /** Lets bytes out from now on. */
  start(id: number, window: number): void {
    this.#id = id;
    this.window.grow(window);
  }

  /** Whether everything went out. */
  get isSent(): boolean {
    return this.#isSent;
  }

  add(bytes: Uint8Array, isLast: boolean): void {
    this.#bytes.add(bytes);
    this.#isEnded ||= isLast;
  }

  /** The next bytes that may be sent now, up to `most`; undefined if there are none. */
  next(most: number): Piece | undefined {
    const { size } = this.#bytes;
    if (this.#id === 0 || this.#isSent || (size === 0 && !this.#isEnded)) return undefined;
    // A window below 0 still lets an empty last piece out.
    const length = Math.max(0, Math.min(size, most, this.window.bytes, this.#shared.bytes));
    if (length === 0 && size > 0) return undefined;
    this.window.grow(-length);
    this.#shared.grow(-length);
    const bytes = length === 0 ? new Uint8Array() : this.#bytes.take(length);
    this.#isSent = this.#isEnded && length === size;
    return { bytes, isLast: this.#isSent };
  }
}
