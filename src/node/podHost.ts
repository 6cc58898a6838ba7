import { EventRecorder, keyOf, type Node, type Pod } from '../client/index.ts';
import { inBackground, type StopSignal } from '../std/index.ts';
import { PodAddresses } from './addresses.ts';
import { PidNamespace, SystemError, type Network, type Tree } from '../programs/index.ts';
import { evictionMessage, firstToEvict, type Shortage } from './eviction.ts';
import { ImageStore } from './imageStore.ts';
import { isCritical, rejectionOf, shortfallOf, type Admission, type Rejection } from './pod/admission.ts';
import { allocatableOf, manifestsIn } from './machine.ts';
import { victimsFor } from './pod/preempting.ts';
import { logsOfNode, logsOfPod, podUidOf } from './keeping/logs.ts';
import { readLogs, type LogOptions } from './logs.ts';
import type { AgentEnvironment } from './pod/environment.ts';
import type { ContainerProcess } from './pod/containerProcess.ts';
import type { LogBuffer } from './pod/logBuffer.ts';
import { PodRun } from './pod/podRun.ts';
import { ANNOTATED_FILE, isMirror, manifestsDirectory } from './static/manifests.ts';
import { StaticPods } from './static/staticPods.ts';
import { hostTreeOf, wayTo } from './volumes/hostFiles.ts';
import type { ContainerRecord } from './pod/record.ts';
import { sharedBy, type Hosting, type Shared } from './shared.ts';
import { candidateOf, memoryIn, useOf } from './pod/use.ts';
import type { PodUse } from './usage.ts';
import { NodeAttachments } from './volumes/attachments.ts';
import { ObjectCache } from './volumes/objectCache.ts';

export { installDns } from './addons/dns.ts';

export interface HostOptions extends Hosting {
  /** When the node's agent started, in milliseconds since the epoch. */
  readonly since: number;
  /** Whether the node's manifests were changed just now. */
  readonly isChange: boolean;
  readonly hostIP: string;
  /** The current node. */
  readonly node: () => Node;
  /** Resolves when the node's pods on the API server are known. */
  readonly synced: Promise<void>;
  readonly onImages: () => void;
  /** Called when the volumes in use change. */
  readonly onVolumes: () => void;
}

/** Whether a node has something to look after before a pod comes: static pods, or what an earlier agent left. */
export function hasWork(node: Node, hosting: Hosting): boolean {
  const isAttached = (node.status.volumesInUse ?? []).length > 0;
  return sharedBy(hosting).hasLeft(node.metadata.name) || isAttached || manifestsIn(node) !== undefined;
}

/** A running container. */
export interface RunningContainer {
  readonly process: ContainerProcess;
}

/** Runs the pods bound to one node, and keeps their images. */
export class PodHost {
  readonly #options: HostOptions;
  readonly #shared: Shared;
  readonly #runs = new Map<string, PodRun>();
  readonly #environment: AgentEnvironment;
  readonly #objects: ObjectCache;
  readonly #attachments: NodeAttachments;
  readonly #files: Tree;
  readonly #static: StaticPods;
  /** The manifests in the node's annotation. */
  #annotated: string | undefined;

  constructor(node: Node, options: HostOptions) {
    const { client, clock, random, tracer, names, hostIP, isCrowded, onProblem } = options;
    const shared = (this.#shared = sharedBy(options));
    const name = node.metadata.name;
    const { now } = shared;
    this.#options = options;
    this.#attachments = new NodeAttachments(options.node, options.onVolumes);
    this.#objects = new ObjectCache({ client, clock, random, onProblem: (problem) => onProblem(name, problem) });
    const images = new ImageStore(clock, options.onImages);
    for (const image of node.status.images ?? []) for (const known of image.names ?? []) images.keep(known);
    this.#environment = {
      ...{ client, clock, now, random, tracer, names, images, hostIP, onProblem },
      allocatable: () => allocatableOf(options.node().status),
      ...{
        cpu: shared.cpu,
        kept: shared.kept,
        keeper: shared.keeper,
        keepVolumes: () => shared.keepVolumes(),
        pids: PidNamespace.ofNode(options.since, names.agent),
        objects: this.#objects,
      },
      attachments: this.#attachments,
      startDrivers: () => shared.startDrivers(),
      admit: (pod) => this.#admit(pod),
      isCrowded,
      networkOf: (address, owner) => shared.networkOf(address, owner),
      services: () => shared.services(),
      network: shared.networkSettings,
      node: name,
      recorder: new EventRecorder({ client, clock, source: { component: names.agent, host: name } }),
      addresses: new PodAddresses(node.spec.podCIDR ?? ''),
    };
    this.#files = hostTreeOf(shared.kept, name, names, now);
    this.nodeChanged(node);
    this.#static = this.#runManifests();
  }

