import { WholeResponse } from '../../std/index.ts';
import type { Answer, Post, Question, Realm } from './messages.ts';
import { window } from './messages.ts';

export interface WireServer {
  /** Takes in a message of the other side. */
  receive(question: Question): void;
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

/** The origin that requests seem to come to; nothing depends on it. */
const origin = 'http://vitrine.invalid';

/** The answering end of a wire. */
export function createWireServer(handle: Handler, post: Post<Answer>): WireServer {
  const running = new Map<number, Running>();

  const answer = async (question: Question & { type: 'request' }): Promise<void> => {
    const { id } = question;
    const state: Running = { abort: new AbortController(), unread: 0, wake: undefined };
    running.set(id, state);
    try {
      const response = await handle(toRequest(question, state.abort.signal), question.realm);
      await sendResponse(id, response, state);
    } catch (error) {
      post({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(id);
    }
  };

  const sendResponse = async (id: number, response: Response, state: Running): Promise<void> => {
    const head = { type: 'head', id, status: response.status, headers: [...response.headers] } as const;
    if (response instanceof WholeResponse) return post({ ...head, streamed: false, body: response.content });
    if (!response.body) return post({ ...head, streamed: false });
    if (response.headers.get('transfer-encoding') === 'chunked') {
      post({ ...head, streamed: true });
      return sendStream(id, response.body, state);
    }
    const body = new Uint8Array(await response.arrayBuffer());
    post({ ...head, streamed: false, body }, [body.buffer]);
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

  const receive = (question: Question): void => {
    if (question.type === 'request') return void answer(question);
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

function toRequest({ path, method, headers, body }: Question & { type: 'request' }, signal: AbortSignal): Request {
  return new Request(origin + path, {
    method,
    headers: headers as [string, string][],
    signal,
    ...(body !== undefined && { body }),
  });
}
