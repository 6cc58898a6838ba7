import { inBackground, SwitchedResponse, WholeResponse } from '../../std/index.ts';
import type { Answer, Batch, HeaderList, Post, Question, Realm } from './messages.ts';
import { packHeaders, unpackHeaders, window } from './messages.ts';
import { createOutbox } from './outbox.ts';
import { streamsPart } from './part.ts';
import type { WireStreams } from './streams.ts';

export interface Call {
  readonly realm: Realm;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: HeaderList;
  readonly body?: ArrayBuffer | string;
  readonly signal?: AbortSignal | null;
}

export interface WireClient {
  /** Asks the other side. Rejects with the signal's reason when aborted, with a TypeError when the other side is gone. */
  send(call: Call): Promise<Response>;
  /** Takes in a message of the other side. */
  receive(answer: Answer | Batch<Answer>): void;
  /** The other side is gone: everything that waits for it fails, as when a connection breaks. */
  disconnect(why: string): void;
}

/** The waiting caller of a request. */
interface Waiting {
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
  /** Removes the listener of its signal. */
  forget(): void;
}

/** The state of an unfinished call. */
interface Pending {
  /**
   * Undefined once it is finished: a long-lived map may reference removed entries for a while, with everything that
   * they refer to.
   */
  waiting: Waiting | undefined;
  body?: ReadableStreamDefaultController<Chunk>;
  streams?: WireStreams;
  /** Bytes that the reader has consumed and not acknowledged yet. */
  owed: number;
}

type Chunk = Uint8Array<ArrayBuffer>;

const inBytes: QueuingStrategy<Chunk> = { highWaterMark: window / 4, size: (chunk) => chunk?.byteLength ?? 0 };
const bodyless = new Set([101, 204, 205, 304]);

/** The asking end of a wire. */
export function createWireClient(toServer: Post<Question | Batch<Question>>): WireClient {
  const outbox = createOutbox(toServer);
  const pending = new Map<number, Pending>();
  let lastId = 0;

  const post = (question: Question): void => {
    outbox.add(question);
    outbox.flushSoon();
  };

  const send = (call: Call): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { signal, realm, method, path, headers, body } = call;
      const packed = packHeaders(headers);
      if (signal?.aborted) return reject(signal.reason as Error);
      const id = ++lastId;
      const abort = (): void => settle(id, signal?.reason, () => post({ type: 'abort', id }));
      signal?.addEventListener('abort', abort, { once: true });
      const forget = (): void => signal?.removeEventListener('abort', abort);
      pending.set(id, { waiting: { resolve, reject, forget }, owed: 0 });
      const question = { type: 'request', id, realm, method, path, headers: packed } as const;
      post(body === undefined ? question : { ...question, body });
    });

  /** Ends a call: successfully, or with an error for the caller that waits for its head or reads its body. */
  const settle = (id: number, error?: unknown, tell?: () => void): void => {
    const entry = pending.get(id);
    if (!entry) return;
    const { body, streams } = entry;
    const waiting = takeOut(id, entry);
    tell?.();
    if (streams) streams.close();
    else if (!body) waiting?.reject(error ?? new TypeError('the connection was closed'));
    else if (error === undefined) body.close();
    else body.error(error);
  };

  const takeOut = (id: number, entry: Pending): Waiting | undefined => {
    const { waiting } = entry;
    pending.delete(id);
    waiting?.forget();
    entry.waiting = undefined;
    return waiting;
  };

  /** Tells the writer of what was read, now and then rather than for every chunk. */
  const giveCredit = (id: number, entry: Pending): void => {
    if (entry.owed < window / 4) return;
    post({ type: 'credit', id, bytes: entry.owed });
    entry.owed = 0;
  };

  const bodyOf = (id: number, entry: Pending): ReadableStream<Chunk> =>
    new ReadableStream<Chunk>(
      {
        start: (controller) => void (entry.body = controller),
        pull: () => giveCredit(id, entry),
        cancel: () => {
          if (pending.has(id)) post({ type: 'abort', id });
          takeOut(id, entry);
        },
      },
      inBytes,
    );

  const receiveHead = (answer: Answer & { type: 'head' }, entry: Pending): void => {
    const { id, status, headers, streamed } = answer;
    const init = { status, headers: unpackHeaders(headers) };
    if (streamed) return entry.waiting?.resolve(new Response(bodyOf(id, entry), init));
    const { body } = answer;
    takeOut(id, entry)?.resolve(new WholeResponse(body === undefined || bodyless.has(status) ? null : body, init));
  };

  const receiveChunk = (answer: Answer & { type: 'chunk' }, entry: Pending): void => {
    entry.body?.enqueue(answer.data);
    entry.owed += answer.data.byteLength;
    if ((entry.body?.desiredSize ?? 0) > 0) giveCredit(answer.id, entry);
  };

  /** A response whose session speaks over the wire. */
  const receiveSwitched = async (answer: Answer & { type: 'switched' }, entry: Pending): Promise<void> => {
    const { id, headers } = answer;
    const { WireStreams, sessionOver } = await streamsPart.load();
    if (!entry.waiting) return;
    const streams = (entry.streams = new WireStreams((frame) => post({ type: 'stream', id, frame })));
    const leave = (): void => settle(id, undefined, () => post({ type: 'abort', id }));
    const session = sessionOver(streams, answer.speaks, leave);
    entry.waiting.resolve(new SwitchedResponse(session, Object.fromEntries(unpackHeaders(headers))));
  };

  const receive: WireClient['receive'] = (answer) => {
    if (answer.type === 'batch') answer.messages.forEach(receiveOne);
    else receiveOne(answer);
  };

  const receiveOne = (answer: Answer): void => {
    const entry = pending.get(answer.id);
    if (!entry) return;
    if (answer.type === 'head') receiveHead(answer, entry);
    else if (answer.type === 'chunk') receiveChunk(answer, entry);
    else if (answer.type === 'stream') entry.streams?.receive(answer.frame);
    else if (answer.type === 'switched')
      inBackground(receiveSwitched(answer, entry), (problem) =>
        settle(answer.id, problem, () => post({ type: 'abort', id: answer.id })),
      );
    else if (answer.type === 'end') settle(answer.id);
    else settle(answer.id, new TypeError(answer.message));
  };

  const disconnect = (why: string): void => {
    for (const id of [...pending.keys()]) settle(id, new TypeError(why));
  };

  return { send, receive, disconnect };
}