  #runManifests(): StaticPods {
    const { client, clock, names, node, synced, isChange, readPod, onProblem } = this.#options;
    const { recorder } = this.#environment;
    return new StaticPods({
      ...{ client, clock, names, recorder, node, synced, isChange, readPod, onProblem },
      directory: () => wayTo(this.#files, manifestsDirectory(names)),
      begin: (pod, mirror) => this.#begin(pod, mirror),
      ended: (pod) => this.#forgetLogs(pod),
      hasRead: () => this.#forgetLost(),
    });
  }

  /** Volumes in use, for the node's status. */
  get volumesInUse(): string[] {
    return this.#attachments.inUse;
  }

  /** Handles newly attached volumes, and writes the node's manifest annotation to a file. */
  nodeChanged(node: Node): void {
    this.#attachments.update(node);
    const path = `${manifestsDirectory(this.#options.names)}/${ANNOTATED_FILE}`;
    const text = manifestsIn(node);
    if (text === this.#annotated) return;
    this.#annotated = text;
    try {
      if (text === undefined) this.#files.remove(path);
      else this.#files.file(path, text);
    } catch (problem) {
      // A file replaced the directory.
      if (!(problem instanceof SystemError)) throw problem;
      if (text === undefined) return;
      const message = `${path}: the annotation can't be written there: ${problem.message}`;
      this.#environment.recorder.record(node, 'Warning', 'InvalidStaticPod', message);
    }
  }

  /** The pulled images, for the node's status. */
  get images(): NonNullable<Node['status']['images']> {
    return this.#environment.images.list();
  }

  add(pod: Pod): void {
    if (isMirror(pod, this.#options.names)) this.#static.saw(pod);
    else this.#begin(pod);
  }

  #begin(pod: Pod, mirror?: () => Pod | undefined): PodRun {
    const uid = pod.metadata.uid;
    const run = new PodRun(pod, this.#environment, this.#gone, mirror);
    this.#runs.set(uid, run);
    const over = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
    if (!over || pod.metadata.deletionTimestamp !== undefined) this.#start(run);
    return run;
  }

  readonly #gone = (pod: Pod): void => {
    this.#runs.delete(pod.metadata.uid);
    this.#environment.recorder.forget(pod);
  };

  #start(run: PodRun): void {
    inBackground(run.run(), (problem) => this.#options.onProblem(keyOf(run.pod), problem));
  }

  update(pod: Pod): void {
    if (isMirror(pod, this.#options.names)) this.#static.saw(pod);
    else this.#runs.get(pod.metadata.uid)?.update(pod);
  }

  forget(pod: Pod): void {
    this.#runs.get(pod.metadata.uid)?.forget();
    this.#static.gone(pod);
    this.#forgetLogs(pod);
  }

  #forgetLogs(pod: Pod): void {
    this.#shared.keeper.forget(logsOfPod(this.#environment.node, pod));
  }

  /** Deletes logs of pods that were deleted while the node was off. */
  #forgetLost(): void {
    const { keeper } = this.#shared;
    const lost = keeper.keys(logsOfNode(this.#environment.node)).filter((key) => !this.#runs.has(podUidOf(key)));
    keeper.forget(lost);
  }

  stop(): void {
    this.#static.stop();
    const { addresses } = this.#environment;
    const tried = [...addresses.tried()];
    for (const run of [...this.#runs.values()]) run.forget();
    this.#shared.forgetAddresses(tried);
    this.#objects.stop();
  }

  /** The log of a container. Undefined if it is unknown. */
  logs(podUid: string, container: string, options: LogOptions, signal: StopSignal): AsyncIterable<string> | undefined {
    const log = logOf(this.#run(podUid)?.container(container)?.record, options.previous ?? false);
    return log && readLogs(log, options, this.#options.clock, signal);
  }

  /** A running container, and what is needed to communicate with it. */
  running(podUid: string, container: string): RunningContainer | undefined {
    const run = this.#run(podUid);
    const state = run?.container(container)?.record.state;
    return state?.is === 'running' && state.process ? { process: state.process } : undefined;
  }

  /** The network as seen from a pod. Undefined if the pod is unknown or has no address yet. */
  network(podUid: string): { readonly network: Network; readonly address: string } | undefined {
    const run = this.#run(podUid);
    const address = run?.address;
    if (!run || address === undefined) return undefined;
    return { network: this.#shared.networkOf(address, run), address };
  }

  /** Evicts the first pod for a resource under pressure. Returns false if there is none. */
  relieve(shortage: Shortage): boolean {
    const { recorder } = this.#environment;
    const running = [...this.#runs.values()].filter((run) => run.isActive);
    const chosen = firstToEvict(
      shortage,
      running.map(({ pod, records }) => candidateOf(pod, records)),
    );
    const run = running.find(({ pod }) => pod.metadata.uid === chosen?.pod.metadata.uid);
    if (!run || !chosen) return false;
    recorder.record(this.#options.node(), 'Warning', 'EvictionThresholdMet', `Attempting to reclaim ${shortage}`);
    run.evict(evictionMessage(shortage, chosen));
    return true;
  }

  /** Evicts pods that exceed a limit. */
  enforceLimits(): void {
    for (const run of this.#runs.values()) if (run.isActive) run.enforceLimits();
  }

  #admit(pod: Pod): Rejection | undefined {
    const runs = [...this.#runs.values()].filter((run) => run.isActive && run.pod.metadata.uid !== pod.metadata.uid);
    const { node, names } = this.#options;
    const beside = (others: readonly PodRun[]): Admission => ({
      ...{ node: node(), names },
      others: others.map(({ demand }) => demand),
    });
    const rejection = rejectionOf(pod, beside(runs));
    const shortfall = rejection && isCritical(pod) ? shortfallOf(pod, beside(runs)) : undefined;
    if (!shortfall?.size) return rejection;
    const victims = new Set(
      victimsFor(
        pod,
        shortfall,
        runs.map((run) => run.pod),
      ),
    );
    const stays = rejectionOf(pod, beside(runs.filter((run) => !victims.has(run.pod))));
    // Victims are preempted only if the node then admits the pod.
    if (!stays) for (const run of runs) if (victims.has(run.pod)) run.preempt();
    return stays;
  }

  /** The memory of all pods, in bytes: that of `usage`, which is looked at often. */
  get memory(): number {
    let sum = 0;
    for (const run of this.#runs.values()) sum += memoryIn(run.records);
    return sum;
  }

  /** The usage of pods with running containers. */
  usage(): PodUse[] {
    return [...this.#runs.values()].flatMap(({ pod, records }) => useOf(pod, records) ?? []);
  }

  /** The run of a pod by its uid on the API server. */
  #run(uid: string): PodRun | undefined {
    return this.#runs.get(uid) ?? this.#static.runOf(uid);
  }
}

/** The log of a container's current or previous run. */
function logOf(record: ContainerRecord | undefined, previous: boolean): LogBuffer | undefined {
  if (!record) return undefined;
  const { state } = record;
  if (!previous && state.is === 'running') return state.process?.log;
  if (!previous && state.is === 'ended') return state.log;
  return record.last?.log;
}
