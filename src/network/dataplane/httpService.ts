/** HTTP servers on the connections of a host. */
import {
  HttpError,
  Killed,
  readRequest,
  SystemError,
  writeResponse,
  type Connection,
  type HttpRequest,
} from '../../programs/index.ts';
import { inBackground, throwToHost } from '../../std/index.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: Uint8Array;
}

/** Answers a request on a connection. */
export type AnswerHttp = (request: HttpRequest, connection: Connection) => HttpAnswer | Promise<HttpAnswer>;

/**
 * Accepts connections and answers each request separately, because requests of one connection may be for different
 * hosts.
 */
export function httpService(answer: AnswerHttp): (connection: Connection) => void {
  return (connection) => inBackground(serve(connection, answer), throwToHost);
}

async function serve(connection: Connection, answer: AnswerHttp): Promise<void> {
  const { stream } = connection;
  try {
    for (let request = await readRequest(stream); request; request = await readRequest(stream)) {
      const { status, headers, body } = await answer(request, connection);
      await stream.write(writeResponse(status, headers, body, request.method === 'HEAD'));
    }
  } catch (problem) {
    if (!isConnectionEnd(problem)) throw problem;
  } finally {
    stream.release();
  }
}

/** A client that disconnects or sends invalid HTTP ends only its own connection. */
export function isConnectionEnd(problem: unknown): boolean {
  return problem instanceof HttpError || problem instanceof SystemError || problem instanceof Killed;
}
