/** What a request asks its connection to be switched to. */
import { getOwn } from '../../std/index.ts';

/** The protocol to which a request's connection is switched. */
export type Upgrade = 'websocket' | 'spdy';

const PROTOCOLS: Readonly<Record<string, Upgrade>> = { websocket: 'websocket', 'spdy/3.1': 'spdy' };

/** The protocol that a request asks for with `Connection: Upgrade`; undefined if it is not supported. */
export function upgradeOf({ headers }: Request): Upgrade | undefined {
  const connection = (headers.get('connection') ?? '').toLowerCase().split(',');
  if (!connection.some((token) => token.trim() === 'upgrade')) return undefined;
  return getOwn(PROTOCOLS, (headers.get('upgrade') ?? '').toLowerCase());
}

export const wantsWebSocket = (request: Request): boolean =>
  request.method === 'GET' && upgradeOf(request) === 'websocket';
