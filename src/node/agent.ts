import {
  fetchPatiently,
  Informer,
  leases,
  nodes as nodesRef,
  pods as podsRef,
  type Client,
  type Draft,
  type Handler,
  type Lease,
  type Node,
  type Pod,
} from '../client/index.ts';
import { faultValue } from '../faults/index.ts';
import { found } from '../schema/index.ts';
import { deepEqual, inBackground, Part, rfc3339Micro, Stop, type Timer, getOwn } from '../std/index.ts';
import type { AgentView } from './agentServer.ts';
import type { Beating, LeaseSpec, Report } from './beats.ts';
import { allocatableOf, manifestsIn, statusOf } from './machine.ts';
import type { PodHost, RunningContainer } from './podHost.ts';
import type { ForAgents, Hosting } from './shared.ts';
import { SHORTAGES, troublesOf } from './troubles.ts';
import { nodeUse, type NodeUse } from './usage.ts';

/** A node without pods only renews its lease and status, so this code is loaded later. */
export const podHost = new Part(() => import('./podHost.ts'));

/** What all agents share, with what concerns their heartbeats and links. */
export interface AgentOptions extends ForAgents {
  /** Nodes that are cut off from the network. */
  readonly isolated: ReadonlySet<string>;
  /** Makes a heartbeat that is due. */
  readonly due: (agent: Beating) => void;
  /** Reports the heartbeat of a node with those of others; undefined, also later, if it has to be patched. */
  readonly report: (report: Report) => Promise<Node | undefined> | undefined;
}

const LEASE_SECONDS = 40;
const RENEW_EVERY = 10_000;
/** Milliseconds after which an unchanged status is written again. */
const REPORT_EVERY = 300_000;

/** The agent of one node: renews its lease, and runs the pods bound to it. */
export class Agent implements Beating, Handler<Pod> {
  readonly #options: AgentOptions;
  /** Has the node's identity. */
  readonly #client: Client;
  /** The node's address, if it has not reported one. */
  readonly #address: string;
  /** Milliseconds since the epoch. */
  readonly #since: number;
  readonly #pods: Informer<Pod>;
  readonly #ended = new Stop();
  /** Created with the first pod. */
  #host: PodHost | undefined;
  #node: Node;
  lease: Lease | undefined;
  #timer: Timer | undefined;
  #reported = 0;
  /** The status must be written now, even if it is not due. */
  #mustReport = false;
  #stopped = false;

