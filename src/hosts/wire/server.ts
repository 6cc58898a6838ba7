import { encodeText, SwitchedResponse, WholeRequest, WholeResponse, type Content } from '../../std/index.ts';
import type { Answer, Batch, Post, Question, Realm } from './messages.ts';
import { packHeaders, unpackHeaders, window } from './messages.ts';
import { createOutbox } from './outbox.ts';
import { Running } from './running.ts';
import { streamsPart } from './part.ts';

/** The origin that requests seem to come to; nothing depends on it. */
const origin = 'http://vitrine.invalid';

export interface WireServer {
  /** Takes in a message of the other side. */
  receive(question: Question | Batch<Question>): void;
  /** The other side is gone: everything under way for it is aborted. */
  disconnect(): void;
}

/** The handler of a wire's requests. `request.signal` aborts when the caller is gone. */
export type Handler = (request: Request, realm: Realm) => Promise<Response>;

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

  /** Posts the first message about a request; the last of a group is posted with the others. */
  const postHead = (answer: Answer, group: Group, transfer?: Transferable[]): void => {
    outbox.add(answer, transfer);
    if (--group.unanswered === 0) outbox.flush();
    else outbox.flushLater();
  };

  const answer = async (question: Question & { type: 'request' }, group: Group): Promise<void> => {
    const { id } = question;
    const state = new Running();
    running.set(id, state);
    let told = false;
    const tell = (message: Answer, transfer?: Transferable[]): void => {
      if (told) return post(message);
      told = true;
      postHead(message, group, transfer);
    };
    try {
      const response = await handle(requestOf(question, state), question.realm);
      await sendResponse(id, response, state, tell);
    } catch (error) {
      tell({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(id);
    }
  };

  const sendResponse = async (id: number, response: Response, state: Running, tell: Post<Answer>): Promise<void> => {
    const { status } = response;
    const headers = packHeaders(response.headers);
    if (response instanceof SwitchedResponse) return serveStreams(id, response, state, { post, tell });
    if (response instanceof WholeResponse && !response.isBodyless) {
      const body = handedOver(response.content);
      const transfer = typeof body === 'string' ? [] : [body.buffer];
      return tell({ type: 'head', id, status, headers, streamed: false, body }, transfer);
    }
    if (!response.body) return tell({ type: 'head', id, status, headers, streamed: false });
    if (response.headers.get('transfer-encoding') === 'chunked') {
      tell({ type: 'head', id, status, headers, streamed: true });
      return sendStream(id, response.body, state);
    }
    const body = new Uint8Array(await response.arrayBuffer());
    tell({ type: 'head', id, status, headers, streamed: false, body }, [body.buffer]);
  };

  const sendStream = async (
    id: number,
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    state: Running,
  ): Promise<void> => {
    const { signal } = state;
    const reader = body.getReader();
    const stop = (): void => {
      state.wake?.();
      void reader.cancel(signal.reason).catch(() => undefined);
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      outbox.add({ type: 'chunk', id, data: next.value });
      if (next.value.byteLength > SHORT) outbox.flushSoon();
      else outbox.flushPaced();
      state.unread += next.value.byteLength;
      while (state.unread >= window && !signal.aborted) await state.credit();
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
    if (question.type === 'abort') return state.abort();
    if (question.type === 'stream') return state.streams?.receive(question.frame);
    state.unread -= question.bytes;
    state.wake?.();
  };

  const disconnect = (): void => {
    for (const state of running.values()) state.abort();
  };

  return { receive, disconnect };
}

/** A longer text goes as bytes, which change hands; of a short one a copy costs less. */
const SHORT = 16 * 1024;

/** A content in the form in which the other side gets it at the least cost; nobody here may use its bytes again. */
function handedOver(content: Content): Content {
  return typeof content === 'string' && content.length > SHORT ? encodeText(content) : content;
}

function requestOf({ method, path, headers, body }: Question & { type: 'request' }, state: Running): Request {
  const signal = (): AbortSignal => state.signal;
  return new WholeRequest(origin + path, { method, headers: unpackHeaders(headers), body, signal });
}

/** A session that ends or fails ends the call. */
async function serveStreams(
  id: number,
  { session, headers }: SwitchedResponse,
  state: Running,
  { post, tell }: { readonly post: Post<Answer>; readonly tell: Post<Answer> },
): Promise<void> {
  const { WireStreams, serveOver } = await streamsPart.load();
  const streams = (state.streams = new WireStreams((frame) => post({ type: 'stream', id, frame })));
  const { speaks } = session;
  tell({ type: 'switched', id, headers: packHeaders(headers), speaks });
  await serveOver(streams, session, state.signal);
  post({ type: 'end', id });
}
