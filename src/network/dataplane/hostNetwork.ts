import {
  Killed,
  SystemError,
  type AnswerName,
  type Connection,
  type ConnectOptions,
  type Datagram,
  type DnsRecord,
  type Listener,
  type ListenOptions,
  type Address,
  type NameQuestion,
  type Network,
  type OpenSocket,
  type RecordType,
  type Socket,
  type Target,
} from '../../programs/index.ts';
import { parseAddress } from '../../schema/index.ts';
import { recordsWithAliases, type Ask } from '../dns/lookup.ts';
import { DNS_PORT } from '../dns/nameServer.ts';
import { askedAddress, podAtHostPort } from '../packet/trace.ts';
import { outcomeOf, type PacketQuestion, type PacketTrace, type Source } from '../packet/types.ts';
import type { End, Protocol } from '../policy/judge.ts';
import { addressesOfPod, canonicalAddress, onHostNetwork } from '../view.ts';
import type { Datagrams } from './datagrams.ts';
import { echoReaches } from './echo.ts';
import type { Fabric, PodOwner } from './fabric.ts';
import { failConnect, LOOKUP_TRIES, silentServers, waitForAnswers } from './failures.ts';
import { resolve, toPrograms, type Answer } from './nameServer.ts';
import { open, trusted } from './open.ts';
import type { Ports } from './ports.ts';

/** Milliseconds. */
const ECHO_TIME = 0.1;

/** The network as seen by programs at one address. */
export class HostNetwork implements Network {
  readonly #address: string;
  readonly #owner: PodOwner | undefined;
  readonly #fabric: Fabric;
  readonly #datagrams: Datagrams;
  readonly #ports: Ports;
  /** Whether a name server here is waiting for another one: a cycle of servers has no answer. */
  #asks = false;

  constructor(address: string, owner: PodOwner | undefined, fabric: Fabric, datagrams: Datagrams) {
    this.#address = address;
    this.#owner = owner;
    this.#fabric = fabric;
    this.#ports = fabric.portsAt(address);
    this.#datagrams = datagrams;
  }

  get addresses(): readonly string[] {
    return this.#address === '' ? [] : [this.#address];
  }

