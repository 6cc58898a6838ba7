/** The WebSocket from a page to the server of its cluster; after a loss the next request reopens it. */
import { encodeText, inBackground, throwToHost, utf8Length } from '../../std/index.ts';
import { decodeToPage } from '../served/frames.ts';
import { LONGEST_QUESTION, type FromPage, type ServedCluster, type ToPage } from '../served/messages.ts';
import { newNonce, proofOf } from '../served/proof.ts';
import { encodeFrames } from '../wire/frames.ts';
import {
  createWireClient,
  isRead,
  notServed,
  outcomeUnknown,
  type Batch,
  type Call,
  type Question,
} from '../wire/index.ts';
import { BootError } from './connection.ts';

/** Attempts within this many milliseconds after a failed one fail with its error. */
const REST_MS = 500;

/** The state of the server: connected, reconnecting, or running with another key. */
export type LineState =
  { readonly is: 'open'; readonly served: ServedCluster } | { readonly is: 'away' | 'refused'; readonly why: string };

/** The keys that a page has for its server. */
export interface Keys {
  /** Those to try, read anew for each connection. */
  all(): readonly string[];
  /** Hears which one the server has. */
  fits(key: string): void;
}

export class Line {
  readonly left: Promise<string>;
  readonly #url: URL;
  readonly #keys: Keys;
  #leave: (reason: string) => void = () => undefined;
  #isOver = false;
  #socket: WebSocket | undefined;
  #opening: Promise<ServedCluster> | undefined;
  #state: LineState = { is: 'away', why: AWAY };
  readonly #listeners = new Set<(state: LineState) => void>();
  readonly #wire = createWireClient((question: Question | Batch<Question>) => this.#post(question));

  /** `url` is where the server takes WebSockets. */
  constructor(url: URL, keys: Keys) {
    this.#url = url;
    this.#keys = keys;
    this.left = new Promise((resolve) => (this.#leave = resolve));
  }

  get state(): LineState {
    return this.#state;
  }

  /** Calls back with how it stands, now and whenever that changes; returns what ends it. */
  follow(listener: (state: LineState) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#state);
    return () => void this.#listeners.delete(listener);
  }

  /** The connection; rejects with a BootError. */
  connect(): Promise<ServedCluster> {
    if (this.#isOver) return Promise.reject(new BootError('away', LEFT));
    return (this.#opening ??= this.#open());
  }

  /** Never waits for a connection that is lost: a read is then answered 503, a write whose outcome nobody knows 504. */
  async send(call: Call): Promise<Response> {
    if (sizeOf(call) > LONGEST_QUESTION) return tooLarge();
    try {
      await this.connect();
    } catch (error) {
      call.signal?.throwIfAborted();
      return notServed(messageOf(error));
    }
    const socket = this.#socket;
    try {
      return await this.#wire.send(call);
    } catch (error) {
      const isConnected = socket === this.#socket && socket?.readyState === WebSocket.OPEN;
      if (call.signal?.aborted || isConnected) throw error;
      return isRead(call.method) ? notServed(messageOf(error)) : outcomeUnknown(messageOf(error));
    }
  }

  leave(): Promise<void> {
    this.#isOver = true;
    this.#socket?.close();
    this.#leave(LEFT);
    return Promise.resolve();
  }

  /** A batch that is too long goes in pieces. What can't be sent fails, rather than wait for an answer. */
  #post(message: FromPage | Batch<Question>): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return this.#wire.disconnect(AWAY);
    const bytes = encodeFrames(message);
    if (bytes.length <= LONGEST_QUESTION || message.type !== 'batch') socket.send(bytes);
    else for (const one of message.messages) socket.send(encodeFrames(one));
  }

  #enter(state: LineState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  #open(): Promise<ServedCluster> {
    const socket = (this.#socket = new WebSocket(this.#url.href));
    socket.binaryType = 'arraybuffer';
    const nonce = newNonce();
    let lost: LineState & { readonly is: 'away' | 'refused' } = { is: 'away', why: AWAY };
    let isIn = false;
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        lost = { is: 'refused', why: REFUSED };
        socket.close();
      };
      const take = (message: ToPage): void => {
        if (message.type === 'challenge') inBackground(this.#prove(nonce, message, refuse), throwToHost);
        else if (message.type === 'refused') refuse();
        else if (message.type === 'entered') {
          isIn = true;
          this.#enter({ is: 'open', served: message.served });
          resolve(message.served);
        } else this.#wire.receive(message);
      };
      socket.onopen = () => this.#post({ type: 'hello', nonce });
      socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
        try {
          decodeToPage(typeof data === 'string' ? encodeText(data) : new Uint8Array(data)).forEach(take);
        } catch (error) {
          inBackground(Promise.reject(error instanceof Error ? error : new Error(String(error))), throwToHost);
          socket.close();
        }
      };
      socket.onclose = () => {
        reject(new BootError('away', lost.why));
        // After a lost connection the next call connects at once; after a failed attempt only when a while has passed.
        if (isIn) this.#opening = undefined;
        else setTimeout(() => (this.#opening = undefined), REST_MS);
        this.#enter(lost);
        this.#wire.disconnect(lost.why);
      };
    });
  }

  /** Shows the server that this page has its key, once the server has shown that. The key itself is never sent. */
  async #prove(
    page: string,
    { nonce: server, proof }: ToPage & { readonly type: 'challenge' },
    refuse: () => void,
  ): Promise<void> {
    const meeting = { page, server, port: Number(this.#url.port || DEFAULT_PORT) };
    for (const key of this.#keys.all()) {
      if ((await proofOf(key, 'server', meeting)) !== proof) continue;
      this.#keys.fits(key);
      return this.#post({ type: 'enter', proof: await proofOf(key, 'page', meeting) });
    }
    refuse();
  }
}

const DEFAULT_PORT = 80;

/** Bytes that a call takes on the line; more rather than less. */
function sizeOf({ path, headers, body }: Call): number {
  const texts = [path, ...headers.flat()].reduce((sum, text) => sum + text.length * 3, HEAD);
  return texts + (typeof body === 'string' ? utf8Length(body) : (body?.byteLength ?? 0));
}

/** The overhead of a message. */
const HEAD = 1024;

const tooLarge = (): Response => {
  const message = `the request is larger than the ${LONGEST_QUESTION / 1024 / 1024} MiB that the server of this page takes`;
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message };
  return Response.json({ ...status, reason: 'RequestEntityTooLarge', code: 413 }, { status: 413 });
};

const AWAY = 'the server that runs this cluster does not answer; start it again with npm run serve -- --page';
const REFUSED = 'this page has no key of the server; open the link that npm run serve -- --page printed';
const LEFT = 'the cluster was left';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
