/** Connections with several streams, the basis of exec, attach and portforward. */
import { inBackground, streamPair, SwitchedResponse, throwToHost, type StreamConnection } from '../std/index.ts';
import { request } from './request.ts';
import type { Transport } from './types.ts';

/** A connection, and the subprotocol that the server chose. */
export interface Connected {
  readonly connection: StreamConnection;
  /** Empty if none was offered. */
  readonly protocol: string;
}

const VERSION = 'x-stream-protocol-version';

/**
 * Requests streams at `path` and offers `subprotocols`; the first that the server supports is used. `transport` must
 * lead to a host in this process or behind a wire. Rejects with a StatusError if the server refuses. The connection
 * closes when `signal` aborts.
 */
export async function connect(
  transport: Transport,
  path: string,
  subprotocols: readonly string[] = [],
  { signal, userAgent }: { readonly signal?: AbortSignal; readonly userAgent?: string } = {},
): Promise<Connected> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'SPDY/3.1',
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
  };
  const offered = subprotocols.length === 0 ? {} : { [VERSION]: subprotocols.join(',') };
  const init = { method: 'POST', headers: { ...headers, ...offered }, ...(signal && { signal }) };
  const response = await transport(path, init);
  if (!(response instanceof SwitchedResponse)) return refused(response);
  const { session } = response;
  if (session.speaks !== 'spdy') throw new TypeError('the server switched to another protocol than requested');
  const { connection, socket } = streamPair();
  signal?.addEventListener('abort', () => connection.close(), { once: true });
  const served = session.serve(socket).finally(() => socket.close());
  inBackground(served, throwToHost);
  return { connection, protocol: response.headers.get(VERSION) ?? '' };
}

async function refused(response: Response): Promise<never> {
  // Turns a refusal into a StatusError, as for any request.
  await request(() => Promise.resolve(response), '');
  throw new TypeError('the server did not switch the connection to streams');
}
