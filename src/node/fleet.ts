import {
  Client,
  EventRecorder,
  Informers,
  nodes as nodesRef,
  retry,
  type Node,
  type Pod,
  type Retrying,
  type Transport,
} from '../client/index.ts';
import type { Names } from '../names/index.ts';
import { isReason, status, type ApiObject, type CidrPool } from '../schema/index.ts';
import type { JudgeCertificate, NetworkSettings } from '../network/index.ts';
import type { Network } from '../programs/index.ts';
import { inBackground, Part, type Clock, type Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { faultValue } from '../faults/index.ts';
import { NodeAddresses } from './addresses.ts';
import { Agent, podHost, type AgentOptions } from './agent.ts';
import type { AgentView } from './agentServer.ts';
import type { ApiServerPort } from './apiServerPort.ts';
import type { Beating, Beats, Renew, Report, ReportAll, Reports } from './beats.ts';
import type { LogOptions } from './logs.ts';
import { NodeLinks } from './links.ts';
import { AGENT, machine } from './machine.ts';
import type { RunningContainer } from './podHost.ts';
import type { NetworkSetup } from './network.ts';
import type { SharedSlot } from './shared.ts';
import type { KeptData } from './keeping/keeper.ts';
import type { NodeUse } from './usage.ts';

export interface NodesOptions {
  /** Returns a transport with the identity of that user. */
  readonly transportFor: (identity: string) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly names: Names;
  /** The pool of pod address ranges; undefined if the controller nodeipam assigns them. */
  readonly podRanges: CidrPool | undefined;
  /** The addresses of the simulated network itself. */
  readonly network: NetworkSettings;
  /** Verifies a server's certificate for a client of the simulated network. */
  readonly judge: JudgeCertificate;
  /** The API server as containers reach it. */
  readonly apiServer: ApiServerPort;
  /** Decodes a user-written pod with the defaults of its version. Throws for wrong types. */
  readonly readPod: (raw: unknown) => Pod;
  /** Renews many leases at once; without it each is updated. */
  readonly renew?: Renew;
  /** Writes many reports at once of which only the heartbeat is new; without it each is patched. */
  readonly report?: ReportAll;
  /** Whether so many requests of components wait that those which others soon replace are not sent; without it all are. */
  readonly isCrowded?: () => boolean;
  /** Where nodes save state that must survive a reload; without it nothing survives. */
  readonly keptData?: KeptData | undefined;
  /** The number of initial nodes. */
  readonly count: number;
  /**
   * Whether the cluster's name server runs in pods. They are created with the first pod, or at once if all parts are
   * loaded.
   */
  readonly dnsPods?: boolean;
}

/** Makes the heartbeats of many nodes together. */
export const beating = new Part(() => import('./beats.ts'));

/** The least number of nodes whose heartbeats are made together. */
const MANY = 40;

/** All nodes with an agent: those created here, and others with the agent annotation. */
export class Fleet {
  readonly #options: NodesOptions;
  readonly #informers: Informers;
  readonly #client: Client;
  readonly #addresses: NodeAddresses;
  readonly #agents = new Map<string, Agent>();
  readonly #shared: SharedSlot;
  readonly #agentOptions: AgentOptions;
  readonly #links = new NodeLinks();
  /** Nodes without a pod address range, by name. */
  readonly #withoutRange = new Set<string>();
  readonly #recorder: EventRecorder;
  readonly #stopping = new AbortController();
  #beats: Beats | undefined;
  #reports: Reports | undefined;
  #addonsInstalled = false;
  readonly #retrying: Retrying;

  constructor(options: NodesOptions) {
    const { clock, random } = options;
    this.#options = options;
    this.#addresses = new NodeAddresses(options.podRanges);
    this.#client = this.#clientOf('fleet');
    this.#recorder = new EventRecorder({ client: this.#client, clock, source: { component: 'cidrAllocator' } });
    this.#shared = {
      network: networkSetup(options, { isolated: this.#links.isolated, usage: () => this.usage() }),
      keptData: options.keptData,
      installAddons: () => this.#installAddons(),
    };
    const { tracer, names, readPod, isCrowded = () => false } = options;
    const due = (agent: Beating): void => this.#beat(agent);
    const report = (of: Report): Promise<Node | undefined> | undefined => this.#togetherWith(of);
    const { isolated } = this.#links;
    const shared = this.#shared;
    this.#agentOptions = { clock, random, tracer, names, readPod, isCrowded, shared, isolated, due, report };
    const onProblem = (problem: unknown): void => this.#report(problem);
    this.#retrying = { clock, signal: this.#stopping.signal, onProblem };
    this.#informers = new Informers({ client: this.#client, clock, random, onProblem });
    this.#informers.of(nodesRef).on({
      added: (node) => this.#see(node),
      changed: (node) => this.#see(node),
      deleted: (node) => {
        this.#end(node.metadata.name);
        this.#shared.current?.forgetNode(node.metadata.name);
        this.#addresses.release(node);
        this.#links.remove(node.metadata.name);
        this.#giveReleased(node);
      },
    });
  }

  /** Registers the initial nodes, in the background. */
  start(): void {
    inBackground(this.#start(), (problem) => this.#report(problem));
  }

  async #start(): Promise<void> {
    this.#informers.start();
    await this.#informers.synced();
    for (const node of this.#informers.of(nodesRef).list()) this.#consider(node);
    for (let i = 1; i <= this.#options.count; i++) await retry(() => this.#register(i), this.#retrying);
    if (podHost.loaded) this.#installAddons();
  }

  /** In a cluster without pods the name server is not installed, because nothing would use it. */
  #installAddons(): void {
    if (this.#addonsInstalled) return;
    this.#addonsInstalled = true;
    const { dnsPods, names, network } = this.#options;
    if (!dnsPods) return;
    const { client } = this.#shared.network;
    const work = podHost.get().installDns(client, names, network.dnsAddress, this.#retrying);
    inBackground(work, (problem) => this.#report(problem));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#informers.stop();
    for (const name of [...this.#agents.keys()]) this.#end(name);
    await this.#shared.current?.stop();
  }

  /** Saves immediately what survives a reload. */
  async keep(): Promise<void> {
    await this.#shared.current?.keeper.keepNow();
  }

  /** The log of a container. Undefined if no agent knows it. */
  logs(pod: ApiObject, container: string, options: LogOptions, signal: AbortSignal): AsyncIterable<string> | undefined {
    return this.#agentOf(pod)?.logs(pod.metadata.uid ?? '', container, options, signal);
  }

  /** Throws the API server's error for a node that does not answer. */
  checkReach(pod: ApiObject, container: string): void {
    const { nodeName = '' } = pod.spec as { nodeName?: string };
    if (!this.#links.isolated.has(nodeName)) return;
    const { hostIP = nodeName } = pod.status as { hostIP?: string };
    const { namespace, name } = pod.metadata;
    const path = `containerLogs/${namespace}/${name}/${container}`;
    throw status.internalError(`Get "https://${hostIP}:10250/${path}": dial tcp ${hostIP}:10250: i/o timeout`);
  }

  /** A running container. Undefined if it is not running. */
  running(pod: ApiObject, container: string): RunningContainer | undefined {
    return this.#agentOf(pod)?.running(pod.metadata.uid ?? '', container);
  }

  /** The network as seen from the API server; undefined before any pod ran. */
  get serverNetwork(): Network | undefined {
    return this.#shared.current?.serverNetwork;
  }

  /** The network as seen from a pod, and the pod's address. */
  network(pod: ApiObject): ReturnType<Agent['network']> {
    return this.#agentOf(pod)?.network(pod.metadata.uid ?? '');
  }

  /** The current usage of the reachable nodes and their pods. */
  usage(): NodeUse[] {
    return [...this.#agents.values()].filter((agent) => !agent.isCutOff).map((agent) => agent.usage());
  }

  /** The agent of a node; undefined if it has none or is unreachable. */
  agentView(name: string): AgentView | undefined {
    const agent = this.#agents.get(name);
    return agent?.isCutOff === false ? agent.view : undefined;
  }

  #agentOf(pod: ApiObject): Agent | undefined {
    const { nodeName } = pod.spec as { nodeName?: string };
    const agent = this.#agents.get(nodeName ?? '');
    return agent?.isCutOff ? undefined : agent;
  }

  async #register(index: number): Promise<void> {
    const draft = machine(index, this.#options.names);
    try {
      await this.#clientOf(draft.metadata?.name ?? '')
        .of(nodesRef)
        .create(draft);
    } catch (problem) {
      if (!isReason(problem, 'AlreadyExists')) throw problem;
    }
  }

  /** Assigns no address before the addresses of all nodes are known. */
  #see(node: Node): void {
    this.#addresses.occupy(node);
    if (this.#informers.of(nodesRef).hasSynced) this.#consider(node);
  }

  #consider(node: Node): void {
    const name = node.metadata.name;
    const agent = this.#agents.get(name);
    // The agent of a node that goes down is stopped; when the node comes back a new one continues from the state on the
    // server.
    const isDown = faultValue('node-down', node.metadata.annotations) !== undefined;
    const wanted = node.metadata.annotations?.[AGENT] === 'true' && !isDown;
    const isSplit = faultValue('node-split', node.metadata.annotations) !== undefined;
    this.#links.set(name, isDown || isSplit);
    if (!wanted || node.spec.podCIDR) this.#withoutRange.delete(name);
    if (agent?.isCutOff) {
      if (!wanted) this.#end(name);
    } else if (agent && wanted) agent.update(node);
    else if (agent) this.#end(name);
    else if (!wanted || this.#stopping.signal.aborted) return;
    else if (node.spec.podCIDR) this.#begin(name, node);
    else inBackground(this.#giveRange(node), (problem) => this.#report(problem));
  }

  /** The agent starts when the node is observed with its range. */
  async #giveRange(node: Node): Promise<void> {
    const range = this.#addresses.rangeFor(node);
    if (range === undefined) return this.#sayNoRange(node);
    this.#withoutRange.delete(node.metadata.name);
    const client = this.#clientOf(node.metadata.name).of(nodesRef);
    const change = { metadata: { uid: node.metadata.uid }, spec: { podCIDR: range, podCIDRs: [range] } };
    await retry(async () => {
      try {
        await client.patch(node, 'strategic', change);
      } catch (problem) {
        // The node was deleted, or another component has assigned a range.
        if (!['NotFound', 'Conflict', 'Invalid'].some((reason) => isReason(problem, reason))) throw problem;
      }
    }, this.#retrying);
  }

  /** Records an event for a node that waits for a range, as the range controller does. */
  #sayNoRange(node: Node): void {
    const { name } = node.metadata;
    if (!this.#options.podRanges || this.#withoutRange.has(name)) return;
    this.#withoutRange.add(name);
    this.#recorder.record(node, 'Normal', 'CIDRNotAvailable', `Node ${name} status is now: CIDRNotAvailable`);
  }

  /** Assigns the range of a deleted node to a waiting node. */
  #giveReleased({ metadata }: Node): void {
    this.#withoutRange.delete(metadata.name);
    const [next] = this.#withoutRange;
    const node = next === undefined ? undefined : this.#informers.of(nodesRef).get(next);
    if (node) this.#consider(node);
  }

  #begin(name: string, node: Node): void {
    const client = this.#clientOf(name, (transport) => this.#links.over(name, transport));
    const agent = new Agent(node, client, this.#addresses.addressFor(node), this.#agentOptions);
    this.#agents.set(name, agent);
    inBackground(agent.start(), (problem) => this.#report(problem));
  }

  #beat(agent: Beating): void {
    const { renew } = this.#options;
    const areMany = renew && this.#agents.size >= MANY;
    if (areMany && beating.loaded) return (this.#beats ??= new (beating.get().Beats)(renew)).add(agent);
    if (areMany) inBackground(beating.load(), ignore);
    agent.beat();
  }

  /** Reports a heartbeat together with those of other nodes, if there are many. */
  #togetherWith(report: Report): Promise<Node | undefined> | undefined {
    const { report: reportAll } = this.#options;
    if (!reportAll || !beating.loaded || this.#agents.size < MANY) return undefined;
    return (this.#reports ??= new (beating.get().Reports)(reportAll)).add(report);
  }

  #end(name: string): void {
    this.#agents.get(name)?.stop();
    this.#agents.delete(name);
  }

  #report(problem: unknown): void {
    this.#options.tracer.emit({ topic: 'node', node: 'fleet', what: String(problem) });
  }

  /** A client with a node's identity. Requests of the fleet for a node do not use the node's link. */
  #clientOf(node: string, link = (transport: Transport): Transport => transport): Client {
    const { transportFor, names } = this.#options;
    return new Client({ transport: link(transportFor(`system:node:${node}`)), names, userAgent: names.agent });
  }
}

const ignore = (): void => undefined;

/** The network reads with the API server's own identity, so it works with any authorizer. */
function networkSetup(options: NodesOptions, rest: Pick<NetworkSetup, 'isolated' | 'usage'>): NetworkSetup {
  const { transportFor, names, network, judge, apiServer } = options;
  const transport = transportFor('system:apiserver');
  const client = new Client({ transport, names, userAgent: 'simulated-network' });
  return { settings: network, judge, apiServer, names, client, ...rest };
}
