import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { TLSSocket, type DetailedPeerCertificate } from 'node:tls';
import { PlainHeaders, WholeRequest, WholeResponse } from '../../std/index.ts';
import { IncomingRequest } from './incomingRequest.ts';
import { refusalOf, urlOf, type Envelope, type Refusal } from './target.ts';
import { TurnWriter } from './turnWriter.ts';

/**
 * The fetch function of a cluster. `certificates` are those proved in the client's handshake, as DER, its own first.
 */
export type Fetch = (request: Request, certificates: readonly Uint8Array[]) => Promise<Response>;

/**
 * Answers Node's HTTP requests with a cluster's `fetch`; a client that disconnects aborts its request. `names` are
 * accepted hosts besides those of the loopback interface; `allowsOrigin` says which other origins may send requests.
 */
export function createListener(
  fetch: Fetch,
  names: readonly string[] = [],
  allowsOrigin?: (origin: string) => boolean,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    const refusal = refusalOf(envelopeOf(incoming), names, allowsOrigin);
    if (refusal) return refuse(outgoing, refusal);
    answer(fetch, incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' });
      outgoing.end(`${String(error)}\n`);
    });
  };
}

export function envelopeOf({ method = 'GET', url = '/', headers, rawHeaders }: IncomingMessage): Envelope {
  return {
    ...{ method, target: url, origin: headers.origin },
    host: countHosts(rawHeaders) === 1 ? headers.host : undefined,
    hasToken: /^bearer /i.test(headers.authorization ?? ''),
  };
}

/** How often a host is named among names and values: Node keeps the first alone, and takes long to tell them apart. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) count++;
  }
  return count;
}

const HOST = 'host';

export function refuse(outgoing: ServerResponse, { code, reason, message }: Refusal): void {
  const body = JSON.stringify({
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
    ...{ message, reason, code },
  });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  // What is left of the request's body is not read.
  outgoing.writeHead(code, { ...headers, connection: 'close' }).end(body);
}

async function answer(fetch: Fetch, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = goneSignal(outgoing);
  const response = await fetch(toRequest(incoming, gone), certificatesOf(incoming.socket));
  await send(response, outgoing, gone);
}

/**
 * The abort reason when nobody reads an answer any more; shared, because creating one each time would cost more than
 * the rest.
 */
const GONE = new DOMException('the client went away', 'AbortError');

/** A signal that aborts when a response is over. It is created on demand, because few answers need it. */
export function goneSignal(outgoing: ServerResponse | Socket): () => AbortSignal {
  let gone: AbortController | undefined;
  let isOver = false;
  outgoing.once('close', () => {
    isOver = true;
    gone?.abort(GONE);
  });
  return () => {
    gone ??= new AbortController();
    if (isOver) gone.abort(GONE);
    return gone.signal;
  };
}

/** Sends a response; `gone` aborts when the client is. */
export async function send(response: Response, outgoing: ServerResponse, gone: () => AbortSignal): Promise<void> {
  if (response instanceof WholeResponse) return sendWhole(response, outgoing);
  outgoing.writeHead(response.status, headersOf(response));
  if (!response.body) outgoing.end();
  else await pipe(response.body, outgoing, gone());
}

/** A connection without TLS proves nothing; an authority that signed itself is the end of the chain. */
export function certificatesOf(socket: Socket): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  if (!(socket instanceof TLSSocket)) return chain;
  let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  const seen = new Set<string>();
  // A client without a certificate gives an empty object.
  while (certificate?.raw && !seen.has(certificate.fingerprint256)) {
    seen.add(certificate.fingerprint256);
    chain.push(new Uint8Array(certificate.raw));
    certificate = certificate.issuerCertificate;
  }
  return chain;
}

function sendWhole(response: WholeResponse, outgoing: ServerResponse): void {
  if (response.isBodyless) return void outgoing.writeHead(response.status, headersOf(response)).end();
  const { content } = response;
  const length = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  outgoing.writeHead(response.status, [...headersOf(response), ['content-length', String(length)]]);
  // A text goes out in one piece with the headers.
  outgoing.end(content);
}

/** Headers that speak of the connection, not of the request. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'proxy-connection',
]);

export function toRequest(
  incoming: IncomingMessage,
  signal: () => AbortSignal,
  kept: ReadonlySet<string> = new Set(),
): Request {
  const headers = new PlainHeaders();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [incoming.rawHeaders[i], incoming.rawHeaders[i + 1]];
    if (!connectionHeaders.has(name.toLowerCase()) || kept.has(name.toLowerCase())) headers.append(name, value);
  }
  const url = urlOf(incoming.url ?? '/');
  const init = { method: incoming.method ?? 'GET', headers, signal };
  if (!hasBody(incoming)) return new WholeRequest(url, init);
  if (incoming.headers['transfer-encoding'] === undefined) return new IncomingRequest(url, incoming, init);
  // Of a body whose length nobody knows, no more is read than may be.
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const streamed: RequestInit & { duplex: 'half' } = { ...init, signal: signal(), body, duplex: 'half' };
  return new Request(url, streamed);
}

/** A GET may carry a body over HTTP; a Request may not, and no API reads one. */
function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Node frames the body itself, so it is not told how. */
function headersOf(response: Response): [string, string][] {
  return [...response.headers].filter(([name]) => name !== 'transfer-encoding');
}

/** Writes the body as fast as the client reads, and stops when the client disconnects. */
async function pipe(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  gone.addEventListener('abort', cancel, { once: true });
  outgoing.flushHeaders();
  const writer = new TurnWriter(outgoing);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!writer.write(next.value)) await drained(outgoing, gone);
    }
    writer.flush();
    outgoing.end();
  } catch {
    outgoing.destroy();
  } finally {
    gone.removeEventListener('abort', cancel);
  }
}

function drained(outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      gone.removeEventListener('abort', done);
      outgoing.off('drain', done);
      resolve();
    };
    if (gone.aborted) return resolve();
    gone.addEventListener('abort', done, { once: true });
    outgoing.once('drain', done);
  });
}
