import {
  EventRecorder,
  Informer,
  keyOf,
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
import { deepEqual, rfc3339Micro, type Clock, type Random, type Timer } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { PodAddresses } from './addresses.ts';
import { ImageStore } from './imageStore.ts';
import { statusOf } from './machine.ts';
import type { AgentEnvironment } from './pod/environment.ts';
import { PodRun } from './pod/podRun.ts';
import type { ContainerRecord } from './pod/record.ts';

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
  readonly #runs = new Map<string, PodRun>();
  readonly #environment: AgentEnvironment;
  #node: Node;
  #lease: Lease | undefined;
  #timer: Timer | undefined;
  #reported = 0;
  #imagesChanged = false;
  #stopped = false;

  constructor(node: Node, options: AgentOptions) {
    const { client, clock, random, tracer } = options;
    const name = node.metadata.name ?? '';
    this.#node = node;
    this.#options = options;
    const images = new ImageStore(clock, () => (this.#imagesChanged = true));
    for (const image of node.status.images ?? []) for (const known of image.names ?? []) images.keep(known);
    this.#environment = {
      ...{ client, clock, random, tracer, images },
      node: name,
      hostIP: this.#status().addresses?.find((a) => a.type === 'InternalIP')?.address ?? '',
      recorder: new EventRecorder({ client, clock, source: { component: options.names.agent, host: name } }),
      addresses: new PodAddresses(node.spec.podCIDR ?? ''),
    };
    this.#pods = new Informer({
      resource: client.of(podsRef),
      clock,
      random,
      selection: { fieldSelector: `spec.nodeName=${name}` },
      onProblem: (problem) => this.#trace(undefined, String(problem)),
    });
    this.#pods.on({
      added: (pod) => this.#arrived(pod),
      changed: (pod) => (this.#isDown() ? undefined : this.#run(pod)?.update(pod)),
      deleted: (pod) => this.#run(pod)?.forget(),
    });
  }

  async start(): Promise<void> {
    await this.#beat();
    if (!this.#stopped && !this.#isDown()) this.#pods.start();
  }

  stop(): void {
    this.#stopped = true;
    this.#options.clock.clearTimeout(this.#timer);
    this.#pods.stop();
    for (const run of [...this.#runs.values()]) run.forget();
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

  /** What is known of a container, for its logs. */
  record(podUid: string, container: string): ContainerRecord | undefined {
    return this.#runs
      .get(podUid)
      ?.records()
      .find((record) => record.name === container);
  }

  #run(pod: Pod): PodRun | undefined {
    return this.#runs.get(pod.metadata.uid ?? '');
  }

  #arrived(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    const run = new PodRun(pod, this.#environment, () => this.#runs.delete(uid));
    this.#runs.set(uid, run);
    const over = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
    if (!over || pod.metadata.deletionTimestamp !== undefined)
      void run.run().catch((problem: unknown) => this.#trace(keyOf(pod), String(problem)));
  }

  #isDown(): boolean {
    return this.#node.metadata.annotations?.[DOWN] === 'true';
  }

  /** A node that was silenced comes back: it looks again at what it has to run. */
  async #wakeUp(): Promise<void> {
    this.#pods.start();
    for (const pod of this.#pods.list()) this.#run(pod)?.update(pod);
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
      images: this.#environment?.images.list() ?? [],
    });
  }

  #trace(pod: string | undefined, what: string): void {
    if (!this.#options.tracer.wants('node')) return;
    this.#options.tracer.emit({ topic: 'node', node: this.#node.metadata.name ?? '', ...(pod ? { pod } : {}), what });
  }
}
