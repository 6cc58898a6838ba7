/**
 * The client's side of HTTP/2 (RFC 7540), as much of it as gRPC needs. Node's own client costs two to three times as much for a small
 * call, and an API server on etcd makes one or two for each request.
 */
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { throwToHost } from '../../../../std/index.ts';
import { reasonOf } from '../../words.ts';
import {
  contentOf,
  Flag,
  frameHead,
  FrameReader,
  FrameType,
  MAX_FRAME,
  numbersFrame,
  readSettings,
  Setting,
  settingsFrame,
  type Frame,
} from './frames.ts';
import { decodeHeaders, encodeHeaders, type Header } from './hpack.ts';
import { OutgoingStream, SendWindow } from './outgoing.ts';

/** Why a stream, or all of them, ended before its time. */
export class BrokenError extends Error {
  override name = 'BrokenError';
  /** The server has not processed it, so it may be retried. */
  readonly unsent: boolean;

  constructor(message: string, unsent: boolean) {
    super(message);
    this.unsent = unsent;
  }
}

export interface StreamListener {
  /** The headers of the answer, and those after it. */
  headers(headers: ReadonlyMap<string, string>): void;
  data(bytes: Uint8Array): void;
  /** Once, and nothing after it; without an error where the server ended the stream. */
  ended(error: BrokenError | undefined): void;
}

export interface ConnectionOptions {
  /** PEM: the authorities to trust, and the client's own certificate. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Called once when the connection accepts no more streams; open streams may continue, waiting ones fail as unsent. */
  readonly onLeave: () => void;
  /** The number of the first stream; 1 unless told. */
  readonly firstStream?: number;
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Bytes that the server may send ahead, on each stream and in all. */
const WINDOW = 16 << 20;
const FIRST_WINDOW = 65_535;
const REFUSED = 7;
const CANCEL = 8;
/** The highest number of a stream. */
const LAST_STREAM = 0x7fffffff;
/** The bits of a number whose first bit is reserved. */
const UNRESERVED = 0x7fffffff;

interface OpenStream {
  /** The headers of the request. */
  readonly block: Buffer;
  readonly listener: StreamListener;
  readonly outgoing: OutgoingStream;
  /** Bytes of data since the last window update was sent. */
  received: number;
}

export class Connection {
  readonly #authority: URL;
  readonly #socket: Socket;
  readonly #reader = new FrameReader((frame) => this.#take(frame));
  readonly #streams = new Map<number, OpenStream>();
  /** Streams that wait until the server allows them, in order. */
  readonly #queue = new Set<OpenStream>();
  /** Blocks of headers by path: they are always the same. */
  readonly #blocks = new Map<string, Buffer>();
  readonly #window = new SendWindow(FIRST_WINDOW);
  readonly #onLeave: () => void;
  #initialWindow = FIRST_WINDOW;
  #maxFrame = MAX_FRAME;
  #received = 0;
  #nextStream: number;
  /** How many streams the server allows at a time; none before it has sent its settings. */
  #limit = 0;
  /** Frames of this turn of the event loop, which are written in one piece: a call of the system costs as much as all else about a small call. */
  #waiting: Uint8Array[] = [];
  /** The frames of an incomplete header block. */
  #headers: Frame | undefined;
  #isGreeted = false;
  #isLeft = false;
  #isOver = false;

  constructor(address: string, { tls, onLeave, firstStream = 1 }: ConnectionOptions) {
    this.#authority = new URL(address);
    this.#onLeave = onLeave;
    this.#nextStream = firstStream;
    this.#socket = openSocket(this.#authority, tls);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes));
    this.#socket.on('error', (error) => this.#end(reasonOf(error)));
    this.#socket.on('close', () => this.#end(this.#isGreeted ? LOST : notGreeted(this.#authority)));
    const settings = [[Setting.tableSize, 0] as const, [Setting.push, 0] as const];
    this.#send(PREFACE, settingsFrame([...settings, [Setting.initialWindow, WINDOW]]));
    this.#send(numbersFrame(FrameType.windowUpdate, 0, WINDOW - FIRST_WINDOW));
  }

