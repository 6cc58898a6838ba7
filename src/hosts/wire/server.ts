import { WholeResponse } from '../../std/index.ts';
import type { Answer, Batch, Post, Question, Realm } from './messages.ts';
import { packHeaders, window } from './messages.ts';
import { createOutbox } from './outbox.ts';
import { WireRequest } from './wireRequest.ts';

export interface WireServer {
  /** Takes in a message of the other side. */
  receive(question: Question | Batch<Question>): void;
  /** The other side is gone: everything under way for it is aborted. */
  disconnect(): void;
}

/** What stands behind a wire. `request.signal` aborts when whoever asked has gone. */
export type Handler = (request: Request, realm: Realm) => Promise<Response>;

/** One request under way. */
interface Running {
  readonly abort: AbortController;
  /** Bytes sent that the reader has not taken yet. */
  unread: number;
  /** Lets a writer go on that waits for the reader. */
  wake: (() => void) | undefined;
}

/** Requests that came together: their answers go together too, unless some take longer than a turn. */
interface Group {
  unanswered: number;
}

/** The answering end of a wire. */
export function createWireServer(handle: Handler, toClient: Post<Answer | Batch<Answer>>): WireServer {
  const outbox = createOutbox(toClient);
  const running = new Map<number, Running>();

  const post = (answer: Answer): void => {
    outbox.add(answer);
    outbox.flushSoon();
  };

  /** Posts the first that is told of a request; the last of a group takes the others with it. */
  const postHead = (answer: Answer, group: Group, transfer?: Transferable[]): void => {
    outbox.add(answer, transfer);
    if (--group.unanswered === 0) outbox.flush();
    else outbox.flushLater();
  };

  const answer = async (question: Question & { type: 'request' }, group: Group): Promise<void> => {
    const { id } = question;
    const state: Running = { abort: new AbortController(), unread: 0, wake: undefined };
    running.set(id, state);
    let told = false;
    const tell = (message: Answer, transfer?: Transferable[]): void => {
      if (told) return post(message);
      told = true;
      postHead(message, group, transfer);
    };
    try {
      const response = await handle(new WireRequest(question, state.abort), question.realm);
      await sendResponse(id, response, state, tell);
    } catch (error) {
      tell({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(id);
    }
  };

  const sendResponse = async (id: number, response: Response, state: Running, tell: Post<Answer>): Promise<void> => {
    const head = { type: 'head', id, status: response.status, headers: packHeaders(response.headers) } as const;
    if (response instanceof WholeResponse) return tell({ ...head, streamed: false, body: response.content });
    if (!response.body) return tell({ ...head, streamed: false });
    if (response.headers.get('transfer-encoding') === 'chunked') {
      tell({ ...head, streamed: true });
      return sendStream(id, response.body, state);
    }
    const body = new Uint8Array(await response.arrayBuffer());
    tell({ ...head, streamed: false, body }, [body.buffer]);
  };

  const sendStream = async (
    id: number,
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    state: Running,
  ): Promise<void> => {
    const reader = body.getReader();
    const stop = (): void => {
      state.wake?.();
      void reader.cancel(state.abort.signal.reason).catch(() => undefined);
    };
    if (state.abort.signal.aborted) return stop();
    state.abort.signal.addEventListener('abort', stop, { once: true });
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      post({ type: 'chunk', id, data: next.value });
      state.unread += next.value.byteLength;
      while (state.unread >= window && !state.abort.signal.aborted) await creditFor(state);
    }
    post({ type: 'end', id });
  };

  const receive: WireServer['receive'] = (question) => {
    const questions = question.type === 'batch' ? question.messages : [question];
    const group = { unanswered: questions.filter(({ type }) => type === 'request').length };
    for (const one of questions) receiveOne(one, group);
  };

  const receiveOne = (question: Question, group: Group): void => {
    if (question.type === 'request') return void answer(question, group);
    const state = running.get(question.id);
    if (!state) return;
    if (question.type === 'abort') return state.abort.abort();
    state.unread -= question.bytes;
    state.wake?.();
  };

  const disconnect = (): void => {
    for (const state of running.values()) state.abort.abort();
  };

  return { receive, disconnect };
}

function creditFor(state: Running): Promise<void> {
  return new Promise((resolve) => {
    state.wake = resolve;
  });
}
