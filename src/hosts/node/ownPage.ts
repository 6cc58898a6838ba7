/** WebSockets that only the page may open which the same server gives out. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { envelopeOf } from './adapter.ts';
import { refusalOf } from './target.ts';

/** Whether a request comes from this machine, for a name of this machine, from the page that this very server serves. */
export function isOwnPage(incoming: IncomingMessage): boolean {
  const { origin, host } = incoming.headers;
  const isNear = /^(::ffff:)?127\.|^::1$/.test(incoming.socket.remoteAddress ?? '');
  return isNear && origin === `http://${host}` && refusalOf(envelopeOf(incoming), []) === undefined;
}

/** Refuses, and closes the connection even if the client keeps its side open. */
export function refuseUpgrade(socket: Socket): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n', () => socket.destroy());
}
