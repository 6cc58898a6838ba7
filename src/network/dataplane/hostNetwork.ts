import {
  Killed,
  SystemError,
  type Connection,
  type ConnectOptions,
  type Datagram,
  type DnsRecord,
  type Listener,
  type ListenOptions,
  type Address,
  type Network,
  type RecordType,
  type Socket,
  type Target,
} from '../../programs/index.ts';
import { parseAddress } from '../../schema/index.ts';
import { askedAddress, podAtHostPort } from '../packet/trace.ts';
import { outcomeOf, type PacketTrace, type Source } from '../packet/types.ts';
import type { Protocol } from '../policy/judge.ts';
import { addressesOfPod, canonicalAddress, onHostNetwork } from '../view.ts';
import type { Datagrams } from './datagrams.ts';
import { echoReaches } from './echo.ts';
import type { Fabric } from './fabric.ts';
import { failConnect, failLookup } from './failures.ts';
import { resolve } from './nameServer.ts';
import { open, trusted } from './open.ts';
import type { Ports } from './ports.ts';

const DNS_PORT = 53;
/** Milliseconds. */
const ECHO_TIME = 0.1;

/** The network as programs at one address see it. */
export class HostNetwork implements Network {
  readonly addresses: readonly string[];
  readonly #address: string;
  readonly #source: () => Source;
  readonly #fabric: Fabric;
  readonly #datagrams: Datagrams;
  readonly #ports: Ports;

  constructor(address: string, source: () => Source, fabric: Fabric, datagrams: Datagrams) {
    this.addresses = address === '' ? [] : [address];
    this.#address = address;
    this.#source = source;
    this.#fabric = fabric;
    this.#ports = fabric.portsAt(address);
    this.#datagrams = datagrams;
  }

  async connect(target: Target, options: ConnectOptions = {}): Promise<Connection> {
    if (options.signal?.aborted) throw new Killed();
    return trusted(await this.#open(target, options), options, this.#fabric.judge);
  }

  async #open(target: Target, options: ConnectOptions): Promise<Connection> {
    const { port, protocol = 'TCP' } = target;
    const own = isOwn(target.host, this.#address);
    if (own && !this.#isNodePort(port, protocol)) return this.#connectToItself(target, options);
    await this.#fabric.ready;
    const { clock } = this.#fabric;
    const host = own ? this.#address : target.host;
    const trace = this.#fabric.send({ from: this.#source(), to: host, port, protocol });
    const { delivered } = trace;
    if (!delivered) return failConnect(trace, clock, options);
    const server = { address: delivered.to.address, port: delivered.port };
    const acceptor = this.#fabric.acceptorAt(server, protocol);
    if (!acceptor) return failConnect(unanswered(trace), clock, options);
    const local = this.#ports.nextFree();
    const ends = {
      client: { address: this.#address, port: local },
      asked: { address: askedAddress(trace), port },
      server,
      seen: { address: delivered.from.address, port: local },
    };
    return open(acceptor, ends, options);
  }

  listen(port: number, accept: (connection: Connection) => void, options?: ListenOptions): Listener {
    return this.#ports.listen(port, accept, options);
  }

  bind(port: number, receive: (datagram: Datagram) => void): Socket {
    const bound = this.#ports.bind(port, receive);
    const from = { address: this.#address, port: bound.port };
    const send = async (data: Uint8Array, to: Target): Promise<void> => {
      await this.#fabric.ready;
      const own = isOwn(to.host, this.#address);
      const within = own && !this.#isNodePort(to.port, 'UDP') ? this.#ownPort(to, 'UDP') : undefined;
      this.#datagrams.send(data, from, { ...to, host: own ? this.#address : to.host }, this.#source, within);
    };
    return { ...bound, send };
  }

  async lookup(name: string, type: RecordType): Promise<readonly DnsRecord[]> {
    const { view, clock, ready } = this.#fabric;
    await ready;
    const from = this.#source();
    const { server, records } = resolve(name, type, 'pod' in from ? from.pod : undefined, view);
    if (server !== undefined && !this.#reachesNameServer(from, server)) return failLookup(name, clock);
    if (!records) throw new SystemError('ENOTFOUND', name);
    return records;
  }

  async ping(host: string): Promise<number> {
    if (isOwn(host, this.#address)) return ECHO_TIME;
    await this.#fabric.ready;
    const address = parseAddress(host) ? canonicalAddress(host) : await this.#firstAddress(host);
    if (!echoReaches(this.#source(), address, this.#fabric.view)) throw new SystemError('ETIMEDOUT', host);
    return ECHO_TIME;
  }

  async #firstAddress(name: string): Promise<string> {
    const found = (await this.lookup(name, 'A')).flatMap((record) => (record.type === 'A' ? [record.address] : []))[0];
    if (found === undefined) throw new SystemError('ENOTFOUND', name);
    return found;
  }

  /** The proxy of a node takes what is sent to a node port, also from the node itself. */
  #isNodePort(port: number, protocol: Protocol): boolean {
    const { view } = this.#fabric;
    return view.nodeAt(this.#address) !== undefined && view.serviceAtNodePort(port, protocol) !== undefined;
  }

  #connectToItself(target: Target, options: ConnectOptions): Connection {
    const { host, port, protocol = 'TCP' } = target;
    const server = this.#ownPort(target, protocol);
    const acceptor = this.#fabric.acceptorAt(server, protocol);
    if (!acceptor) throw new SystemError('ECONNREFUSED', host);
    const client = { address: this.#address, port: this.#ports.nextFree() };
    return open(acceptor, { client, asked: { address: this.#address, port }, server, seen: client }, options);
  }

  /** Where a port of this host leads. On a node it may be a host port of a pod. */
  #ownPort({ host, port }: Target, protocol: Protocol): Address {
    const { view } = this.#fabric;
    const own = { address: this.#address, port };
    const node = this.#ports.listens(protocol, port) ? undefined : view.nodeAt(this.#address);
    const asked = host === this.#address ? host : '127.0.0.1';
    const found = node && podAtHostPort(node, asked, port, protocol, view);
    const address = found && !onHostNetwork(found.pod) ? addressesOfPod(found.pod)[0] : undefined;
    return address === undefined ? own : { address, port: found?.containerPort ?? port };
  }

  /** A question to the name server is a datagram: policies may stop it. */
  #reachesNameServer(from: Source, server: string): boolean {
    const { outcome } = this.#fabric.send({ from, to: server, port: DNS_PORT, protocol: 'UDP' });
    return outcome === 'delivered';
  }
}

/** Whether a host stands for the asking host itself. */
function isOwn(host: string, address: string): boolean {
  return host === address || host === 'localhost' || host === '0.0.0.0' || host === '::1' || host.startsWith('127.');
}

/** An address outside of the cluster at which there is nobody. */
const unanswered = (trace: PacketTrace): PacketTrace => ({
  ...trace,
  outcome: outcomeOf('no such address'),
  reason: 'no such address',
});
