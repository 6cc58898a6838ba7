/** The API server in the simulated network: containers reach it at `https://SERVICE.default`. */
import {
  HttpError,
  Killed,
  readRequest,
  reasonOf,
  SystemError,
  writeResponse,
  type Connection,
  type HttpRequest,
  type Stream,
} from '../programs/index.ts';
import type { Dataplane } from '../network/index.ts';
import { encodeText, inBackground, requestTo, SwitchedResponse, throwToHost, WholeResponse } from '../std/index.ts';

/** How connections of the simulated network reach the API server. */
export interface ApiServerPort {
  readonly address: string;
  readonly port: number;
  /** Its certificates, PEM. */
  readonly certificate: () => Promise<string>;
  /** Answers a request with the credentials in it. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Accepts connections for the API server. */
export async function listenForApi(dataplane: Dataplane, server: ApiServerPort): Promise<void> {
  const certificate = await server.certificate();
  const accept = (connection: Connection): void => inBackground(serve(connection, server), throwToHost);
  dataplane.portsAt(server.address).listen(server.port, accept, { tls: { certificate } });
}

async function serve(connection: Connection, server: ApiServerPort): Promise<void> {
  const gone = new AbortController();
  try {
    while (await serveOne(connection, server, gone));
  } catch (problem) {
    // A client that disconnects or sends invalid HTTP ends only its own connection.
    if (!(problem instanceof HttpError || problem instanceof SystemError || problem instanceof Killed)) throw problem;
  } finally {
    gone.abort();
    connection.stream.release();
  }
}

/** Serves the next request of a connection; returns false after the last one. */
async function serveOne({ stream, tls }: Connection, server: ApiServerPort, gone: AbortController): Promise<boolean> {
  const request = await readRequest(stream);
  if (!request) return false;
  const response = tls ? await server.fetch(requestOf(request, gone.signal)) : plainRefusal();
  const isHead = request.method === 'HEAD';
  if (isWhole(response, isHead)) {
    await stream.write(await wholeAnswer(response, isHead));
    return tls !== undefined && !(request.headers.get('connection') ?? '').toLowerCase().includes('close');
  }
  inBackground(
    untilEnd(stream).then(() => gone.abort()),
    throwToHost,
  );
  await sendParts(response, stream);
  return false;
}

const plainRefusal = (): Response =>
  new WholeResponse('Client sent an HTTP request to an HTTPS server.\n', { status: 400 });

const noUpgrade = (): Response => new WholeResponse('Containers here can upgrade no connection.\n', { status: 501 });

function requestOf({ method, target, headers, body }: HttpRequest, signal: AbortSignal): Request {
  const init = { method, headers: [...headers] as [string, string][], signal };
  const path = target.startsWith('/') ? target : '/';
  const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
  return requestTo(`http://cluster.local${path}`, hasBody ? { ...init, body: Uint8Array.from(body) } : init);
}

const isWhole = (response: Response, isHead: boolean): boolean =>
  response instanceof WholeResponse || isHead || response.headers.has('content-length') || !response.body;

async function wholeAnswer(response: Response, isHead: boolean): Promise<Uint8Array> {
  const answer = response instanceof SwitchedResponse ? noUpgrade() : response;
  const body = isHead ? new Uint8Array(0) : new Uint8Array(await answer.arrayBuffer());
  return writeResponse(answer.status, [...answer.headers], body, isHead);
}

/** Streams an answer in chunks. Rejects if the client disconnects. */
async function sendParts({ status, headers, body }: Response, stream: Stream): Promise<void> {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  const first = `HTTP/1.1 ${status} ${reasonOf(status)}`;
  await stream.write(encodeText([first, ...lines, 'transfer-encoding: chunked', '', ''].join('\r\n')));
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      await stream.write(chunk(next.value));
    await stream.write(encodeText('0\r\n\r\n'));
  } finally {
    await reader?.cancel();
  }
}

/** Resolves when the client disconnects; further data from it is ignored. */
async function untilEnd(stream: Stream): Promise<void> {
  try {
    while (await stream.read());
  } catch (problem) {
    if (!(problem instanceof SystemError || problem instanceof Killed)) throw problem;
  }
}

function chunk(bytes: Uint8Array): Uint8Array {
  const size = encodeText(`${bytes.length.toString(16)}\r\n`);
  const whole = new Uint8Array(size.length + bytes.length + 2);
  whole.set(size);
  whole.set(bytes, size.length);
  whole.set([13, 10], size.length + bytes.length);
  return whole;
}
