import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { ChunkQueue, inBackground, type MessageSocket } from '../../std/index.ts';

/** Bytes of one message. */
const LONGEST_MESSAGE = 4 * 1024 * 1024;

/** Switches a connection to WebSocket; `protocol` is the sub-protocol that was agreed on. Rejects where the handshake is malformed. */
export function acceptWebSocket(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  protocol: string | undefined,
): Promise<MessageSocket> {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LONGEST_MESSAGE,
    handleProtocols: () => protocol ?? false,
  });
  return new Promise((resolve, reject) => {
    server.once('wsClientError', reject);
    server.handleUpgrade(incoming, socket, head, (webSocket) => resolve(messageSocket(webSocket)));
  });
}

function messageSocket(webSocket: WebSocket): MessageSocket {
  const messages = new ChunkQueue<string | Uint8Array>();
  const gone = new AbortController();
  webSocket.on('message', (data, isBinary) => {
    messages.push(isBinary ? bytesOf(data) : bytesOf(data).toString('utf8'));
    webSocket.pause();
    inBackground(
      messages.room().then(() => webSocket.resume()),
      () => webSocket.terminate(),
    );
  });
  webSocket.once('close', () => {
    messages.close();
    gone.abort();
  });
  webSocket.on('error', () => webSocket.terminate());
  return {
    closed: gone.signal,
    receive: () => messages.read(),
    send: (message) => new Promise((resolve) => webSocket.send(message, () => resolve())),
    close: () => webSocket.close(1000),
  };
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
