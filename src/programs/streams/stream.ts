import type { StopSignal } from '../../std/index.ts';
/**
 * An open file, pipe, terminal or connection, as processes share it. Every holder retains it; when the last one has
 * released it, it is closed.
 */
export interface Stream {
  /** The next bytes, or undefined at the end. Rejects with SystemError where it can't be read, with Killed when `signal` aborts. */
  read(signal?: StopSignal): Promise<Uint8Array | undefined>;
  /** Puts bytes back, so that they are read next. */
  unread(bytes: Uint8Array): void;
  /** Resolves when there is room for more. Rejects with SystemError where nobody reads any more. */
  write(bytes: Uint8Array, signal?: StopSignal): Promise<void>;
  retain(): Stream;
  release(): void;
  /** Where it is a terminal. */
  readonly terminal?: TerminalSize | undefined;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}
