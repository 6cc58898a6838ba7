import type { StopSignal } from '../../std/index.ts';
import type { Stream, TerminalSize } from '../streams/index.ts';

/** A stream as one process holds it: waiting for it ends when the process is killed. */
export class BoundStream implements Stream {
  readonly #stream: Stream;
  readonly #killed: StopSignal;

  constructor(stream: Stream, killed: StopSignal) {
    this.#stream = stream;
    this.#killed = killed;
  }

  get terminal(): TerminalSize | undefined {
    return this.#stream.terminal;
  }

  read(signal?: StopSignal): Promise<Uint8Array | undefined> {
    return this.#stream.read(signal ?? this.#killed);
  }

  unread(bytes: Uint8Array): void {
    this.#stream.unread(bytes);
  }

  write(bytes: Uint8Array, signal?: StopSignal): Promise<void> {
    return this.#stream.write(bytes, signal ?? this.#killed);
  }

  retain(): Stream {
    return this.#stream.retain();
  }

  release(): void {
    this.#stream.release();
  }
}
