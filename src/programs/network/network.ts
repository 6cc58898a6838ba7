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
  /** Takes a port for datagrams; 0 takes a free one. Throws EADDRINUSE. */
  bind(port: number, receive: (datagram: Datagram) => void): Socket;
  /**
   * Asks the name server, with the search list where the name isn't absolute; `server` is the address of another one. An empty
   * list: the name has no such record. ENOTFOUND: no such name. ETIMEDOUT: no name server answers.
   */
  lookup(name: string, type: RecordType, server?: string): Promise<readonly DnsRecord[]>;
  /** Answers questions for names at a port, for those who look names up. Throws EADDRINUSE. */
  serveNames(port: number, answer: AnswerName): Listener;
  /** Asks another name server for a full name, as a name server does that passes questions on; undefined where nothing answers. */
  askServer(server: string, question: NameQuestion): readonly DnsRecord[] | undefined;
  /** What a full name stands for by the cluster's own services and pods: what name servers read in place of watches of their own. */
  clusterRecords(name: string): readonly DnsRecord[];
  /** Milliseconds that an echo takes to an address. */
  ping(host: string): Promise<number>;
  /** What listens at the container's addresses, and the connections that are open: those of all containers that share them. */
  sockets(): readonly OpenSocket[];
}

/** A port that is taken, or one side of a connection; it listens where there is no `remote`. */
export interface OpenSocket {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  /** Without an address it takes what comes to any of the host. */
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
  readonly signal?: AbortSignal;
  /** Milliseconds until ETIMEDOUT. */
  readonly timeout?: number;
  /** Called once it is known which address is connected to: what a name stands for. */
  readonly onAddress?: (address: string) => void;
  /** Speaks TLS; the certificate that the server shows is on the connection. */
  readonly tls?: ClientTls;
}

export interface ClientTls {
  /** The name that the certificate has to carry. */
  readonly serverName?: string;
  /** The certificates that are trusted, PEM: rejects with CertificateError where the server's is not good. Without them it is not looked at. */
  readonly authorities?: string;
}

export interface ListenOptions {
  readonly protocol?: 'TCP' | 'SCTP';
  /** Speaks TLS to those who do, with this certificate or the one for the name that they ask for; others come as plain connections. */
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
  /** Says that nothing more is written; what comes from the other side can still be read. */
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
  /** What is lost on the way is lost without an error; ECONNREFUSED where the host is reached and nothing receives, ENOTFOUND for an unknown name. */
  send(data: Uint8Array, to: Target): Promise<void>;
  close(): void;
}

/** A question as it arrives at a name server. Questions and answers travel as values: nothing is encoded. */
export interface NameQuestion {
  /** Full, without a final dot. */
  readonly name: string;
  /** What is looked for; an answer may hold other records of the name, too. */
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
