import { type Clock, delay, type StopSignal } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import { HttpError, openResponse, wholeBody, writeRequest, type HttpResponse, type OpenResponse } from './http.ts';
import type { Network } from './network.ts';

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: StopSignal;
  /** Milliseconds of the clock until ETIMEDOUT. */
  readonly timeout?: number;
  readonly clock?: Clock;
  /** The certificates that are trusted over https, PEM. Without them the server's is not looked at. */
  readonly authorities?: string;
  /** The expected name in the server's certificate; the URL's host by default. */
  readonly serverName?: string;
  /** Where to connect instead of the URL's host. */
  readonly address?: string;
  /** Called once it is known which address is connected to. */
  readonly onAddress?: (address: string) => void;
}

/** Makes one HTTP request over a network and reads the whole answer. Rejects with SystemError, HttpError or Killed. */
export async function httpRequest(network: Network, url: URL, options: RequestOptions = {}): Promise<HttpResponse> {
  if (options.timeout === undefined || !options.clock) return exchange(network, url, options);
  const timer = new AbortController();
  const stop = (): void => timer.abort();
  options.signal?.addEventListener('abort', stop, { once: true });
  const late = delay(options.clock, options.timeout, timer.signal).then(() => {
    throw new SystemError('ETIMEDOUT', url.hostname);
  });
  try {
    return await Promise.race([exchange(network, url, { ...options, signal: timer.signal }), late]);
  } finally {
    late.catch(() => undefined);
    timer.abort();
    options.signal?.removeEventListener('abort', stop);
  }
}

async function exchange(network: Network, url: URL, options: RequestOptions): Promise<HttpResponse> {
  const { parts, close, ...head } = await openRequest(network, url, options);
  try {
    return { ...head, body: await wholeBody(parts) };
  } finally {
    close();
  }
}

/** An answer with a streamed body. The reader closes it when done. */
export interface StreamedResponse extends OpenResponse {
  readonly close: () => void;
}

/** Makes one HTTP request over a network and reads the answer up to its body. Rejects as `httpRequest`. */
export async function openRequest(network: Network, url: URL, options: RequestOptions): Promise<StreamedResponse> {
  const { method = 'GET', headers = {}, body, signal, onAddress } = options;
  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const target = { host: options.address ?? host, port: Number(url.port) || (isTls ? 443 : 80) };
  const { serverName = host, authorities } = options;
  const tls = { serverName, ...(authorities !== undefined && { authorities }) };
  const how = { ...(signal && { signal }), ...(isTls && { tls }), ...(onAddress && { onAddress }) };
  const connection = await network.connect(target, how);
  const close = (): void => connection.stream.release();
  try {
    if (isTls && !connection.tls) throw new HttpError('http: server gave HTTP response to HTTPS client');
    const all = Object.entries({ Host: url.host, Connection: 'close', ...headers });
    await connection.stream.write(writeRequest(method, url.pathname + url.search, all, body), signal);
    return { ...(await openResponse(connection.stream, method === 'HEAD', signal)), close };
  } catch (problem) {
    close();
    throw problem;
  }
}
