/** The streams of one call in both directions: a switched connection (`SwitchedResponse`) over a wire. */
import { ChunkQueue, type Duplex, type OpenedStream } from '../../std/index.ts';
import { deferred } from './deferred.ts';
import { packHeaders, unpackHeaders, window, type StreamFrame } from './messages.ts';

/** The streams of a call by number. Both ends of a wire hold one; only the client opens streams. */
export class WireStreams {
  readonly #post: (frame: StreamFrame) => void;
  readonly #streams = new Map<number, WireStream>();
  readonly #opened = new ChunkQueue<OpenedStream>();
  readonly #ended = deferred<void>();
  #last = 0;
  #closed = false;

  constructor(post: (frame: StreamFrame) => void) {
    this.#post = post;
  }

  /** Resolves when the call is over. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Opens a stream. Once the call is over it is at its end from the start. */
  open(headers: ReadonlyMap<string, string>): Duplex {
    const number = ++this.#last;
    const stream = this.#add(number, headers);
    if (this.#closed) stream.broken();
    else this.#post({ do: 'open', stream: number, headers: packHeaders(headers) });
    return stream;
  }

  /** The next stream that the other side opens; undefined when the call is over. */
  accept(): Promise<OpenedStream | undefined> {
    return this.#opened.read();
  }

  receive(frame: StreamFrame): void {
    if (this.#closed) return;
    if (frame.do === 'open') {
      this.#opened.push(this.#add(frame.stream, new Map(unpackHeaders(frame.headers))));
    } else this.#streams.get(frame.stream)?.receive(frame);
  }

  /** The call is over: what has arrived can still be read, what is written is dropped. */
  close(): void {
    this.#closed = true;
    this.#opened.close();
    for (const stream of [...this.#streams.values()]) stream.broken();
    this.#ended.resolve();
  }

  #add(number: number, headers: ReadonlyMap<string, string>): WireStream {
    const forget = (): void => void this.#streams.delete(number);
    const stream = new WireStream(number, headers, this.#post, forget);
    this.#streams.set(number, stream);
    return stream;
  }
}

class WireStream implements OpenedStream {
  readonly headers: ReadonlyMap<string, string>;
  readonly #number: number;
  readonly #post: (frame: StreamFrame) => void;
  readonly #forget: () => void;
  readonly #input = new ChunkQueue<Uint8Array>();
  #inputEnded = false;
  #outputEnded = false;
  /** Bytes sent that the other side has not read. */
  #unread = 0;
  #wake: () => void = () => undefined;

  constructor(
    number: number,
    headers: ReadonlyMap<string, string>,
    post: (frame: StreamFrame) => void,
    forget: () => void,
  ) {
    this.#number = number;
    this.headers = headers;
    this.#post = post;
    this.#forget = forget;
  }

  async read(): Promise<Uint8Array | undefined> {
    const bytes = await this.#input.read();
    if (bytes && !this.#inputEnded) this.#post({ do: 'credit', stream: this.#number, bytes: bytes.length });
    return bytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#outputEnded || bytes.length === 0) return;
    // A copy: of a part of a buffer the whole would be sent, and the writer may use its bytes again.
    this.#post({ do: 'data', stream: this.#number, data: new Uint8Array(bytes) });
    this.#unread += bytes.length;
    while (this.#unread >= window && !this.#outputEnded) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  end(): void {
    if (this.#outputEnded) return;
    this.#post({ do: 'end', stream: this.#number });
    this.#endOutput();
  }

  reset(): void {
    if (!this.#outputEnded || !this.#inputEnded) this.#post({ do: 'reset', stream: this.#number });
    this.broken();
  }

  receive(frame: Exclude<StreamFrame, { do: 'open' }>): void {
    if (frame.do === 'credit') this.#wereRead(frame.bytes);
    else if (frame.do === 'data') this.#input.push(frame.data);
    else if (frame.do === 'end') this.#endInput();
    else this.broken();
  }

  /** The other side has reset it, or is gone. */
  broken(): void {
    this.#endInput();
    this.#endOutput();
  }

  #wereRead(bytes: number): void {
    this.#unread -= bytes;
    this.#wake();
  }

  #endInput(): void {
    this.#inputEnded = true;
    this.#input.close();
    if (this.#outputEnded) this.#forget();
  }

  #endOutput(): void {
    this.#outputEnded = true;
    this.#wake();
    if (this.#inputEnded) this.#forget();
  }
}
