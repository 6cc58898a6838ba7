/** gRPC over HTTP/2: calls with one answer, and streams. The first endpoint that answers is used until it fails. */
import { Connection, type BrokenError } from './http2/connection.ts';
import { ByteQueue } from './http2/byteQueue.ts';
import type { Header } from './http2/hpack.ts';

export interface ChannelOptions {
  /** Addresses such as `https://10.0.0.1:2379`. */
  readonly endpoints: readonly string[];
  /** PEM: whom to trust, and what to prove. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** How long a call may take; 10 seconds unless told. */
  readonly timeoutMs?: number;
}

/** A call that the other side refused, or that did not reach it; `code` is gRPC's. */
export class CallError extends Error {
  override name = 'CallError';
  readonly code: number;
  /** It never went out, so it can be made again elsewhere. */
  readonly unsent: boolean;

  constructor(code: number, message: string, unsent = false) {
    super(message);
    this.code = code;
    this.unsent = unsent;
  }
}

export const UNAVAILABLE = 14;
const DEADLINE_EXCEEDED = 4;
const TIMEOUT_MS = 10_000;
const HEADERS: readonly Header[] = [
  ['content-type', 'application/grpc'],
  ['te', 'trailers'],
];

export interface Stream {
  send(message: Uint8Array): void;
  end(): void;
}

export interface StreamListener {
  message(message: Uint8Array): void;
  /** Once, however it ends; not after `end`. */
  ended(error: CallError): void;
}

export class Channel {
  readonly #options: ChannelOptions;
  #connection: Connection | undefined;
  #endpoint = 0;
  #closed = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** The endpoint in use. */
  get endpoint(): string {
    const { endpoints } = this.#options;
    return endpoints[this.#endpoint % endpoints.length] ?? '';
  }

  /**
   * Rejects with CallError. Where an endpoint can't be reached, the others are tried. There is one attempt more than endpoints,
   * because a server that ends a connection often takes the next one.
   */
  async call(method: string, message: Uint8Array): Promise<Uint8Array> {
    for (let left = this.#options.endpoints.length + 1; ; left--) {
      try {
        return await this.#callOnce(method, message);
      } catch (error) {
        if (left <= 1 || !(error instanceof CallError && error.unsent)) throw error;
      }
    }
  }

  #callOnce(method: string, message: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const { timeoutMs = TIMEOUT_MS } = this.#options;
      let answer: Uint8Array | undefined;
      const ended = (error: CallError | undefined): void => {
        clearTimeout(timer);
        if (error) reject(error);
        else if (answer) resolve(answer);
        else reject(new CallError(UNAVAILABLE, `${this.endpoint} answered nothing`));
      };
      const connection = this.#connected();
      const stream = open(connection, method, (bytes) => (answer = bytes), ended);
      // A connection that is silent for this long is dropped, so that the next call uses another endpoint.
      const timer = setTimeout(() => {
        ended(new CallError(DEADLINE_EXCEEDED, `${this.endpoint} did not answer in ${timeoutMs} ms`));
        connection.destroy();
      }, timeoutMs);
      stream.write(framed(message), true);
    });
  }

  stream(method: string, { message, ended }: StreamListener): Stream {
    let over = false;
    const stream = open(this.#connected(), method, message, (error) => {
      if (!over) ended(error ?? new CallError(UNAVAILABLE, `${this.endpoint} ended the stream`));
      over = true;
    });
    return {
      send: (bytes) => stream.write(framed(bytes)),
      end: () => {
        over = true;
        stream.cancel();
      },
    };
  }

  close(): void {
    this.#closed = true;
    this.#connection?.destroy();
  }

  #connected(): Connection {
    if (this.#connection) return this.#connection;
    if (this.#closed) throw new CallError(UNAVAILABLE, 'the connection is closed');
    const connection = new Connection(this.endpoint, {
      tls: this.#options.tls ?? {},
      onLeave: () => {
        if (this.#connection !== connection) return;
        this.#connection = undefined;
        this.#endpoint++;
      },
    });
    this.#connection = connection;
    return connection;
  }
}

function open(
  connection: Connection,
  method: string,
  message: (bytes: Uint8Array) => void,
  ended: (error: CallError | undefined) => void,
): ReturnType<Connection['open']> {
  const frames = new Frames(message);
  let failure: CallError | undefined;
  let isAnswered = false;
  return connection.open(method, HEADERS, {
    headers: (given) => {
      const code = given.get('grpc-status');
      if (code === undefined) return;
      isAnswered = true;
      if (code !== '0') failure = new CallError(Number(code), unescaped(given.get('grpc-message') ?? ''));
    },
    data: (chunk) => frames.add(chunk),
    ended: (error) => {
      if (error) failure ??= brokenCall(error);
      else if (!isAnswered) failure ??= new CallError(UNAVAILABLE, 'the server at this address is not etcd');
      ended(failure);
    },
  });
}

/** The text of a percent-encoded message; a malformed one stays as it is. */
function unescaped(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}

const brokenCall = ({ message, unsent }: BrokenError): CallError => new CallError(UNAVAILABLE, message, unsent);

/** The header of a message: a compression flag (one byte) and the length. */
const HEAD = 5;

function framed(message: Uint8Array): Buffer {
  const header = Buffer.alloc(HEAD);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** Cuts what comes in into messages. */
class Frames {
  readonly #message: (bytes: Uint8Array) => void;
  readonly #bytes = new ByteQueue();

  constructor(message: (bytes: Uint8Array) => void) {
    this.#message = message;
  }

  add(chunk: Uint8Array): void {
    this.#bytes.add(chunk);
    while (this.#bytes.size >= HEAD) {
      const length = HEAD + this.#bytes.peek(HEAD).readUInt32BE(1);
      if (this.#bytes.size < length) return;
      this.#message(this.#bytes.take(length).subarray(HEAD));
    }
  }
}
