import { decodeText, encodeText } from '../../std/index.ts';
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

/** Reads a request; undefined where the stream ends before one begins. Rejects with HttpError where it is malformed. */
export async function readRequest(stream: Stream, signal?: AbortSignal): Promise<HttpRequest | undefined> {
  const first = await textLine(stream, signal);
  if (first === undefined) return undefined;
  const [, method = '', target = '', version = ''] = /^([!-~]+) ([!-~]+) HTTP\/(\d\.\d)$/.exec(first) ?? [];
  if (!method) throw new HttpError(`malformed HTTP request ${JSON.stringify(first.slice(0, 100))}`);
  const headers = await readHeaders(stream, signal);
  const body = await readBody(stream, headers, false, signal);
  return { method, target, version, headers, body };
}

/** Reads an answer. `isHead`: the request was one whose answer has no body. */
export async function readResponse(stream: Stream, isHead: boolean, signal?: AbortSignal): Promise<HttpResponse> {
  const first = await textLine(stream, signal);
  if (first === undefined) throw new SystemError('ECONNRESET');
  const [, code = '', reason = ''] = /^HTTP\/\d(?:\.\d)? (\d{3})(?: (.*))?$/.exec(first) ?? [];
  if (!code) throw new HttpError(`malformed HTTP response ${JSON.stringify(first.slice(0, 100))}`);
  const headers = await readHeaders(stream, signal);
  const status = Number(code);
  if (status === 100) return readResponse(stream, isHead, signal);
  const isEmpty = isHead || status === 204 || status === 304;
  const body = isEmpty ? new Uint8Array(0) : await readBody(stream, headers, true, signal);
  return { status, reason, headers, body };
}

async function textLine(stream: Stream, signal?: AbortSignal): Promise<string | undefined> {
  const bytes = await readLine(stream, signal);
  return bytes && decodeText(bytes).replace(/\r?\n$/, '');
}

async function readHeaders(stream: Stream, signal?: AbortSignal): Promise<Map<string, string>> {
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
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (/\bchunked\b/i.test(headers.get('transfer-encoding') ?? '')) return readChunks(stream, signal);
  const length = headers.get('content-length');
  if (length !== undefined) return readExactly(stream, lengthOf(length), signal);
  return untilEnd ? readExactly(stream, Infinity, signal) : new Uint8Array(0);
}

function lengthOf(text: string): number {
  const length = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(length <= LONGEST_BODY)) throw new HttpError(`bad Content-Length ${JSON.stringify(text)}`);
  return length;
}

async function readChunks(stream: Stream, signal?: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let total = 0; total <= LONGEST_BODY;) {
    const line = await textLine(stream, signal);
    const size = parseInt(line ?? '', 16);
    if (!(size >= 0)) throw new HttpError('malformed chunked encoding');
    if (size === 0) {
      while (await textLine(stream, signal));
      return concatenate(chunks);
    }
    total += size;
    if (total > LONGEST_BODY) break;
    chunks.push(await readExactly(stream, size, signal));
    await textLine(stream, signal);
  }
  throw new HttpError('the body is too long');
}

async function readExactly(stream: Stream, length: number, signal?: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < length) {
    const chunk = await stream.read(signal);
    if (!chunk && length === Infinity) break;
    if (!chunk) throw new HttpError('unexpected EOF');
    const wanted = chunk.subarray(0, length - size);
    if (wanted.length < chunk.length) stream.unread(chunk.subarray(wanted.length));
    chunks.push(wanted);
    size += wanted.length;
    if (size > LONGEST_BODY) throw new HttpError('the body is too long');
  }
  return concatenate(chunks);
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
