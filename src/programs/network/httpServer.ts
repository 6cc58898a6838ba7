import { encodeText, inBackground, type StopSignal, throwToHost } from '../../std/index.ts';
import { Killed, SystemError } from '../errors.ts';
import type { Process } from '../process.ts';
import { concatenate } from '../streams/index.ts';
import { HttpError, readRequest, reasonOf, writeResponse, type HttpRequest } from './http.ts';
import type { Connection, Listener, ListenOptions } from './network.ts';
import { sniffedType } from './contentType.ts';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Texts that are sent as they come, instead of a body. Ends when the client is gone. */
  readonly parts?: AsyncIterable<string>;
}

export type Handler = (request: HttpRequest, connection: Connection) => Answer | Promise<Answer>;

const NO_OPTIONS: ListenOptions = {};

/** Serves HTTP on a port of the process's container until the process ends. Throws SystemError (EADDRINUSE). */
export function serveHttp(process: Process, port: number, handler: Handler, options = NO_OPTIONS): Listener {
  const { network } = process.system;
  const listener = network.listen(
    port,
    (connection) => inBackground(serve(process, connection, handler, options), throwToHost),
    options,
  );
  const close = (): void => {
    process.killed.removeEventListener('abort', close);
    listener.close();
  };
  process.killed.addEventListener('abort', close, { once: true });
  return { port: listener.port, close };
}

async function serve(
  process: Process,
  connection: Connection,
  handler: Handler,
  options: ListenOptions,
): Promise<void> {
  try {
    if (options.tls && !connection.tls) await refusePlain(connection, process.killed);
    else while (await serveOne(process, connection, handler));
  } catch (problem) {
    if (!isConnectionEnd(problem)) await answerBadRequest(connection);
  } finally {
    connection.stream.release();
  }
}

const isConnectionEnd = (problem: unknown): boolean => problem instanceof Killed || problem instanceof SystemError;

/** What answering takes, in steps of work: a millisecond of a core. */
const STEPS_OF_REQUEST = 20;

/** Serves the next request of a connection; false when it was the last one. */
async function serveOne(process: Process, connection: Connection, handler: Handler): Promise<boolean> {
  const { stream } = connection;
  const request = await readRequest(stream, process.killed);
  if (!request) return false;
  process.system.count(STEPS_OF_REQUEST);
  const answer = await answerOf(request, connection, handler);
  const asked = (request.headers.get('connection') ?? '').toLowerCase();
  const keeps = request.version === '1.0' ? asked.includes('keep-alive') : !asked.includes('close');
  const now = process.system.clock.now();
  if (answer.parts) return sendParts(answer, answer.parts, connection, process);
  await stream.write(bytesOf(answer, request.method === 'HEAD', keeps, now), process.killed);
  return keeps;
}

/** Sends an answer in chunks; the connection can't be used again. */
async function sendParts(
  { status = 200, headers = {} }: Answer,
  parts: AsyncIterable<string>,
  { stream }: Connection,
  { killed }: Process,
): Promise<false> {
  const lines = Object.entries({ ...headers, 'Transfer-Encoding': 'chunked' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  await stream.write(encodeText([`HTTP/1.1 ${status} ${reasonOf(status)}`, ...lines, '', ''].join('\r\n')), killed);
  for await (const part of parts) {
    const bytes = encodeText(part);
    const size = encodeText(`${bytes.length.toString(16)}\r\n`);
    await stream.write(concatenate([size, bytes, encodeText('\r\n')]), killed);
  }
  await stream.write(encodeText('0\r\n\r\n'), killed);
  return false;
}

/** A handler that fails answers 500; it doesn't take the server with it. */
async function answerOf(request: HttpRequest, connection: Connection, handler: Handler): Promise<Answer> {
  try {
    return await handler(request, connection);
  } catch (problem) {
    if (problem instanceof Killed) throw problem;
    return { status: 500, body: `${problem instanceof Error ? problem.message : String(problem)}\n` };
  }
}

function bytesOf(
  { status = 200, headers = {}, body = '' }: Answer,
  isHead: boolean,
  keeps: boolean,
  now: number,
): Uint8Array {
  const bytes = typeof body === 'string' ? encodeText(body) : body;
  const own: [string, string][] = [['Date', new Date(now).toUTCString()], ...Object.entries(headers)];
  const named = own.some(([name]) => name.toLowerCase() === 'content-type');
  if (!named && bytes.length > 0) own.push(['Content-Type', sniffedType(bytes)]);
  if (!keeps) own.push(['Connection', 'close']);
  return writeResponse(status, own, bytes, isHead);
}

async function refusePlain({ stream }: Connection, signal: StopSignal): Promise<void> {
  await stream.write(writeResponse(400, [], encodeText('Client sent an HTTP request to an HTTPS server.\n')), signal);
}

async function answerBadRequest({ stream }: Connection): Promise<void> {
  const answer = writeResponse(400, [['Connection', 'close']], encodeText('400 Bad Request'));
  await stream.write(answer).catch(() => undefined);
}

/** Path and query of a request. */
export function urlOf(request: HttpRequest): URL {
  try {
    return new URL(request.target, 'http://server');
  } catch {
    throw new HttpError(`malformed target ${request.target}`);
  }
}
