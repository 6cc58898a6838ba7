import {
  CertificateError,
  connectionPair,
  shownTls,
  type Address,
  type Connection,
  type ConnectOptions,
} from '../../programs/index.ts';
import type { Acceptor, Ports } from './ports.ts';

/** Both ends of a connection, as its client and its server see it. */
export interface Ends {
  readonly client: Address;
  /** The address that the client used, such as a service's. */
  readonly asked: Address;
  readonly server: Address;
  /** The client's address as the server sees it. */
  readonly seen: Address;
  readonly protocol: 'TCP' | 'SCTP';
  /** The listings of both sides, until each is closed. */
  readonly ports: { readonly client: Ports; readonly server: Ports };
}

/** Connects to an acceptor, and returns the client's side. */
export function open({ accept, options }: Acceptor, ends: Ends, { tls }: Pick<ConnectOptions, 'tls'>): Connection {
  const { protocol, ports } = ends;
  const closings = [
    ports.client.opened({ protocol, local: ends.client, remote: ends.asked }),
    ports.server.opened({ protocol, local: ends.server, remote: ends.seen }),
  ];
  const onClosed = (): void => closings.forEach((close) => close());
  const shown = tls && shownTls(options, tls.serverName);
  const { client, server } = connectionPair(ends.client, ends.server, shown, onClosed);
  accept({ ...server, remote: ends.seen });
  return { ...client, remote: ends.asked };
}

/** The error of a server's certificates (PEM) for a name; undefined if they are valid. */
export type JudgeCertificate = (shown: string, name: string, authorities: string) => Promise<string | undefined>;

/** The connection, if its client trusts the server's certificate. Rejects with CertificateError. */
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
