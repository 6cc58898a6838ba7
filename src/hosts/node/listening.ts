/** HTTP servers over a `fetch`, with TLS or without, that also switch protocols. */
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createListener, type Fetch } from './adapter.ts';
import { acceptUpgrades } from './upgrade.ts';
import { codeOf, reasonOf } from './words.ts';

/** What a server speaks TLS with, as PEM. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
  /** The authorities that clients are told to bring a certificate of. */
  readonly clientAuthorities: string | undefined;
}

interface Door {
  readonly names?: readonly string[];
  readonly allowsOrigin?: (origin: string) => boolean;
}

/** Bytes that the first line and the headers of a request may have, as in the reference: a command of `exec` stands in the URL. */
const MOST_HEADERS = { maxHeaderSize: 1024 * 1024 };

/** A server under the conditions of `createListener`. */
export function serverOver(fetch: Fetch, door: Door = {}): Server {
  return prepared(createServer(MOST_HEADERS, listenerFor(fetch, door)), fetch, door);
}

/** Like the reference, a TLS server requests a client certificate and leaves its verification to authentication. */
export function tlsServerOver(fetch: Fetch, files: TlsFiles, door: Door = {}): TlsServer {
  const options = { ...secureContext(files), ...MOST_HEADERS, requestCert: true, rejectUnauthorized: false };
  const server = prepared(createTlsServer(options, listenerFor(fetch, door)), fetch, door);
  server.on('tlsClientError', (error: Error, { remoteAddress, remotePort }: Socket) => {
    if (codeOf(error) !== 'ERR_SSL_HTTP_REQUEST') return;
    for (const socket of connections.get(server) ?? [])
      if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress) socket.end(TLS_ONLY);
  });
  return server;
}

/** The reference's answer to a request without TLS. */
const TLS_ONLY = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** The files as Node takes them, also for a server that has others. */
export const secureContext = ({ certificate, key, clientAuthorities }: TlsFiles) => ({
  ...{ cert: certificate, key },
  ...(clientAuthorities && { ca: clientAuthorities }),
});

const listenerFor = (fetch: Fetch, { names, allowsOrigin }: Door) => createListener(fetch, names, allowsOrigin);

function prepared<S extends Server>(server: S, fetch: Fetch, { names, allowsOrigin }: Door): S {
  acceptUpgrades(server, fetch, names, allowsOrigin);
  // A watch is open for as long as the API server says, whatever Node thinks of it.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  return server;
}

/** The connections of a server. It forgets those that switch protocols, but ends only when they do, too. */
const connections = new WeakMap<Server, Set<Socket>>();

/** Starts listening. Rejects with a message if the port is in use or the address does not exist. */
export async function listenAt(server: Server, port: number, host: string): Promise<AddressInfo> {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: Error): void => reject(listenError(error, port, host));
    server.once('error', refuse);
    server.listen(port, host, () => (server.off('error', refuse), resolve()));
  });
  return server.address() as AddressInfo;
}

/** The error keeps its code, by which programs know it. */
function listenError(error: Error, port: number, host: string): Error {
  const message = `can't listen on port ${port} of ${host}: ${reasonOf(error)}`;
  return Object.assign(new Error(message, { cause: error }), { code: codeOf(error) });
}

/** Ends every connection, whether the client does or not. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  for (const socket of connections.get(server) ?? []) socket.destroy();
  await closed;
}