  #source(): Source {
    return this.#fabric.sourceAt(this.#address, this.#owner?.pod);
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
    const question = { from: this.#source(), to: host, port, protocol };
    const { trace, left } = await this.#follow(question, options);
    const { delivered } = trace;
    if (trace.outcome !== 'no such name') options.onAddress?.(askedAddress(trace));
    if (!delivered) return failConnect(trace, clock, left);
    const server = { address: delivered.to.address, port: delivered.port };
    const acceptor = this.#fabric.acceptorAt(server, protocol);
    if (!acceptor) return failConnect(unanswered(trace), clock, left);
    const local = this.#ports.nextFree();
    const ends = {
      client: { address: this.#address, port: local },
      asked: { address: askedAddress(trace), port },
      server,
      seen: { address: delivered.from.address, port: local },
      ...{ protocol, ports: { client: this.#ports, server: this.#fabric.portsAt(server.address) } },
    };
    return open(acceptor, ends, options);
  }

  /**
   * The route of a connection's first packet, and what remains of the client's timeout; names are queried more than
   * once.
   */
  async #follow(
    question: PacketQuestion,
    options: ConnectOptions,
  ): Promise<{ readonly trace: PacketTrace; readonly left: ConnectOptions }> {
    let left = options;
    for (let tries = 1; ; tries++) {
      const trace = this.#fabric.send(question);
      const unanswered = trace.reason === 'name server not reached';
      const isLast = unanswered && tries === LOOKUP_TRIES;
      // A failing client also waits for the last server.
      const count = silentServers(trace) - (isLast ? 1 : 0);
      left = await waitForAnswers(count, question.to, this.#fabric.clock, left);
      if (!unanswered || isLast) return { trace, left };
    }
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
      this.#datagrams.send(data, from, { ...to, host: own ? this.#address : to.host }, () => this.#source(), within);
    };
    return { ...bound, send };
  }

  async lookup(name: string, type: RecordType, server?: string): Promise<readonly DnsRecord[]> {
    await this.#fabric.ready;
    for (let tries = 1; ; tries++) {
      const { records, silent, unanswered } = this.#resolve(name, type, server);
      await waitForAnswers(silent, name, this.#fabric.clock, {});
      if (records) return records;
      if (!unanswered) throw new SystemError('ENOTFOUND', name);
      if (tries === LOOKUP_TRIES) throw new SystemError('ETIMEDOUT', name);
    }
  }

  /** Queries each name server once, until one answers. */
  #resolve(name: string, type: RecordType, server?: string): Answer {
    const from = this.#source();
    const pod = 'pod' in from ? from.pod : undefined;
    const reached = new Map<string, End | undefined>();
    const ask: Ask = (full, at) => {
      if (!reached.has(at)) reached.set(at, this.#nameServerAt(at, from));
      const end = reached.get(at);
      return end && this.#fabric.answerAt(end, { name: full, type, from: this.#address });
    };
    return resolve({ name, type, pod, server }, this.#fabric.view, ask);
  }

  serveNames(port: number, answer: AnswerName): Listener {
    return this.#ports.serveNames(port, answer);
  }

  askServer(server: string, question: NameQuestion): readonly DnsRecord[] | undefined {
    if (this.#asks) return undefined;
    this.#asks = true;
    try {
      const end = this.#nameServerAt(server, this.#source());
      const records = end && this.#fabric.answerAt(end, { ...question, from: this.#address });
      return records && toPrograms(records);
    } finally {
      this.#asks = false;
    }
  }

  clusterRecords(name: string): readonly DnsRecord[] {
    return toPrograms(recordsWithAliases(name, this.#fabric.view));
  }

  async ping(host: string): Promise<number> {
    if (isOwn(host, this.#address)) return ECHO_TIME;
    await this.#fabric.ready;
    const address = parseAddress(host) ? canonicalAddress(host) : await this.#firstAddress(host);
    if (!echoReaches(this.#source(), address, this.#fabric.view)) throw new SystemError('ETIMEDOUT', host);
    return ECHO_TIME;
  }

  sockets(): readonly OpenSocket[] {
    return this.#ports.sockets();
  }

  async #firstAddress(name: string): Promise<string> {
    const found = (await this.lookup(name, 'A')).flatMap((record) => (record.type === 'A' ? [record.address] : []))[0];
    if (found === undefined) throw new SystemError('ENOTFOUND', name);
    return found;
  }

  /** The node's proxy handles traffic to node ports, including traffic from the node itself. */
  #isNodePort(port: number, protocol: Protocol): boolean {
    const { view } = this.#fabric;
    return view.nodeAt(this.#address) !== undefined && view.serviceAtNodePort(port, protocol) !== undefined;
  }

  #connectToItself(target: Target, options: ConnectOptions): Connection {
    const { host, port, protocol = 'TCP' } = target;
    const server = this.#ownPort(target, protocol);
    options.onAddress?.(parseAddress(host) ? host : '127.0.0.1');
    const acceptor = this.#fabric.acceptorAt(server, protocol);
    if (!acceptor) throw new SystemError('ECONNREFUSED', host);
    const client = { address: this.#address, port: this.#ports.nextFree() };
    const asked = { address: this.#address, port };
    const ports = { client: this.#ports, server: this.#fabric.portsAt(server.address) };
    return open(acceptor, { client, asked, server, seen: client, protocol, ports }, options);
  }

  /** The target of a port on this host. On a node it may be a pod's host port. */
  #ownPort({ host, port }: Target, protocol: Protocol): Address {
    const { view } = this.#fabric;
    const own = { address: this.#address, port };
    const node = this.#ports.listens(protocol, port) ? undefined : view.nodeAt(this.#address);
    const asked = host === this.#address ? host : '127.0.0.1';
    const found = node && podAtHostPort(node, asked, port, protocol, view);
    const address = found && !onHostNetwork(found.pod) ? addressesOfPod(found.pod)[0] : undefined;
    return address === undefined ? own : { address, port: found?.containerPort ?? port };
  }

  /** The destination of a DNS query: it is a datagram, which policies may stop. */
  #nameServerAt(server: string, from: Source): End | undefined {
    if (isOwn(server, this.#address)) return { address: this.#address };
    return this.#fabric.send({ from, to: server, port: DNS_PORT, protocol: 'UDP' }).delivered?.to;
  }
}

/** Whether a host means the host itself. */
function isOwn(host: string, address: string): boolean {
  return host === address || host === 'localhost' || host === '0.0.0.0' || host === '::1' || host.startsWith('127.');
}

/** An external address without a host. */
const unanswered = (trace: PacketTrace): PacketTrace => ({
  ...trace,
  outcome: outcomeOf('no such address'),
  reason: 'no such address',
});
