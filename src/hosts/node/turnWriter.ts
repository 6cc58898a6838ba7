import type { Writable } from 'node:stream';

/** Bytes that wait for the end of the turn at most. */
const MOST = 64 * 1024;

/**
 * Writes everything of one event loop turn as one piece, because a system call for each watch event would cost more
 * than the rest.
 */
export class TurnWriter {
  readonly #target: Writable;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #isScheduled = false;

  constructor(target: Writable) {
    this.#target = target;
  }

  /** Accepts a piece; returns false if the writer should wait for the target's `drain`. */
  write(piece: Uint8Array): boolean {
    this.#waiting.push(piece);
    this.#bytes += piece.byteLength;
    if (this.#bytes >= MOST || this.#target.writableNeedDrain) return this.flush();
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => this.#endTurn());
    }
    return true;
  }

  /** Writes what waits; false as for `write`. */
  flush(): boolean {
    if (this.#waiting.length === 0) return !this.#target.writableNeedDrain;
    const [first] = this.#waiting;
    const all = this.#waiting.length === 1 && first ? first : Buffer.concat(this.#waiting, this.#bytes);
    this.#waiting = [];
    this.#bytes = 0;
    return this.#target.write(all);
  }

  /** A client that went away meanwhile gets nothing more. */
  #endTurn(): void {
    this.#isScheduled = false;
    if (this.#target.destroyed) this.#waiting = [];
    else this.flush();
  }
}
