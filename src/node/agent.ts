import {
  fetchPatiently,
  Informer,
  leases,
  nodes as nodesRef,
  pods as podsRef,
  type Client,
  type Draft,
  type Lease,
  type Node,
  type Pod,
} from '../client/index.ts';
import type { Names } from '../names/index.ts';
import { isReason } from '../schema/index.ts';
import { deepEqual, Part, rfc3339Micro, type Clock, type Random, type Timer } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { statusOf } from './machine.ts';
import type { PodHost } from './podHost.ts';

/** A node without pods only says that it is well. */
export const podHost = new Part(() => import('./podHost.ts'));

export interface AgentOptions {
  /** Acts as the node. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly names: Names;
}

const LEASE_SECONDS = 40;
const RENEW_EVERY = 10_000;
/** Milliseconds after which a node says that it is well though nothing has changed. */
const REPORT_EVERY = 300_000;

/** What annotations of a node make its agent do: `…/down: "true"` silences it, `…/pressure: memory,disk,pid` makes it report that. */
const DOWN = 'simulation.vitrine.dev/down';
const PRESSURE = 'simulation.vitrine.dev/pressure';
const PRESSURES: Readonly<Record<string, string>> = {
  memory: 'MemoryPressure',
  disk: 'DiskPressure',
  pid: 'PIDPressure',
  runtime: 'Ready',
};

/** The agent of one node: says that the node is alive, and runs the pods that are bound to it. */
export class Agent {
  readonly #options: AgentOptions;
  readonly #pods: Informer<Pod>;
  readonly #ended = new AbortController();
  /** Made when the first pod comes. */
  #host: PodHost | undefined;
  #node: Node;
  #lease: Lease | undefined;
  #timer: Timer | undefined;
  #reported = 0;
  #imagesChanged = false;
  #stopped = false;

  constructor(node: Node, options: AgentOptions) {
    const { client, clock, random } = options;
    const name = node.metadata.name ?? '';
    this.#node = node;
    this.#options = options;
    this.#pods = new Informer({
      resource: client.of(podsRef),
      clock,
      random,
      selection: { fieldSelector: `spec.nodeName=${name}` },
      onProblem: (problem) => this.#trace(undefined, String(problem)),
    });
    this.#pods.on({
      added: (pod) => this.#arrived(pod),
      changed: (pod) => (this.#isDown() ? undefined : this.#host?.update(pod)),
      deleted: (pod) => this.#host?.forget(pod),
    });
    if (podHost.loaded) this.#openHost();
  }

  async start(): Promise<void> {
    await this.#beat();
    if (!this.#stopped && !this.#isDown()) this.#pods.start();
  }

  stop(): void {
    this.#stopped = true;
    this.#options.clock.clearTimeout(this.#timer);
    this.#pods.stop();
    this.#ended.abort();
    this.#host?.stop();
  }

  /** The server has another version of the node. */
  update(node: Node): void {
    const wasDown = this.#isDown();
    const before = this.#node;
    this.#node = node;
    const noted = !deepEqual(before.metadata.annotations, node.metadata.annotations);
    if (noted && !this.#isDown()) void this.#report(true);
    if (wasDown && !this.#isDown()) void this.#wakeUp();
  }

  /** What a container has written. Undefined where nothing is known of it. */
  logs(...which: Parameters<PodHost['logs']>): ReturnType<PodHost['logs']> {
    return this.#host?.logs(...which);
  }

  #arrived(pod: Pod): void {
    if (this.#host) this.#host.add(pod);
    else void this.#fetchHost();
  }

  async #fetchHost(): Promise<void> {
    const onProblem = (problem: unknown): void => this.#trace(undefined, String(problem));
    await fetchPatiently(podHost, { clock: this.#options.clock, signal: this.#ended.signal, onProblem });
    if (this.#stopped || this.#host) return;
    this.#openHost();
    for (const pod of this.#pods.list()) this.#arrived(pod);
  }

  #openHost(): void {
    const { PodHost } = podHost.get();
    this.#host = new PodHost(this.#node, {
      ...this.#options,
      hostIP: this.#status().addresses?.find((a) => a.type === 'InternalIP')?.address ?? '',
      onImages: () => (this.#imagesChanged = true),
      onProblem: (pod, problem) => this.#trace(pod, String(problem)),
    });
  }

  #isDown(): boolean {
    return this.#node.metadata.annotations?.[DOWN] === 'true';
  }

  /** A node that was silenced comes back: it looks again at what it has to run. */
  async #wakeUp(): Promise<void> {
    this.#pods.start();
    for (const pod of this.#pods.list()) this.#host?.update(pod);
    await this.#beat();
  }

  /** Says every few seconds that the node is alive. */
  async #beat(): Promise<void> {
    const { clock } = this.#options;
    clock.clearTimeout(this.#timer);
    if (!this.#isDown()) {
      try {
        await this.#renewLease();
        await this.#report(this.#imagesChanged || clock.now() - this.#reported >= REPORT_EVERY);
      } catch (problem) {
        this.#trace(undefined, String(problem));
      }
    }
    if (!this.#stopped) this.#timer = clock.setTimeout(() => void this.#beat(), RENEW_EVERY);
  }

  /** Writes to the lease as it was left; asks for it only at first, or when somebody else has written to it. */
  async #renewLease(): Promise<void> {
    const { client, clock } = this.#options;
    const spec = {
      holderIdentity: this.#node.metadata.name ?? '',
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: rfc3339Micro(clock.now()),
    };
    const known = this.#lease ?? (await this.#findLease());
    this.#lease = undefined;
    const resource = client.of(leases);
    this.#lease = known
      ? await resource.update({ ...known, spec: { ...known.spec, ...spec } })
      : await resource.create({ metadata: this.#leaseMetadata(), spec });
  }

  async #findLease(): Promise<Lease | undefined> {
    const { client, names } = this.#options;
    try {
      return await client.of(leases).get(this.#node.metadata.name ?? '', names.nodeLeaseNamespace);
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return undefined;
      throw problem;
    }
  }

  #leaseMetadata(): NonNullable<Draft<Lease>['metadata']> {
    const { name = '', uid = '' } = this.#node.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
    return { name, namespace: this.#options.names.nodeLeaseNamespace, ownerReferences };
  }

  async #report(force: boolean): Promise<void> {
    const ready = this.#node.status.conditions?.find((condition) => condition.type === 'Ready')?.status;
    if (!force && ready === 'True') return;
    const { client, clock } = this.#options;
    this.#imagesChanged = false;
    this.#reported = clock.now();
    const status = this.#status();
    const { uid } = this.#node.metadata;
    this.#node = await client
      .of(nodesRef)
      .patch(this.#node, 'strategic', { metadata: { uid }, status }, { subresource: 'status' });
  }

  #status(): Node['status'] {
    const { names, clock, random } = this.#options;
    const pressures = (this.#node.metadata.annotations?.[PRESSURE] ?? '')
      .split(',')
      .map((word) => PRESSURES[word.trim()]);
    const troubles = new Set(pressures.filter((type) => type !== undefined));
    return statusOf(this.#node, {
      names,
      random,
      now: clock.now(),
      troubles,
      images: this.#host?.images ?? this.#node.status.images ?? [],
    });
  }

  #trace(pod: string | undefined, what: string): void {
    if (!this.#options.tracer.wants('node')) return;
    this.#options.tracer.emit({ topic: 'node', node: this.#node.metadata.name ?? '', ...(pod ? { pod } : {}), what });
  }
}