  /** Opens a stream with a POST for `path`; it waits while the server allows no more streams. */
  open(path: string, headers: readonly Header[], listener: StreamListener): { write: Write; cancel(): void } {
    const outgoing = new OutgoingStream(this.#window);
    const stream = { block: this.#blockOf(path, headers), listener, outgoing, received: 0 };
    this.#queue.add(stream);
    this.#startQueued();
    return {
      write: (bytes, isLast = false) => {
        outgoing.add(bytes, isLast);
        this.#pump(outgoing);
      },
      cancel: () => this.#cancel(stream),
    };
  }

  /** Ends the connection with all that is open on it. */
  destroy(why = 'the connection is closed'): void {
    this.#end(why);
  }

  #startQueued(): void {
    for (const stream of this.#queue) {
      if (this.#isLeft || this.#streams.size >= this.#limit) return;
      this.#queue.delete(stream);
      this.#start(stream);
    }
  }

  #start(stream: OpenStream): void {
    const { block, outgoing } = stream;
    const id = this.#nextStream;
    this.#nextStream += 2;
    this.#streams.set(id, stream);
    this.#send(frameHead(FrameType.headers, Flag.endHeaders, id, block.length), block);
    outgoing.start(id, this.#initialWindow);
    this.#pump(outgoing);
    if (this.#nextStream > LAST_STREAM) this.#leave('the connection has no more numbers for streams');
  }

  #cancel(stream: OpenStream): void {
    const { id } = stream.outgoing;
    if (this.#queue.delete(stream) || !this.#streams.delete(id)) return;
    this.#send(numbersFrame(FrameType.reset, id, CANCEL));
    this.#goOn();
  }

  #blockOf(path: string, headers: readonly Header[]): Buffer {
    let block = this.#blocks.get(path);
    if (!block) {
      const { protocol, host } = this.#authority;
      const pseudo = { ':method': 'POST', ':scheme': protocol.slice(0, -1), ':path': path, ':authority': host };
      block = encodeHeaders([...Object.entries(pseudo), ...headers]);
      this.#blocks.set(path, block);
    }
    return block;
  }

  #send(...frames: readonly Uint8Array[]): void {
    if (this.#isOver) return;
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push(...frames);
  }

  #flush(): void {
    if (this.#isOver) return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#socket.write(bytes);
  }

  /** Sends as much of a stream as the windows allow. */
  #pump(outgoing: OutgoingStream): void {
    for (let piece = outgoing.next(this.#maxFrame); piece; piece = outgoing.next(this.#maxFrame)) {
      const flags = piece.isLast ? Flag.endStream : 0;
      this.#send(frameHead(FrameType.data, flags, outgoing.id, piece.bytes.length), piece.bytes);
    }
  }

  #read(bytes: Uint8Array): void {
    try {
      this.#reader.add(bytes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#end(this.#isGreeted ? `the server breaks the protocol: ${error.message}` : NOT_HTTP2);
    }
  }

  #take(frame: Frame): void {
    if (this.#isOver) return;
    if (!this.#isGreeted) this.#greet(frame);
    const { type, stream, payload } = frame;
    if (type === FrameType.data) this.#takeData(frame);
    else if (type === FrameType.headers || type === FrameType.continuation) this.#takeHeaders(frame);
    else if (type === FrameType.windowUpdate) this.#takeWindow(stream, payload.readUInt32BE(0) & UNRESERVED);
    else if (type === FrameType.settings) this.#takeSettings(frame);
    else if (type === FrameType.ping) this.#takePing(frame);
    else if (type === FrameType.reset) this.#takeReset(stream, payload.readUInt32BE(0));
    else if (type === FrameType.goAway) this.#takeGoAway(payload.readUInt32BE(0) & UNRESERVED);
    else if (type === FrameType.push) throw new RangeError('nobody asked for a push');
  }

  #greet({ type }: Frame): void {
    if (type !== FrameType.settings) throw new RangeError('the first frame is not SETTINGS');
    this.#isGreeted = true;
    // The server may tell a limit; there is none without.
    this.#limit = Infinity;
  }

  #takeData(frame: Frame): void {
    const { stream: id, flags, payload } = frame;
    this.#received += payload.length;
    if (this.#received >= WINDOW / 2) {
      this.#send(numbersFrame(FrameType.windowUpdate, 0, this.#received));
      this.#received = 0;
    }
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.received += payload.length;
    if (stream.received >= WINDOW / 2) {
      this.#send(numbersFrame(FrameType.windowUpdate, id, stream.received));
      stream.received = 0;
    }
    const content = contentOf(frame);
    tell(() => stream.listener.data(content));
    if (flags & Flag.endStream) this.#finish(id);
  }

