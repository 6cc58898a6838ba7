/** Requests that ask for another protocol on their connection (`Connection: Upgrade`): exec, attach, portforward, logs and watches. */
import { ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { inBackground, SwitchedResponse } from '../../std/index.ts';
import { certificatesOf, envelopeOf, goneSignal, refuse, send, toRequest, type Fetch } from './adapter.ts';
import { SpdyConnection } from './spdy/connection.ts';
import { refusalOf } from './target.ts';
import { acceptWebSocket } from './webSocket.ts';

const SPOKEN = new Set(['websocket', 'spdy/3.1']);

/** Answers requests for an upgrade with a cluster's `fetch`, under the conditions of `createListener`. */
export function acceptUpgrades(
  server: Server,
  fetch: Fetch,
  names: readonly string[] = [],
  allowsOrigin?: (origin: string) => boolean,
): void {
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!SPOKEN.has((incoming.headers.upgrade ?? '').toLowerCase()))
      return withoutUpgrade(server, incoming, socket, head);
    const fail = (): void => void socket.destroy();
    socket.on('error', fail);
    const refusal = refusalOf(envelopeOf(incoming), names, allowsOrigin);
    if (refusal) return refuse(plainAnswer(incoming, socket), refusal);
    inBackground(answer(fetch, incoming, socket, head), fail);
  });
}

/** A server may ignore an upgrade that it doesn't know: the request is read once more without it. */
export function withoutUpgrade(server: Server, incoming: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}`];
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    const [name = '', value = ''] = incoming.rawHeaders.slice(i, i + 2);
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
}

async function answer(fetch: Fetch, incoming: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
  const gone = goneSignal(socket);
  const response = await fetch(toRequest(incoming, gone, UPGRADE_HEADERS), certificatesOf(socket));
  if (response instanceof SwitchedResponse) return serve(response, incoming, socket, head);
  await send(response, plainAnswer(incoming, socket), gone);
}

/** The connection headers that an upgrade request keeps. */
const UPGRADE_HEADERS: ReadonlySet<string> = new Set(['connection', 'upgrade']);

/** The response to a request that is not upgraded after all; the connection ends with it. */
function plainAnswer(incoming: IncomingMessage, socket: Socket): ServerResponse {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once('finish', () => socket.end());
  return outgoing;
}

async function serve(
  { session, headers }: SwitchedResponse,
  incoming: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  socket.setTimeout(0);
  socket.setNoDelay(true);
  if (session.speaks === 'websocket') {
    const protocol = headers.get('sec-websocket-protocol') ?? undefined;
    return session.serve(await acceptWebSocket(incoming, socket, head, protocol));
  }
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  const first = [`HTTP/1.1 101 ${STATUS_CODES[101]}`, 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
  socket.write(`${[...first, ...lines].join('\r\n')}\r\n\r\n`);
  return session.serve(new SpdyConnection(socket, head));
}
