/** The client's end of a switched connection (`SwitchedResponse`), for clients in the same process as its host. */
import { ChunkQueue, type Duplex } from './duplex.ts';
import type { OpenedStream, StreamSocket } from './switchedResponse.ts';

export interface StreamConnection {
  /** Opens a stream; the headers describe its purpose. */
  open(headers: Readonly<Record<string, string>>): Duplex;
  /** Aborts when the connection has ended. Received data can still be read. */
  readonly closed: AbortSignal;
  close(): void;
}

/** The two ends of an in-memory connection. Closing either end closes both. */
export function streamPair(): { readonly connection: StreamConnection; readonly socket: StreamSocket } {
  const gone = new AbortController();
  const opened = new ChunkQueue<OpenedStream>();
  const streams = new Set<() => void>();
  const close = (): void => {
    if (gone.signal.aborted) return;
    opened.close();
    for (const end of [...streams]) end();
    gone.abort();
  };
  const open = (headers: Readonly<Record<string, string>>): Duplex => {
    const [there, back] = [new Direction(), new Direction()];
    const end = (): void => {
      streams.delete(end);
      for (const direction of [there, back]) direction.end();
    };
    const known = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    if (gone.signal.aborted) end();
    else streams.add(end);
    opened.push({ headers: known, ...duplexOf(there, back, end) });
    return duplexOf(back, there, end);
  };
  return {
    connection: { open, closed: gone.signal, close },
    socket: { closed: gone.signal, accept: () => opened.read(), close },
  };
}

/** The data written in one direction, until it ends. */
class Direction {
  readonly #chunks = new ChunkQueue<Uint8Array>();

  read(): Promise<Uint8Array | undefined> {
    return this.#chunks.read();
  }

  async write(bytes: Uint8Array): Promise<void> {
    // Empty chunks are skipped. Others are copied, because the writer may reuse its buffer.
    if (bytes.length > 0) this.#chunks.push(bytes.slice());
    await this.#chunks.room();
  }

  end(): void {
    this.#chunks.close();
  }
}

const duplexOf = (input: Direction, output: Direction, reset: () => void): Duplex => ({
  read: () => input.read(),
  write: (bytes) => output.write(bytes),
  end: () => output.end(),
  reset,
});
