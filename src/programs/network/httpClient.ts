import { delay, type Clock } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import { readResponse, writeRequest, type HttpResponse } from './http.ts';
import type { Network } from './network.ts';

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
  /** Milliseconds of the clock until ETIMEDOUT. */
  readonly timeout?: number;
  readonly clock?: Clock;
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
  const { method = 'GET', headers = {}, body, signal } = options;
  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(url.port) || (isTls ? 443 : 80) };
  const connection = await network.connect(target, {
    ...(signal ? { signal } : {}),
    ...(isTls ? { tls: { serverName: host } } : {}),
  });
  try {
    const all = Object.entries({ Host: url.host, Connection: 'close', ...headers });
    await connection.stream.write(writeRequest(method, url.pathname + url.search, all, body), signal);
    return await readResponse(connection.stream, method === 'HEAD', signal);
  } finally {
    connection.stream.release();
  }
}
