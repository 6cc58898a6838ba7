/** Where pages come in to the cluster that their server serves: a WebSocket, which has to bring the server's key. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { delay, inBackground, realClock } from '../../../std/index.ts';
import { decodeFromPage } from '../../served/frames.ts';
import {
  LONGEST_QUESTION,
  SERVED_PATH,
  type FromPage,
  type ServedCluster,
  type ToPage,
} from '../../served/messages.ts';
import { encodeFrames } from '../../wire/frames.ts';
import { createWireServer, type Answer, type Batch, type Handler, type Realm } from '../../wire/index.ts';
import { isOwnPage, refuseUpgrade } from '../ownPage.ts';

export interface Entrance {
  readonly key: string;
  readonly served: ServedCluster;
  readonly handle: Handler;
}

/** So long a page has to say its key. */
const PATIENCE_MS = 10_000;

/** What a page may ask. The other realms are of hosts that stand between a page and its cluster. */
const REALMS: ReadonlySet<Realm> = new Set<Realm>(['api', 'page', 'host']);

/** Lets pages of this very server in; returns what ends them. */
export function acceptPages(server: Server, entrance: Entrance): () => void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: LONGEST_QUESTION });
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node listens no longer, and an error that nobody listens to ends the process.
    socket.on('error', () => socket.destroy());
    if (incoming.url !== `/${SERVED_PATH}` || !isOwnPage(incoming)) return refuseUpgrade(socket);
    sockets.handleUpgrade(incoming, socket, head, (webSocket) => admit(webSocket, entrance));
  });
  return () => sockets.clients.forEach((socket) => socket.terminate());
}

function admit(socket: WebSocket, { key, served, handle }: Entrance): void {
  const post = (message: ToPage | Batch<Answer>): void => {
    if (socket.readyState === socket.OPEN) socket.send(encodeFrames(message));
  };
  const wire = createWireServer(async (request, realm) => {
    if (!REALMS.has(realm)) throw new TypeError(`a page asks nothing of ${realm}`);
    return handle(request, realm);
  }, post);
  const over = new AbortController();
  let isIn = false;
  const take = (message: FromPage): void => {
    if (isIn && message.type !== 'enter') return wire.receive(message);
    isIn = message.type === 'enter' && isSame(message.key, key);
    post(isIn ? { type: 'entered', served } : { type: 'refused' });
    if (!isIn) socket.close();
  };
  socket.on('message', (data: Buffer, isBinary) => {
    try {
      if (socket.readyState === socket.OPEN && isBinary) decodeFromPage(data).forEach(take);
      else socket.terminate();
    } catch {
      socket.terminate();
    }
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => (over.abort(), wire.disconnect()));
  const patience = delay(realClock(), PATIENCE_MS, over.signal).then(() => isIn || socket.terminate());
  inBackground(patience, () => undefined);
}

/** Compares in a time that tells nothing of the key. */
function isSame(given: string, key: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(key));
}
