/** The server's end of the bridge: the WebSocket of one tab, and the requests that go to it. */
import type { WebSocket } from 'ws';
import { decodeText, delay, inBackground, type Clock } from '../../std/index.ts';
import { createWireClient, isRead, notServed, outcomeUnknown, userAgentHeader } from '../wire/index.ts';
import type { Answer, Batch, Call, Question } from '../wire/index.ts';
import { packCertificates } from './certificates.ts';
import { encodeFrames } from '../wire/frames.ts';
import { decodeFromTab } from './frames.ts';
import { CERTIFICATES_HEADER, type FromTab, type Offer, type ToTab } from './messages.ts';

/** A tab with pending answers that is silent for this long is pinged, and dropped after the same time again. */
export const SILENCE_MS = 10_000;

/** The maximum size of a request's body in bytes; the API server accepts less. */
const LARGEST_BODY = 16 * 1024 * 1024;

const GONE = 'the tab that runs the cluster was closed, reloaded or lost';
const SILENT = 'the tab that runs the cluster does not answer';
const MALFORMED = 'the tab said what is no part of the protocol';

/** The messages of a tab besides answers. */
export interface LinkListener {
  offered(offer: Offer): void;
  /** The person has closed the bridge. */
  closed(): void;
  gone(why: string): void;
}

export class TabLink {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #listener: LinkListener;
  readonly #wire = createWireClient((question) => this.#post(question));
  readonly #over = new AbortController();
  /** The number of requests without an answer, and whether they are monitored. */
  #waiting = 0;
  #isWatched = false;
  #heard = false;

  constructor(socket: WebSocket, clock: Clock, listener: LinkListener) {
    this.#socket = socket;
    this.#clock = clock;
    this.#listener = listener;
    socket.on('message', (data: Buffer, isBinary) => this.#take(data, isBinary));
    socket.on('close', () => this.#end(GONE));
    socket.on('error', () => this.drop(MALFORMED));
  }

  /** Has the cluster in the tab answer. What can't be answered any more is a 503, or a 504 where it may have been done. */
  async fetch(request: Request, certificates: readonly Uint8Array[]): Promise<Response> {
    const body = await bodyOf(request);
    if (body === undefined) return tooLarge();
    if (this.isOver) return notServed(GONE);
    this.#waiting++;
    if (!this.#isWatched) inBackground(this.#watchOver(), () => this.drop(SILENT));
    try {
      return await this.#wire.send(callOf(request, certificates, body));
    } catch (error) {
      if (request.signal.aborted) throw error;
      const why = error instanceof Error ? error.message : String(error);
      return isRead(request.method) ? notServed(why) : outcomeUnknown(why);
    } finally {
      this.#waiting--;
    }
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  tell(message: ToTab): void {
    this.#post(message);
  }

  /** Ends it from here: what waits fails with this reason. */
  drop(why: string): void {
    this.#end(why);
    this.#socket.terminate();
  }

  /** Ends it after what was told. */
  close(why: string): void {
    this.#post({ type: 'ended', why });
    this.#end(why);
    this.#socket.close();
  }

  #post(message: ToTab | Batch<Question>): void {
    if (!this.isOver) this.#socket.send(encodeFrames(message));
  }

  #take(data: Buffer, isBinary: boolean): void {
    this.#heard = true;
    try {
      if (!isBinary) throw new TypeError(decodeText(data).slice(0, 80));
      for (const message of decodeFromTab(data)) this.#takeOne(message);
    } catch {
      this.drop(MALFORMED);
    }
  }

  #takeOne(message: FromTab): void {
    if (message.type === 'offer') this.#listener.offered(message);
    else if (message.type === 'close') this.#listener.closed();
    else if (message.type !== 'pong') this.#wire.receive(message satisfies Answer);
  }

  #end(why: string): void {
    if (this.isOver) return;
    this.#over.abort();
    this.#wire.disconnect(why);
    this.#listener.gone(why);
  }

  /** Runs while answers are pending: a frozen tab, or one stopped in a debugger, keeps its connection but is silent. */
  async #watchOver(): Promise<void> {
    const { signal } = this.#over;
    this.#isWatched = true;
    for (let asked = false; this.#waiting > 0 && !signal.aborted; asked = !this.#heard) {
      if (asked) this.#post({ type: 'ping' });
      this.#heard = false;
      await delay(this.#clock, SILENCE_MS, signal);
      if (asked && !this.#heard && this.#waiting > 0) this.drop(SILENT);
    }
    this.#isWatched = false;
  }
}

function callOf(request: Request, certificates: readonly Uint8Array[], body: ArrayBuffer | null): Call {
  const { pathname, search } = new URL(request.url);
  const own = new Set([CERTIFICATES_HEADER, userAgentHeader]);
  const headers = [...request.headers].filter(([name]) => !own.has(name));
  const proven = certificates.length === 0 ? [] : [[CERTIFICATES_HEADER, packCertificates(certificates)] as const];
  return {
    ...{ realm: 'bridge', method: request.method, path: pathname + search, signal: request.signal },
    headers: [...headers, ...proven],
    ...(body && { body }),
  };
}

/** The body of a request; null without one, undefined if it is too large. */
async function bodyOf(request: Request): Promise<ArrayBuffer | null | undefined> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > LARGEST_BODY) return undefined;
  if (declared > 0) return request.arrayBuffer();
  if (!request.body) return null;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of request.body) {
    length += chunk.length;
    if (length > LARGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return new Blob(chunks).arrayBuffer();
}

function tooLarge(): Response {
  const message = `the bridge carries requests of ${LARGEST_BODY} bytes at most`;
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message };
  return Response.json({ ...status, reason: 'RequestEntityTooLarge', code: 413 }, { status: 413 });
}