  constructor(node: Node, client: Client, address: string, options: AgentOptions) {
    const { clock, random } = options;
    const name = node.metadata.name;
    this.#node = node;
    this.#client = client;
    this.#address = address;
    this.#options = options;
    this.#since = clock.now();
    this.#pods = new Informer({
      resource: client.of(podsRef),
      clock,
      random,
      selection: { fieldSelector: `spec.nodeName=${name}` },
      onProblem: (problem) => this.#trace(undefined, String(problem)),
    });
    this.#pods.on(this);
    if (podHost.loaded && podHost.get().hasWork(node, this.#hosting)) this.#openHost();
  }

  async start(): Promise<void> {
    await this.#beat(this.leaseSpec());
    if (this.#stopped) return;
    this.#pods.start();
    this.#hostStaticPods();
  }

  /** A node may have static pods before any others. */
  #hostStaticPods(before = this.#node): void {
    const manifests = manifestsIn(this.#node);
    if (this.#host || manifests === undefined) return;
    if (podHost.loaded) this.#openHost(manifestsIn(before) !== manifests);
    else this.#inBackground(this.#fetchHost());
  }

  stop(): void {
    this.#stopped = true;
    this.#options.clock.clearTimeout(this.#timer);
    this.#pods.stop();
    this.#ended.abort();
    this.#host?.stop();
  }

  /** Handles a new version of the node. Its status is reported at once only if that would differ. */
  update(node: Node): void {
    const before = this.#node;
    this.#node = node;
    this.#host?.nodeChanged(node);
    this.#hostStaticPods(before);
    const pressure = ({ metadata }: Node): string | undefined => faultValue('node-pressure', metadata.annotations);
    const { allocatable } = node.status;
    const isReported = allocatable === undefined || deepEqual(allocatable, allocatableOf(node.status));
    if (isReported && pressure(before) === pressure(node)) return;
    this.#mustReport = true;
    this.#inBackground(this.#reportWhenDue());
  }

  /** The log of a container. Undefined if the container is unknown. */
  logs(...which: Parameters<PodHost['logs']>): ReturnType<PodHost['logs']> {
    return this.#host?.logs(...which);
  }

  /** A running container. */
  running(...which: Parameters<PodHost['running']>): RunningContainer | undefined {
    return this.#host?.running(...which);
  }

  /** The network as seen from a pod of this node. */
  network(...which: Parameters<PodHost['network']>): ReturnType<PodHost['network']> {
    return this.#host?.network(...which);
  }

  /** Whether the node is unreachable for the API server and other nodes. */
  get isCutOff(): boolean {
    return this.#options.isolated.has(this.#node.metadata.name);
  }

  /** The data for the agent's HTTP endpoints. */
  get view(): AgentView {
    const signal = this.#ended;
    return {
      node: this.#node,
      pods: this.#pods.list(),
      use: this.usage(),
      logs: (pod, container, options) => this.logs(pod.metadata.uid, container, options, signal),
    };
  }

  /** The current usage of the node and its pods. */
  usage(): NodeUse {
    return nodeUse(this.#node.metadata.name, this.#host?.usage() ?? [], this.#options.clock.now());
  }

  added(pod: Pod): void {
    if (this.#host) this.#host.add(pod);
    else if (podHost.loaded) this.#hostPods();
    else this.#inBackground(this.#fetchHost());
  }

  changed(pod: Pod): void {
    this.#host?.update(pod);
  }

  deleted(pod: Pod): void {
    this.#host?.forget(pod);
  }

  async #fetchHost(): Promise<void> {
    const onProblem = (problem: unknown): void => this.#trace(undefined, String(problem));
    await fetchPatiently(podHost, { clock: this.#options.clock, signal: this.#ended, onProblem });
    if (!this.#stopped && !this.#host) this.#hostPods();
  }

  #hostPods(): void {
    const host = this.#openHost();
    for (const pod of this.#pods.list()) host.add(pod);
  }

  /** `isChange` says that the node's manifests were changed just now. */
  #openHost(isChange = false): PodHost {
    return (this.#host = new (podHost.get().PodHost)(this.#node, {
      ...this.#hosting,
      since: this.#since,
      isChange,
      node: () => this.#node,
      hostIP: this.#status().addresses?.find((a) => a.type === 'InternalIP')?.address ?? '',
      synced: this.#pods.synced,
      onImages: () => (this.#mustReport = true),
      onVolumes: () => {
        this.#mustReport = true;
        if (!this.#stopped) this.#inBackground(this.#reportWhenDue());
      },
    }));
  }

  get #hosting(): Hosting {
    return { ...this.#options, client: this.#client, onProblem: (pod, problem) => this.#trace(pod, String(problem)) };
  }

  leaseSpec(): LeaseSpec {
    return {
      holderIdentity: this.#node.metadata.name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: rfc3339Micro(this.#options.clock.now()),
    };
  }

  beat(spec = this.leaseSpec(), renewed?: Lease): void {
    if (!this.#stopped) this.#inBackground(this.#beat(spec, renewed));
  }

  /** A failed renewal is retried with the next heartbeat. */
  async #beat(spec: LeaseSpec, renewed?: Lease): Promise<void> {
    const { clock, due } = this.#options;
    try {
      this.#relievePressure();
      if (renewed) this.lease = renewed;
      else await this.#renewLease(spec);
      await this.#reportWhenDue();
    } catch (problem) {
      this.#trace(undefined, String(problem));
    }
    if (this.#stopped) return;
    // Waking the thread costs more than a renewal, so all nodes renew at the same time.
    const wait = RENEW_EVERY - (clock.now() % RENEW_EVERY);
    const beat = `node ${this.#node.metadata.name}`;
    this.#timer = clock.setTimeout(() => due(this), wait, { beat });
  }

  /** Updates the lease at its last known revision; reads it only at first, or after another writer changed it. */
  async #renewLease(spec: LeaseSpec): Promise<void> {
    const known = this.lease ?? (await this.#findLease());
    this.lease = undefined;
    const resource = this.#client.of(leases);
    this.lease = known
      ? await resource.update({ ...known, spec: { ...known.spec, ...spec } })
      : await resource.create({ metadata: this.#leaseMetadata(), spec });
  }

  #findLease(): Promise<Lease | undefined> {
    const { nodeLeaseNamespace } = this.#options.names;
    return found(this.#client.of(leases).get(this.#node.metadata.name, nodeLeaseNamespace));
  }

  #leaseMetadata(): NonNullable<Draft<Lease>['metadata']> {
    const { name, uid = '' } = this.#node.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
    return { name, namespace: this.#options.names.nodeLeaseNamespace, ownerReferences };
  }

  /** Writes the node's status if it has changed, is old, or is not Ready. */
  async #reportWhenDue(): Promise<void> {
    const { clock } = this.#options;
    const ready = this.#node.status.conditions?.find((condition) => condition.type === 'Ready')?.status;
    if (!this.#mustReport && ready === 'True' && clock.now() - this.#reported < REPORT_EVERY) return;
    this.#mustReport = false;
    this.#reported = clock.now();
    try {
      this.#node = (await this.#reportHeartbeat()) ?? (await this.#report());
    } catch (problem) {
      this.#mustReport = true;
      throw problem;
    }
  }

  /** Writes the status with those of other nodes, if nothing but the times in its conditions is new. */
  #reportHeartbeat(): Promise<Node | undefined> | undefined {
    const { conditions = [], ...others } = this.#status();
    const { conditions: _, ...before } = this.#node.status;
    const isOnly = deepEqual(others, before) && Object.keys(this.#volumesInUse(before)).length === 0;
    return isOnly && !this.isCutOff ? this.#options.report({ node: this.#node, conditions }) : undefined;
  }

  /** Writes the agent's part of the node status, and leaves other fields alone. */
  #report(): Promise<Node> {
    const { metadata, status: before } = this.#node;
    const { capacity, allocatable, conditions, addresses, nodeInfo, images } = this.#status();
    const gone = Object.keys(before.allocatable ?? {}).filter((name) => getOwn(allocatable, name) === undefined);
    const status = {
      ...(before.capacity ? {} : { capacity }),
      allocatable: { ...allocatable, ...Object.fromEntries(gone.map((name) => [name, null])) },
      ...{ conditions, addresses, nodeInfo },
      ...(images ? { images } : {}),
      ...this.#volumesInUse(before),
    };
    const nodes = this.#client.of(nodesRef);
    return nodes.patch(this.#node, 'strategic', { metadata: { uid: metadata.uid }, status }, { subresource: 'status' });
  }

  /** The attachable volumes that pods use; empty if unchanged. */
  #volumesInUse({ volumesInUse: before = [] }: Node['status']): { readonly volumesInUse?: string[] | null } {
    const now = this.#host?.volumesInUse ?? before;
    if (deepEqual(now, before)) return {};
    return { volumesInUse: now.length > 0 ? now : null };
  }

  #status(): Node['status'] {
    const { names, clock, random } = this.#options;
    return statusOf(this.#node, {
      names,
      random,
      address: this.#address,
      now: clock.now(),
      troubles: this.#troubles(),
      images: this.#host?.images ?? this.#node.status.images ?? [],
    });
  }

  #troubles(): ReadonlySet<string> {
    return troublesOf(this.#node, this.#host?.memory ?? 0);
  }

  /** Evicts one pod for each resource under pressure, and pods that exceed a limit. */
  #relievePressure(): void {
    const troubles = this.#troubles();
    const known = this.#node.status.conditions ?? [];
    for (const { type, status } of known)
      if (Object.hasOwn(SHORTAGES, type) && (status === 'True') !== troubles.has(type)) this.#mustReport = true;
    for (const type of troubles) {
      const shortage = getOwn(SHORTAGES, type);
      if (shortage) this.#host?.relieve(shortage);
    }
    this.#host?.enforceLimits();
  }

  #inBackground(work: Promise<void>): void {
    inBackground(work, (problem) => this.#trace(undefined, String(problem)));
  }

  #trace(pod: string | undefined, what: string): void {
    this.#options.tracer.emit({ topic: 'node', node: this.#node.metadata.name, ...(pod ? { pod } : {}), what });
  }
}
