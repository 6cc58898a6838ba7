import { decodeText, encodeText, type StopSignal } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import { concatenate, readLine, type Stream } from '../streams/index.ts';

/** A request or answer of HTTP/1.1 over a stream. Names of headers are in lower case. */
export interface HttpMessage {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

export interface HttpRequest extends HttpMessage {
  readonly method: string;
  /** Path and query as they stand in the request. */
  readonly target: string;
  /** `1.0` or `1.1`. */
  readonly version: string;
}

export interface HttpResponse extends HttpMessage {
  readonly status: number;
  readonly reason: string;
}

const MOST_HEADERS = 100;
/** Bytes of a body that is kept whole. */
const LONGEST_BODY = 8 * 1024 * 1024;

export class HttpError extends Error {
  override name = 'HttpError';
}

/** Reads a request; undefined if the stream ends before one begins. Rejects with HttpError if it is malformed. */
export async function readRequest(stream: Stream, signal?: StopSignal): Promise<HttpRequest | undefined> {
  const first = await textLine(stream, signal);
  if (first === undefined) return undefined;
  const [, method = '', target = '', version = ''] = /^([!-~]+) ([!-~]+) HTTP\/(\d\.\d)$/.exec(first) ?? [];
  if (!method) throw new HttpError(`malformed HTTP request ${JSON.stringify(first.slice(0, 100))}`);
  const headers = await readHeaders(stream, signal);
  const body = await readBody(stream, headers, false, signal);
  return { method, target, version, headers, body };
}

/** An answer whose body is still on its way. */
export interface OpenResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: ReadonlyMap<string, string>;
  /** The streamed bytes; empty if the answer has no body. */
  readonly parts: AsyncGenerator<Uint8Array, void>;
}

/** Reads an answer up to its body. `isHead`: the request was one whose answer has no body. */
export async function openResponse(stream: Stream, isHead: boolean, signal?: StopSignal): Promise<OpenResponse> {
  const first = await textLine(stream, signal);
  if (first === undefined) throw new SystemError('ECONNRESET');
  const [, code = '', reason = ''] = /^HTTP\/\d(?:\.\d)? (\d{3})(?: (.*))?$/.exec(first) ?? [];
  if (!code) throw new HttpError(`malformed HTTP response ${JSON.stringify(first.slice(0, 100))}`);
  const headers = await readHeaders(stream, signal);
  const status = Number(code);
  if (status === 100) return openResponse(stream, isHead, signal);
  const isEmpty = isHead || status === 204 || status === 304;
  return { status, reason, headers, parts: isEmpty ? noParts() : bodyParts(stream, headers, true, signal) };
}

/** Reads a whole answer. */
export async function readResponse(stream: Stream, isHead: boolean, signal?: StopSignal): Promise<HttpResponse> {
  const { parts, ...head } = await openResponse(stream, isHead, signal);
  return { ...head, body: await wholeBody(parts) };
}

async function textLine(stream: Stream, signal?: StopSignal): Promise<string | undefined> {
  const bytes = await readLine(stream, signal);
  return bytes && decodeText(bytes).replace(/\r?\n$/, '');
}

async function readHeaders(stream: Stream, signal?: StopSignal): Promise<Map<string, string>> {
  const headers = new Map<string, string>();
  for (let i = 0; i < MOST_HEADERS; i++) {
    const line = await textLine(stream, signal);
    if (line === undefined) throw new HttpError('unexpected EOF');
    if (line === '') return headers;
    const colon = line.indexOf(':');
    if (colon <= 0) throw new HttpError(`malformed MIME header line: ${line.slice(0, 100)}`);
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  throw new HttpError('too many headers');
}

async function readBody(
  stream: Stream,
  headers: ReadonlyMap<string, string>,
  untilEnd: boolean,
  signal?: StopSignal,
): Promise<Uint8Array> {
  if (Number(headers.get('content-length') ?? 0) > LONGEST_BODY) throw new HttpError('the body is too long');
  return wholeBody(bodyParts(stream, headers, untilEnd, signal));
}

/** Collects a body. Rejects with HttpError if it is too long. */
export async function wholeBody(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    chunks.push(part);
    size += part.length;
    if (size > LONGEST_BODY) throw new HttpError('the body is too long');
  }
  return concatenate(chunks);
}

/** A body without parts. */
async function* noParts(): AsyncGenerator<Uint8Array, void> {}

async function* bodyParts(
  stream: Stream,
  headers: ReadonlyMap<string, string>,
  untilEnd: boolean,
  signal?: StopSignal,
): AsyncGenerator<Uint8Array, void> {
  const length = headers.get('content-length');
  if (/\bchunked\b/i.test(headers.get('transfer-encoding') ?? '')) yield* chunkedParts(stream, signal);
  else if (length !== undefined) yield* exactParts(stream, lengthOf(length), signal);
  else if (untilEnd) yield* exactParts(stream, Infinity, signal);
}

function lengthOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new HttpError(`bad Content-Length ${JSON.stringify(text)}`);
  return Number(text);
}

async function* chunkedParts(stream: Stream, signal?: StopSignal): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const line = await textLine(stream, signal);
    const size = parseInt(line ?? '', 16);
    if (!(size >= 0)) throw new HttpError('malformed chunked encoding');
    if (size === 0) break;
    yield* exactParts(stream, size, signal);
    await textLine(stream, signal);
  }
  while (await textLine(stream, signal));
}

async function* exactParts(stream: Stream, length: number, signal?: StopSignal): AsyncGenerator<Uint8Array, void> {
  for (let left = length; left > 0;) {
    const chunk = await stream.read(signal);
    if (!chunk && length === Infinity) return;
    if (!chunk) throw new HttpError('unexpected EOF');
    const wanted = chunk.subarray(0, left);
    if (wanted.length < chunk.length) stream.unread(chunk.subarray(wanted.length));
    left -= wanted.length;
    yield wanted;
  }
}

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  418: "I'm a teapot",
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export const reasonOf = (status: number): string => REASONS[status] ?? `status code ${status}`;

/** A request as bytes. */
export function writeRequest(method: string, target: string, headers: Headers, body?: Uint8Array): Uint8Array {
  const length = body ? [['content-length', String(body.length)] as const] : [];
  return message(`${method} ${target} HTTP/1.1`, [...headers, ...length], body);
}

/** An answer as bytes; its length is added. */
export function writeResponse(status: number, headers: Headers, body: Uint8Array, isHead = false): Uint8Array {
  const all = [...headers];
  if (!all.some(([name]) => name.toLowerCase() === 'content-length') && status !== 204 && status !== 304)
    all.push(['Content-Length', String(body.length)]);
  return message(`HTTP/1.1 ${status} ${reasonOf(status)}`, all, isHead ? undefined : body);
}

export type Headers = Iterable<readonly [string, string]>;

function message(first: string, headers: Headers, body: Uint8Array | undefined): Uint8Array {
  const lines = [first, ...Array.from(headers, ([name, value]) => `${name}: ${value.replace(/[\r\n]/g, ' ')}`), '', ''];
  const head = encodeText(lines.join('\r\n'));
  return body && body.length > 0 ? concatenate([head, body]) : head;
}
