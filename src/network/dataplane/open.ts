import { connectionPair, type Address, type Connection, type ConnectOptions } from '../../programs/index.ts';
import type { Acceptor } from './ports.ts';

/** Both ends of a connection, as its client asked for it and its server sees it. */
export interface Ends {
  readonly client: Address;
  /** The address that the client asked for: that of a service, perhaps. */
  readonly asked: Address;
  readonly server: Address;
  /** The client as the server sees it. */
  readonly seen: Address;
}

/** Opens a connection to whoever accepts it, and returns the client's side. */
export function open({ accept, options }: Acceptor, ends: Ends, { tls }: Pick<ConnectOptions, 'tls'>): Connection {
  const { client, server } = connectionPair(ends.client, ends.server, tls ? options.tls : undefined);
  accept({ ...server, remote: ends.seen });
  return { ...client, remote: ends.asked };
}