  #takeHeaders(frame: Frame): void {
    const before = this.#headers;
    const isFirst = frame.type === FrameType.headers;
    if (isFirst === (before !== undefined)) throw new RangeError('a header block is interrupted by another frame');
    const payload = isFirst ? contentOf(frame) : Buffer.concat([before?.payload ?? Buffer.alloc(0), frame.payload]);
    const whole = { ...(before ?? frame), payload };
    this.#headers = frame.flags & Flag.endHeaders ? undefined : whole;
    if (this.#headers) return;
    const stream = this.#streams.get(whole.stream);
    if (!stream) return;
    const headers = decodeHeaders(payload);
    tell(() => stream.listener.headers(headers));
    if (whole.flags & Flag.endStream) this.#finish(whole.stream);
  }

  #takeWindow(id: number, bytes: number): void {
    if (id !== 0) {
      const stream = this.#streams.get(id);
      stream?.outgoing.window.grow(bytes);
      if (stream) this.#pump(stream.outgoing);
      return;
    }
    this.#window.grow(bytes);
    this.#pumpAll();
  }

  #pumpAll(): void {
    for (const { outgoing } of this.#streams.values()) this.#pump(outgoing);
  }

  #takeSettings({ flags, payload }: Frame): void {
    if (flags & Flag.acknowledge) return;
    for (const [id, value] of readSettings(payload)) {
      if (id === Setting.maxFrame) this.#maxFrame = value;
      if (id === Setting.maxStreams) this.#limit = value;
      if (id !== Setting.initialWindow) continue;
      for (const { outgoing } of this.#streams.values()) outgoing.window.grow(value - this.#initialWindow);
      this.#initialWindow = value;
    }
    this.#send(frameHead(FrameType.settings, Flag.acknowledge, 0, 0));
    this.#pumpAll();
    this.#startQueued();
  }

  #takePing({ flags, payload }: Frame): void {
    if (flags & Flag.acknowledge) return;
    this.#send(frameHead(FrameType.ping, Flag.acknowledge, 0, payload.length), Buffer.from(payload));
  }

  #takeReset(id: number, code: number): void {
    this.#finish(id, new BrokenError(`the server reset the stream (HTTP/2 error ${code})`, code === REFUSED));
  }

  /** The server ends: what it has begun it still answers. */
  #takeGoAway(last: number): void {
    this.#leave('the server is shutting down');
    for (const id of this.#streams.keys())
      if (id > last) this.#finish(id, new BrokenError('the server is shutting down', true));
    if (this.#streams.size === 0) this.#end('the server has ended');
  }

  #finish(id: number, error?: BrokenError): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#streams.delete(id);
    if (!error && !stream.outgoing.isSent) this.#send(numbersFrame(FrameType.reset, id, CANCEL));
    tell(() => stream.listener.ended(error));
    this.#goOn();
  }

  /** Does what was waiting for the end of a stream. */
  #goOn(): void {
    this.#startQueued();
    if (this.#isLeft && this.#streams.size === 0) this.#end('the server has ended');
  }

  #leave(why: string): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    tell(this.#onLeave);
    const queued = [...this.#queue];
    this.#queue.clear();
    for (const { listener } of queued) tell(() => listener.ended(new BrokenError(why, true)));
  }

  #end(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave(why);
    this.#socket.destroy();
    const open = [...this.#streams.values()];
    this.#streams.clear();
    for (const { listener } of open) tell(() => listener.ended(new BrokenError(why, false)));
  }
}

/** Calls a listener. What it throws is a bug of the program, not a fault of the server. */
function tell(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    throwToHost(error);
  }
}

type Write = (bytes: Uint8Array, isLast?: boolean) => void;

const LOST = 'the connection was lost';

/** A server with TLS closes a connection without it, usually without an answer. */
const notGreeted = ({ protocol }: URL): string =>
  protocol === 'http:'
    ? 'the server closed the connection before it spoke HTTP/2; for a server with TLS, the address must begin with https://'
    : LOST;

const NOT_HTTP2 = 'what answers there does not speak HTTP/2, so it is not etcd';

function openSocket({ protocol, hostname, port }: URL, tls: ConnectionOptions['tls']): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') return connect(Number(port || 80), host);
  const named = isIP(host) === 0 ? { servername: host } : {};
  const socket: TLSSocket = connectTls({ ...tls, ...named, host, port: Number(port || 443), ALPNProtocols: ['h2'] });
  return socket.once('secureConnect', () => {
    if (socket.alpnProtocol !== 'h2') socket.destroy(new Error(NOT_HTTP2));
  });
}
