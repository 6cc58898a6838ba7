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
import { addressesOfPod, canonicalAddress } from '../view.ts';
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
    if (isOwn(target.host, this.#address)) return this.#connectToItself(target, options);
    await this.#fabric.ready;
    const { clock } = this.#fabric;
    const { host, port, protocol = 'TCP' } = target;
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
      const host = isOwn(to.host, this.#address) ? this.#address : to.host;
      this.#datagrams.send(data, from, { ...to, host }, this.#source);
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

  #connectToItself({ host, port, protocol = 'TCP' }: Target, options: ConnectOptions): Connection {
    const own = { address: this.#address, port };
    const server = this.#fabric.acceptorAt(own, protocol) ? own : this.#hostPort(port, protocol);
    const acceptor = this.#fabric.acceptorAt(server, protocol);
    if (!acceptor) throw new SystemError('ECONNREFUSED', host);
    const client = { address: this.#address, port: this.#ports.nextFree() };
    return open(acceptor, { client, asked: server, server, seen: client }, options);
  }

  /** On a node, a port of `localhost` may be a host port of a pod. */
  #hostPort(port: number, protocol: Protocol): Address {
    const { view } = this.#fabric;
    const node = view.nodeAt(this.#address);
    const found = node && podAtHostPort(node, '127.0.0.1', port, protocol, view);
    const address = found && addressesOfPod(found.pod)[0];
    return address === undefined ? { address: this.#address, port } : { address, port: found?.containerPort ?? port };
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
