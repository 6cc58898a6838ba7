import type { StopSignal } from '../../std/index.ts';
import type { Stream } from '../streams/index.ts';

/**
 * The simulated network as a container sees it: the contract between programs and the dataplane. Everything fails with
 * SystemError, by the codes that a system call would give: ECONNREFUSED (nothing listens), ETIMEDOUT (a policy or a fault
 * drops the packets), EHOSTUNREACH, ENOTFOUND (no such name), EADDRINUSE.
 */
export interface Network {
  /** The container's own addresses, the first one is its main one. Empty until it has one. */
  readonly addresses: readonly string[];
  /** Opens a connection; a name is looked up first. */
  connect(target: Target, options?: ConnectOptions): Promise<Connection>;
  /** Accepts connections on a port; 0 takes a free one. Throws EADDRINUSE. */
  listen(port: number, accept: (connection: Connection) => void, options?: ListenOptions): Listener;
  /** Binds a port for datagrams; 0 chooses a free one. Throws EADDRINUSE. */
  bind(port: number, receive: (datagram: Datagram) => void): Socket;
  /**
   * Queries the name server, with the search list if the name is not absolute; `server` is the address of another one.
   * An empty list: the name has no such record. ENOTFOUND: the name does not exist. ETIMEDOUT: no name server answers.
   */
  lookup(name: string, type: RecordType, server?: string): Promise<readonly DnsRecord[]>;
  /** Serves DNS queries on a port. Throws EADDRINUSE. */
  serveNames(port: number, answer: AnswerName): Listener;
  /** Queries another name server for a full name, as a forwarding name server does; undefined if it does not answer. */
  askServer(server: string, question: NameQuestion): readonly DnsRecord[] | undefined;
  /** The records of a full name from the cluster's services and pods: name servers read these instead of watching. */
  clusterRecords(name: string): readonly DnsRecord[];
  /** Milliseconds that an echo takes to an address. */
  ping(host: string): Promise<number>;
  /** What listens at the container's addresses, and the connections that are open: those of all containers that share them. */
  sockets(): readonly OpenSocket[];
}

/** A listening port (without `remote`), or one side of a connection. */
export interface OpenSocket {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  /** Without an address it receives on every address of the host. */
  readonly local: { readonly address?: string; readonly port: number };
  readonly remote?: Address;
}

export interface Target {
  /** An address or a name. */
  readonly host: string;
  readonly port: number;
  readonly protocol?: 'TCP' | 'SCTP';
}

export interface ConnectOptions {
  /** Gives up with Killed when it aborts. */
  readonly signal?: StopSignal;
  /** Milliseconds until ETIMEDOUT. */
  readonly timeout?: number;
  /** Called with the address of the connection after the name was resolved. */
  readonly onAddress?: (address: string) => void;
  /** Speaks TLS; the certificate that the server shows is on the connection. */
  readonly tls?: ClientTls;
}

export interface ClientTls {
  /** The name that the certificate has to carry. */
  readonly serverName?: string;
  /**
   * Trusted certificates, PEM: rejects with CertificateError if the server's is not trusted. Without them it is not
   * verified.
   */
  readonly authorities?: string;
}

export interface ListenOptions {
  readonly protocol?: 'TCP' | 'SCTP';
  /**
   * Accepts TLS from clients that use it, with this certificate or the one for the requested name; other clients get
   * plain connections.
   */
  readonly tls?: { readonly certificate: string | ((serverName: string | undefined) => string) };
}

export interface Address {
  readonly address: string;
  readonly port: number;
}

/** A connection. Releasing its stream closes it in both directions. */
export interface Connection {
  readonly stream: Stream;
  readonly local: Address;
  readonly remote: Address;
  /** Set where both ends speak TLS: the certificates that the server shows, PEM, its own first. */
  readonly tls?: { readonly certificate: string } | undefined;
  /** Ends writing; reading is still possible. */
  end(): void;
}

export interface Listener {
  readonly port: number;
  close(): void;
}

export interface Datagram {
  readonly data: Uint8Array;
  readonly from: Address;
}

export interface Socket {
  readonly port: number;
  /**
   * Datagrams lost on the way are lost without an error; ECONNREFUSED if nothing receives at a reachable host,
   * ENOTFOUND for an unknown name.
   */
  send(data: Uint8Array, to: Target): Promise<void>;
  close(): void;
}

/** A question as it arrives at a name server. Questions and answers travel as values: nothing is encoded. */
export interface NameQuestion {
  /** Full, without a final dot. */
  readonly name: string;
  /** The requested type; an answer may also contain other records of the name. */
  readonly type: RecordType;
  readonly from: string;
}

/** The records of a name with the aliases that lead to them; an empty list: no such name. */
export type AnswerName = (question: NameQuestion) => readonly DnsRecord[];

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'SRV' | 'PTR' | 'TXT';

interface NamedRecord {
  /** Absolute. */
  readonly name: string;
  /** Seconds. */
  readonly ttl: number;
}

export interface AddressRecord extends NamedRecord {
  readonly type: 'A' | 'AAAA';
  readonly address: string;
}

export interface NameRecord extends NamedRecord {
  readonly type: 'CNAME' | 'PTR';
  readonly target: string;
}

export interface ServiceRecord extends NamedRecord {
  readonly type: 'SRV';
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly target: string;
}

export interface TextRecord extends NamedRecord {
  readonly type: 'TXT';
  readonly text: string;
}

export type DnsRecord = AddressRecord | NameRecord | ServiceRecord | TextRecord;
