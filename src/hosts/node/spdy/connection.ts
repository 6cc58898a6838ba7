/** The server's side of a SPDY/3.1 connection: the streams that its client opens. Without flow control, as its clients have none. */
import type { Duplex as NodeDuplex } from 'node:stream';
import { ChunkQueue, inBackground, throwToHost, type OpenedStream, type StreamSocket } from '../../../std/index.ts';
import {
  CANCEL,
  controlFrame,
  dataFrame,
  FIN,
  FrameReader,
  GOAWAY,
  numbers,
  PING,
  RST_STREAM,
  SYN_REPLY,
  SYN_STREAM,
  type DataFrame,
  type Frame,
} from './frames.ts';
import { decodeHeaders, Deflater, encodeHeaders, Inflater } from './headers.ts';

/** Streams that a client may have open at once. */
const MOST_STREAMS = 1000;

/** Bytes of one data frame. */
const LONGEST_DATA = 64 * 1024;

export class SpdyConnection implements StreamSocket {
  readonly #socket: NodeDuplex;
  readonly #frames = new FrameReader();
  readonly #inflater = new Inflater();
  readonly #deflater = new Deflater();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #opened = new ChunkQueue<OpenedStream>();
  readonly #gone = new AbortController();
  #lastStream = 0;

  /** Speaks over a socket; `head` is what came with the request for the upgrade. */
  constructor(socket: NodeDuplex, head: Buffer) {
    this.#socket = socket;
    socket.once('close', () => this.#lost());
    socket.on('error', () => this.#lost());
    this.#read(head).catch(() => this.#lost());
  }

  get closed(): AbortSignal {
    return this.#gone.signal;
  }

  accept(): Promise<OpenedStream | undefined> {
    return this.#opened.read();
  }

  close(): void {
    if (this.#gone.signal.aborted) return;
    this.#socket.end(controlFrame(GOAWAY, numbers(this.#lastStream, 0)));
  }

  /** Resolves when the socket takes more. */
  send(frame: Buffer): Promise<void> {
    if (this.#gone.signal.aborted || this.#socket.writableEnded) return Promise.resolve();
    if (this.#socket.write(frame)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#socket.off('drain', done);
        this.#gone.signal.removeEventListener('abort', done);
        resolve();
      };
      this.#socket.once('drain', done);
      this.#gone.signal.addEventListener('abort', done);
    });
  }

  forget(stream: number): void {
    this.#streams.delete(stream);
  }

  /** Frames are handled one after another; unread data stays in the socket. */
  async #read(head: Buffer): Promise<void> {
    if (head.length > 0) await this.#receive(head);
    for await (const bytes of this.#socket) await this.#receive(bytes as Buffer);
    this.#lost();
  }

  async #receive(bytes: Buffer): Promise<void> {
    for (const frame of this.#frames.read(bytes)) await this.#handle(frame);
  }

  async #handle(frame: Frame): Promise<void> {
    if (frame.type === 'data') return this.#data(frame);
    const { type, flags, payload } = frame;
    if (type === SYN_STREAM) return this.#open(payload, (flags & FIN) !== 0);
    if (type === RST_STREAM) return this.#streams.get(payload.readUInt32BE(0))?.broken();
    if (type === PING) return this.send(controlFrame(PING, payload));
    if (type === GOAWAY) this.#opened.close();
  }

  async #data({ stream, payload, flags }: DataFrame): Promise<void> {
    await this.#streams.get(stream)?.received(payload, (flags & FIN) !== 0);
  }

  async #open(payload: Buffer, ended: boolean): Promise<void> {
    const id = payload.readUInt32BE(0) & 0x7fffffff;
    const headers = decodeHeaders(await this.#inflater.inflate(payload.subarray(10)));
    if (this.#streams.size >= MOST_STREAMS) return this.send(controlFrame(RST_STREAM, numbers(id, CANCEL)));
    const stream = new SpdyStream(this, id, headers);
    this.#lastStream = id;
    this.#streams.set(id, stream);
    const reply = this.#deflater.deflate(encodeHeaders(new Map()));
    await this.send(controlFrame(SYN_REPLY, Buffer.concat([numbers(id), reply])));
    if (ended) await stream.received(Buffer.alloc(0), true);
    this.#opened.push(stream);
  }

  #lost(): void {
    if (this.#gone.signal.aborted) return;
    this.#gone.abort();
    this.#inflater.close();
    this.#opened.close();
    for (const stream of [...this.#streams.values()]) stream.broken();
    this.#socket.destroy();
  }
}

class SpdyStream implements OpenedStream {
  readonly headers: ReadonlyMap<string, string>;
  readonly #connection: SpdyConnection;
  readonly #id: number;
  readonly #input = new ChunkQueue<Uint8Array>();
  #inputEnded = false;
  #outputEnded = false;

  constructor(connection: SpdyConnection, id: number, headers: ReadonlyMap<string, string>) {
    this.#connection = connection;
    this.#id = id;
    this.headers = headers;
  }

  read(): Promise<Uint8Array | undefined> {
    return this.#input.read();
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length && !this.#outputEnded; at += LONGEST_DATA)
      await this.#connection.send(dataFrame(this.#id, bytes.subarray(at, at + LONGEST_DATA)));
  }

  end(): void {
    if (this.#outputEnded) return;
    this.#outputEnded = true;
    inBackground(this.#connection.send(dataFrame(this.#id, Buffer.alloc(0), FIN)), throwToHost);
    this.#forgetIfOver();
  }

  reset(): void {
    if (!this.#outputEnded || !this.#inputEnded)
      inBackground(this.#connection.send(controlFrame(RST_STREAM, numbers(this.#id, CANCEL))), throwToHost);
    this.broken();
  }

  /** Receives the client's data; resolves when there is room for more. */
  async received(bytes: Uint8Array, ended: boolean): Promise<void> {
    if (bytes.length > 0) this.#input.push(bytes);
    if (!ended) return this.#input.room();
    this.#inputEnded = true;
    this.#input.close();
    this.#forgetIfOver();
  }

  /** The client has reset it, or is gone. */
  broken(): void {
    this.#outputEnded = this.#inputEnded = true;
    this.#input.close();
    this.#forgetIfOver();
  }

  #forgetIfOver(): void {
    if (this.#outputEnded && this.#inputEnded) this.#connection.forget(this.#id);
  }
}
