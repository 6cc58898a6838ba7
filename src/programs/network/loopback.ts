import { SystemError } from '../errors.ts';
import { connectionPair, shownTls } from './connection.ts';
import type {
  AddressRecord,
  AnswerName,
  Connection,
  ConnectOptions,
  Datagram,
  DnsRecord,
  Listener,
  ListenOptions,
  NameQuestion,
  Network,
  OpenSocket,
  RecordType,
  Target,
} from './network.ts';

interface Accepting {
  readonly accept: (connection: Connection) => void;
  readonly options: ListenOptions;
}

const isAddress = (record: DnsRecord): record is AddressRecord => record.type === 'A';

const FIRST_FREE_PORT = 32768;

/**
 * A network of containers in memory, without services, names and policies: what tests use, and what a container has of
 * itself (`localhost`) wherever it runs.
 */
export class LoopbackNetwork {
  readonly #hosts = new Map<string, Host>();
  readonly #names = new Map<string, readonly DnsRecord[]>();

  /** The network as the container with that address sees it. */
  at(address: string): Network {
    const host = this.#hosts.get(address) ?? new Host(address, this);
    this.#hosts.set(address, host);
    return host;
  }

  /** Makes a name known. */
  name(name: string, records: readonly DnsRecord[]): void {
    this.#names.set(name, records);
  }

  host(name: string, from: string): Host | undefined {
    if (name === 'localhost' || name.startsWith('127.') || name === '::1' || name === '0.0.0.0')
      return this.#hosts.get(from);
    const address = (this.#names.get(name) ?? []).find(isAddress)?.address ?? name;
    return this.#hosts.get(address);
  }

  records(name: string): readonly DnsRecord[] | undefined {
    return this.#names.get(name.replace(/\.$/, ''));
  }
}

class Host implements Network {
  readonly addresses: readonly string[];
  readonly #network: LoopbackNetwork;
  readonly #listeners = new Map<string, Accepting>();
  readonly #sockets = new Map<number, (datagram: Datagram) => void>();
  readonly #nameServers = new Map<number, AnswerName>();
  #nextPort = FIRST_FREE_PORT;

  constructor(address: string, network: LoopbackNetwork) {
    this.addresses = [address];
    this.#network = network;
  }

  async connect(target: Target, { tls, onAddress }: ConnectOptions = {}): Promise<Connection> {
    const host = this.#network.host(target.host, this.#address);
    if (!host) throw new SystemError(/^[\d.]+$/.test(target.host) ? 'EHOSTUNREACH' : 'ENOTFOUND', target.host);
    onAddress?.(host.#address);
    const listener = host.#listeners.get(`${target.protocol ?? 'TCP'}:${target.port}`);
    if (!listener) throw new SystemError('ECONNREFUSED', target.host);
    const local = { address: this.#address, port: this.#freePort() };
    const remote = { address: host.#address, port: target.port };
    const { client, server } = connectionPair(local, remote, tls && shownTls(listener.options, tls.serverName));
    listener.accept(server);
    return client;
  }

  listen(
    port: number,
    accept: (connection: Connection) => void,
    options: ListenOptions = {},
  ): { port: number; close(): void } {
    const taken = port === 0 ? this.#freePort() : port;
    const key = `${options.protocol ?? 'TCP'}:${taken}`;
    if (this.#listeners.has(key)) throw new SystemError('EADDRINUSE');
    this.#listeners.set(key, { accept, options });
    return { port: taken, close: () => void this.#listeners.delete(key) };
  }

  bind(
    port: number,
    receive: (datagram: Datagram) => void,
  ): { port: number; send(data: Uint8Array, to: Target): Promise<void>; close(): void } {
    const taken = port === 0 ? this.#freePort() : port;
    if (this.#sockets.has(taken)) throw new SystemError('EADDRINUSE');
    this.#sockets.set(taken, receive);
    const send = async (data: Uint8Array, to: Target): Promise<void> => {
      const host = this.#network.host(to.host, this.#address);
      const receive = host && host.#sockets.get(to.port);
      if (host && !receive) throw new SystemError('ECONNREFUSED', to.host);
      receive?.({ data, from: { address: this.#address, port: taken } });
    };
    return { port: taken, send, close: () => void this.#sockets.delete(taken) };
  }

  async lookup(name: string, type: RecordType): Promise<readonly DnsRecord[]> {
    const records = this.#network.records(name);
    if (!records) throw new SystemError('ENOTFOUND', name);
    return records.filter((record) => record.type === type || record.type === 'CNAME');
  }

  serveNames(port: number, answer: AnswerName): Listener {
    if (this.#nameServers.has(port)) throw new SystemError('EADDRINUSE');
    this.#nameServers.set(port, answer);
    return { port, close: () => void this.#nameServers.delete(port) };
  }

  askServer(server: string, question: NameQuestion): readonly DnsRecord[] | undefined {
    const host = this.#network.host(server, this.#address);
    return host && host.#nameServers.get(53)?.(question);
  }

  clusterRecords(name: string): readonly DnsRecord[] {
    return this.#network.records(name) ?? [];
  }

  async ping(host: string): Promise<number> {
    if (!this.#network.host(host, this.#address)) throw new SystemError('EHOSTUNREACH', host);
    return 1;
  }

  sockets(): readonly OpenSocket[] {
    const listening = [...this.#listeners].map(([key, { options }]): OpenSocket => ({
      protocol: options.protocol ?? 'TCP',
      local: { port: Number(key.split(':')[1]) },
    }));
    return [
      ...listening,
      ...[...this.#sockets.keys()].map((port): OpenSocket => ({ protocol: 'UDP', local: { port } })),
    ];
  }

  get #address(): string {
    return this.addresses[0] ?? '127.0.0.1';
  }

  #freePort(): number {
    this.#nextPort += 1;
    return this.#nextPort;
  }
}
