import {
  CertificateError,
  connectionPair,
  shownTls,
  type Address,
  type Connection,
  type ConnectOptions,
} from '../../programs/index.ts';
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
  const { client, server } = connectionPair(ends.client, ends.server, tls && shownTls(options, tls.serverName));
  accept({ ...server, remote: ends.seen });
  return { ...client, remote: ends.asked };
}

/** What is wrong with a server's certificates (PEM) for a name; undefined where they are valid. */
export type JudgeCertificate = (shown: string, name: string, authorities: string) => Promise<string | undefined>;

/** The connection, where its client trusts the server's certificate. Rejects with CertificateError. */
export async function trusted(
  connection: Connection,
  { tls }: Pick<ConnectOptions, 'tls'>,
  judge: JudgeCertificate,
): Promise<Connection> {
  if (!connection.tls || tls?.authorities === undefined) return connection;
  const { serverName = connection.remote.address, authorities } = tls;
  const problem = await judge(connection.tls.certificate, serverName, authorities);
  if (problem === undefined) return connection;
  connection.stream.release();
  throw new CertificateError(problem);
}
