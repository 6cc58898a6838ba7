/** gRPC over Node's HTTP/2: calls with one answer, and streams. The first endpoint that answers is used until it fails. */
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import { reasonOf } from '../words.ts';

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
const WINDOW = 16 << 20;

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
  #session: ClientHttp2Session | undefined;
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

  /** Rejects with CallError. Where an endpoint can't be reached, the others are tried. */
  async call(method: string, message: Uint8Array): Promise<Uint8Array> {
    for (let left = this.#options.endpoints.length; ; left--) {
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
      const session = this.#connected();
      const stream = open(session, method, (bytes) => (answer = bytes), ended);
      // A connection that is silent for so long is given up, so that the next call takes another endpoint.
      const timer = setTimeout(() => {
        ended(new CallError(DEADLINE_EXCEEDED, `${this.endpoint} did not answer in ${timeoutMs} ms`));
        session.destroy();
      }, timeoutMs);
      stream.end(framed(message));
    });
  }

  stream(method: string, { message, ended }: StreamListener): Stream {
    let over = false;
    const stream = open(this.#connected(), method, message, (error) => {
      if (!over) ended(error ?? new CallError(UNAVAILABLE, `${this.endpoint} ended the stream`));
      over = true;
    });
    return {
      send: (bytes) => void stream.write(framed(bytes)),
      end: () => {
        over = true;
        stream.close();
      },
    };
  }

  close(): void {
    this.#closed = true;
    this.#session?.destroy();
  }

  #connected(): ClientHttp2Session {
    if (this.#session) return this.#session;
    if (this.#closed) throw new CallError(UNAVAILABLE, 'the connection is closed');
    const { tls = {} } = this.#options;
    const session = connect(this.endpoint, { ...tls, settings: { initialWindowSize: WINDOW } });
    const leave = (): void => {
      if (this.#session !== session) return;
      this.#session = undefined;
      this.#endpoint++;
    };
    session.once('connect', () => {
      reached.add(session);
      session.setLocalWindowSize(WINDOW);
    });
    session.once('goaway', leave);
    session.once('close', leave);
    // Every call on it hears of the error by itself.
    session.on('error', leave);
    this.#session = session;
    return session;
  }
}

/** Connections that were made, however they ended. */
const reached = new WeakSet<ClientHttp2Session>();

function open(
  session: ClientHttp2Session,
  method: string,
  message: (bytes: Uint8Array) => void,
  ended: (error: CallError | undefined) => void,
): ClientHttp2Stream {
  const headers = { ':method': 'POST', ':path': method, 'content-type': 'application/grpc', te: 'trailers' };
  const stream = session.request(headers);
  const frames = new Frames(message);
  let failure: CallError | undefined;
  let isAnswered = false;
  const judge = (given: IncomingHttpHeaders): void => {
    const code = given['grpc-status'];
    if (code === undefined) return;
    isAnswered = true;
    if (code !== '0') failure = new CallError(Number(code), decodeURIComponent(String(given['grpc-message'] ?? '')));
  };
  stream.on('response', judge);
  stream.on('trailers', judge);
  stream.on('data', (chunk: Uint8Array) => frames.add(chunk));
  stream.on('error', ({ message, cause }: Error) => {
    // Node says that the stream was given up; why the connection failed stands behind it.
    const why = cause instanceof Error ? reasonOf(cause) : message;
    failure ??= new CallError(UNAVAILABLE, why, !reached.has(session));
  });
  stream.once('close', () => {
    if (!isAnswered) failure ??= new CallError(UNAVAILABLE, 'the connection was lost');
    ended(failure);
  });
  return stream;
}

/** A message goes out uncompressed, with its length before it. */
function framed(message: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** Cuts what comes in into messages. */
class Frames {
  readonly #message: (bytes: Uint8Array) => void;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(message: (bytes: Uint8Array) => void) {
    this.#message = message;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= 5) {
      const header = this.#take(5, false);
      const length = header.readUInt32BE(1);
      if (this.#size < 5 + length) return;
      this.#message(this.#take(5 + length, true).subarray(5));
    }
  }

  /** The first bytes; joins chunks only as far as that takes. */
  #take(length: number, remove: boolean): Buffer {
    let whole = this.#chunks[0] ?? new Uint8Array();
    if (whole.length < length) whole = Buffer.concat(this.#chunks);
    if (whole !== this.#chunks[0]) this.#chunks = [whole];
    if (remove) {
      const rest = whole.subarray(length);
      if (rest.length > 0) this.#chunks[0] = rest;
      else this.#chunks.shift();
      this.#size -= length;
    }
    return Buffer.from(whole.buffer, whole.byteOffset, length);
  }
}
