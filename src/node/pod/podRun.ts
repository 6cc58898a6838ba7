import { keyOf, pods as podsRef, retry, type Pod } from '../../client/index.ts';
import { isReason, timeOf, type objects } from '../../schema/index.ts';
import { deepEqual, delay, inBackground, Stop, type Timer } from '../../std/index.ts';
import { PidNamespace } from '../../programs/index.ts';
import { demandOf, type Demand, type Rejection } from './admission.ts';
import type { ContainerOwner } from './containerOwner.ts';
import { ContainerRun } from './containerRun.ts';
import type { AgentEnvironment } from './environment.ts';
import { keptLog } from '../keeping/logs.ts';
import { PodVolumes } from '../volumes/podVolumes.ts';
import type { LogBuffer } from './logBuffer.ts';
import { mountVolumes } from './mountVolumes.ts';
import type { ContainerKind } from './program.ts';
import type { Whereabouts } from './references.ts';
import { removePod } from './removePod.ts';
import { newRecord, type ContainerRecord } from './record.ts';
import { restore } from './restore.ts';
import { asPatch, phaseOf, podStatus, type PodState } from './status.ts';

const SANDBOX_TIME = 250;
const RETRY = 1_000;
/** In a crowd a pod has so many milliseconds to start before its first status is written: the reference's `syncPeriod`. */
const ANNOUNCED_WITHIN = 10_000;
/** The agent waits so many milliseconds for the server to delete a pod that has no grace period, and writes no status meanwhile. */
const GOES_WITHIN = 1_000;

const NONE: readonly ContainerRun[] = [];

const STATUSES = {
  init: 'initContainerStatuses',
  main: 'containerStatuses',
  ephemeral: 'ephemeralContainerStatuses',
} as const;

/** One pod on one node, from its arrival until its deletion. */
export class PodRun implements ContainerOwner {
  readonly environment: AgentEnvironment;
  readonly volumes: PodVolumes;
  readonly #init: readonly ContainerRun[];
  readonly #main: readonly ContainerRun[];
  /** Ephemeral containers are added while the pod runs. */
  #ephemeral: readonly ContainerRun[];
  /** Aborted when no container is started any more; the status is still written. */
  readonly #stopping = new Stop();
  /** Aborted when no status is written any more. */
  readonly #ended = new Stop();
  /** Caches `#ended`, because each new pod checks all pods of the node. */
  #hasEnded = false;
  readonly #done: (last: Pod) => void;
  #pod: Pod;
  #startTime: number;
  #podIP: string | undefined;
  #failed: PodState['failed'];
  #deadline: Timer | undefined;
  #announcement: Timer | undefined;
  #written: unknown;
  /** The pod's requirements of its node. */
  readonly demand: Demand;
  #pids: PidNamespace | undefined;
  #isPrepared = false;
  #publishing = false;
  #dirty = false;
  /** The mirror of a static pod on the API server. */
  readonly #mirror: (() => Pod | undefined) | undefined;

  constructor(pod: Pod, environment: AgentEnvironment, done: (last: Pod) => void, mirror?: () => Pod | undefined) {
    this.#pod = pod;
    this.#mirror = mirror;
    this.environment = environment;
    this.volumes = new PodVolumes(environment, this);
    this.#done = done;
    this.demand = demandOf(pod);
    this.#startTime = timeOf(pod.status.startTime) ?? environment.clock.now();
    this.#podIP = pod.status.podIP;
    if (this.#podIP) environment.addresses.keep(this.#podIP);
    this.#init = this.#runsOf(pod.spec.initContainers ?? [], 'init');
    this.#main = this.#runsOf(pod.spec.containers ?? [], 'main');
    this.#ephemeral = this.#runsOf(pod.spec.ephemeralContainers ?? [], 'ephemeral');
  }

  /** The pod's address, once assigned. */
  get address(): string | undefined {
    return this.#podIP;
  }

  get pod(): Pod {
    return this.#pod;
  }

  /** Whether the pod counts against the node's resources. */
  get isActive(): boolean {
    return !this.#failed && !this.#hasEnded && !this.#isOver();
  }

  /** Evicts the pod at once, because of pressure. */
  evict(message: string): void {
    this.environment.recorder.record(this.#pod, 'Warning', 'Evicted', message);
    this.#inBackground(this.#fail({ reason: 'Evicted', message, isBare: true }, 0));
  }

  /** Stops the pod within its grace period for a critical pod. */
  preempt(): void {
    const [reason, message] = ['Preempting', 'Preempted in order to admit critical pod'];
    this.environment.recorder.record(this.#pod, 'Warning', reason, message);
    const grace = this.#pod.spec.terminationGracePeriodSeconds ?? 30;
    this.#inBackground(this.#fail({ reason, message, isBare: true }, grace));
  }

  /** Evicts the pod if a volume exceeds its limit. */
  enforceLimits(): void {
    const volume = this.volumes.overLimit();
    if (volume)
      this.evict(`Usage of EmptyDir volume ${JSON.stringify(volume.name)} exceeds the limit "${volume.limit}". `);
  }

  get #runs(): readonly ContainerRun[] {
    return [...this.#init, ...this.#main, ...this.#ephemeral];
  }

  /** All of its containers. */
  get records(): readonly ContainerRecord[] {
    return this.#runs.map(({ record }) => record);
  }

  /** Handles a new version of the pod. */
  update(pod: Pod): void {
    const before = this.#pod;
    this.#pod = pod;
    this.#shareWritten();
    if (pod.metadata.deletionTimestamp !== undefined)
      return this.#inBackground(this.stop(pod.metadata.deletionGracePeriodSeconds ?? 30));
    if (before.spec.activeDeadlineSeconds !== pod.spec.activeDeadlineSeconds) this.#armDeadline();
    for (const run of this.#main) run.update();
    const hasOtherAnnotations = !deepEqual(before.metadata.annotations, pod.metadata.annotations);
    if (hasOtherAnnotations) for (const run of this.#main) run.reconsider();
    if (hasOtherAnnotations || !deepEqual(before.metadata.labels, pod.metadata.labels)) this.volumes.refresh();
    this.#add(pod.spec.ephemeralContainers ?? []);
    // Readiness gates are conditions that other components write.
    if (!deepEqual(before.status.conditions, pod.status.conditions)) this.changed();
  }

  /** Writes the whole status to a new mirror object. */
  mirrored(): void {
    this.#written = undefined;
    this.changed();
  }

  async run(): Promise<void> {
    if (this.#pod.metadata.deletionTimestamp !== undefined)
      return this.stop(this.#pod.metadata.deletionGracePeriodSeconds ?? 30);
    const rejection = this.#pod.status.startTime ? undefined : this.environment.admit(this.#pod);
    if (rejection) return this.#reject(rejection);
    this.#armDeadline();
    this.#announce();
    if (!(await this.#prepare())) return;
    this.#isPrepared = true;
    // Ephemeral containers do not wait for the others, because people add them to debug those.
    if (!this.#isOver()) for (const run of this.#ephemeral) this.#inBackground(run.run());
    for (const run of this.#init) {
      const succeeded = await new Promise<boolean>((resolve, reject) => void run.run(resolve).catch(reject));
      if (!succeeded) return this.changed();
    }
    if (this.#main.length === 0) this.changed();
    for (const run of this.#main) this.#inBackground(run.run());
  }

  /** Ends all containers, then deletes the pod from the server. A second call shortens the grace period. */
  async stop(graceSeconds: number): Promise<void> {
    if (this.#stopping.aborted) return this.#stopContainers(graceSeconds);
    this.#stopping.abort();
    this.environment.clock.clearTimeout(this.#deadline);
    await this.#stopContainers(graceSeconds);
    if (this.#goesAtOnce) await delay(this.environment.clock, GOES_WITHIN, this.#ended);
    await this.#publish();
    if (this.#ended.aborted) return;
    if (this.#pod.metadata.deletionTimestamp !== undefined) {
      const { clock, client } = this.environment;
      await retry(() => removePod(client, this.#pod), {
        clock,
        signal: this.#ended,
        onProblem: (problem) => this.onProblem(problem),
      });
    }
    this.forget();
  }

  /** Whether the server deletes the pod right after it has said so, without waiting for the agent. */
  get #goesAtOnce(): boolean {
    const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = this.#pod.metadata;
    return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
  }

  /** Ends without a write: the pod was deleted from the server, or the agent stops. */
  forget(): void {
    if (this.#hasEnded) return;
    this.#stopping.abort();
    this.#ended.abort();
    this.#hasEnded = true;
    for (const timer of [this.#deadline, this.#announcement]) this.environment.clock.clearTimeout(timer);
    this.volumes.stop();
    for (const run of this.#runs) run.abandon();
    if (this.#podIP) this.environment.addresses.give(this.#podIP);
    this.#done(this.#pod);
  }

  /** Adds new ephemeral containers, unless the pod has ended. */
  #add(containers: readonly objects.EphemeralContainer[]): void {
    const known = new Set(this.#ephemeral.map((run) => run.record.name));
    const added = containers.filter(({ name }) => !known.has(name));
    if (added.length === 0 || this.#failed || this.#isOver()) return;
    const runs = this.#runsOf(added, 'ephemeral');
    this.#ephemeral = [...this.#ephemeral, ...runs];
    if (this.#isPrepared) for (const run of runs) this.#inBackground(run.run());
    this.changed();
  }

  #isOver(): boolean {
    const { phase } = this.#pod.status;
    return phase === 'Succeeded' || phase === 'Failed';
  }

  #runsOf(containers: readonly objects.Container[], kind: ContainerKind): readonly ContainerRun[] {
    if (containers.length === 0) return NONE;
    const waiting = (this.#pod.spec.initContainers ?? []).length > 0 ? 'PodInitializing' : 'ContainerCreating';
    const statuses = this.#pod.status[STATUSES[kind]] ?? [];
    const { keeper, now, node } = this.environment;
    const podUid = this.#pod.metadata.uid;
    return containers.map((container) => {
      const status = statuses.find((s) => s.name === container.name);
      const keptLogs = (id: string): LogBuffer | undefined =>
        keptLog(keeper, { node, podUid, container: container.name, id }, now);
      const record = status ? restore(container, status, keptLogs) : newRecord(container, waiting);
      if (status?.imageID) this.environment.images.keep(container.image ?? '');
      return new ContainerRun({ owner: this, kind, container, record });
    });
  }

  /** The processes that a container can see: the node's, its pod's, those of its target container, or only its own. */
  pidsOf(container: objects.EphemeralContainer | objects.Container): PidNamespace {
    const { clock, pids } = this.environment;
    if (this.#pod.spec.hostPID) return pids;
    if (this.#pod.spec.shareProcessNamespace) return (this.#pids ??= PidNamespace.shared(clock.now(), pids));
    const target = 'targetContainerName' in container ? container.targetContainerName : undefined;
    const state = target === undefined ? undefined : this.container(target)?.record.state;
    const shared = state?.is === 'running' ? state.process?.container.pids : undefined;
    return shared ?? new PidNamespace(pids);
  }

  /** Rejects the pod: its status contains nothing else. */
  #reject({ reason, message }: Rejection): void {
    this.environment.recorder.record(this.#pod, 'Warning', reason, message);
    this.#failed = { reason, message: `Pod ${message}`, isBare: true };
    this.#stopping.abort();
    this.changed();
  }

  /** Sets up volumes and network before the first container. Returns false if the pod was stopped meanwhile. */
  async #prepare(): Promise<boolean> {
    const { clock, addresses, hostIP } = this.environment;
    const isNew = this.#podIP === undefined;
    if (isNew) await delay(clock, SANDBOX_TIME, this.#stopping);
    await mountVolumes(this.volumes, () => this.#pod, this.environment, this.#stopping);
    if (this.#stopping.aborted) return false;
    if (isNew) this.#podIP = this.#pod.spec.hostNetwork ? hostIP : addresses.take();
    return true;
  }

  where(): Whereabouts {
    const { hostIP, allocatable } = this.environment;
    return {
      ...{ pod: this.#pod, podIP: this.#podIP ?? '', hostIP },
      // Computed on demand, because few containers refer to it.
      get allocatable() {
        return allocatable();
      },
    };
  }

  /** The run of a container by name. */
  container(name: string): ContainerRun | undefined {
    return this.#runs.find((run) => run.record.name === name);
  }

  #armDeadline(): void {
    const seconds = this.#pod.spec.activeDeadlineSeconds;
    const { clock } = this.environment;
    clock.clearTimeout(this.#deadline);
    if (seconds === undefined || this.#isOver() || this.#failed) return;
    const left = Math.max(0, this.#startTime + seconds * 1000 - clock.now());
    this.#deadline = clock.setTimeout(() => this.#exceedDeadline(), left);
  }

  #exceedDeadline(): void {
    const [reason, message] = ['DeadlineExceeded', 'Pod was active on the node longer than the specified deadline'];
    this.environment.recorder.record(this.#pod, 'Normal', reason, message);
    this.#inBackground(this.#fail({ reason, message }, this.#pod.spec.terminationGracePeriodSeconds ?? 30));
  }

  /** Marks the pod as failed; its containers end within their grace period. */
  async #fail(why: NonNullable<PodState['failed']>, graceSeconds: number): Promise<void> {
    if (this.#failed) return;
    this.#failed = why;
    this.environment.clock.clearTimeout(this.#deadline);
    this.changed();
    await this.#stopContainers(graceSeconds);
    this.changed();
  }

  async #stopContainers(graceSeconds: number): Promise<void> {
    await Promise.all(this.#runs.map((run) => run.stop(graceSeconds)));
  }

  /**
   * Writes that the containers are created. In a crowd only the status that follows is, if it soon does: so does the
   * reference where its queue of statuses is full, which leaves what is not written to its next regular pass.
   */
  #announce(): void {
    const { clock, isCrowded } = this.environment;
    if (isCrowded()) this.#announcement = clock.setTimeout(() => this.changed(), ANNOUNCED_WITHIN);
    else this.changed();
  }

  changed(): void {
    this.environment.clock.clearTimeout(this.#announcement);
    if (this.#ended.aborted || this.#goesAtOnce) return;
    this.#dirty = true;
    if (!this.#publishing) this.#inBackground(this.#publish());
  }

  /** Writes the current status; changes during a write are written together afterwards. */
  async #publish(): Promise<void> {
    this.#publishing = true;
    this.#dirty = true;
    // Further changes in this turn are part of the same write: a container without a probe starts and is ready at once.
    await Promise.resolve();
    while (this.#dirty && !this.#ended.aborted) {
      this.#dirty = false;
      try {
        await this.#write();
      } catch (problem) {
        if (isReason(problem, 'NotFound') || isReason(problem, 'Conflict')) break;
        this.onProblem(problem);
        await delay(this.environment.clock, RETRY, this.#ended);
        this.#dirty = true;
      }
    }
    this.#publishing = false;
  }

  async #write(): Promise<void> {
    const { clock, hostIP, client } = this.environment;
    const records = (runs: readonly ContainerRun[]): ContainerRecord[] => runs.map((run) => run.record);
    const state: PodState = {
      pod: this.#pod,
      init: records(this.#init),
      main: records(this.#main),
      ephemeral: records(this.#ephemeral),
      startTime: this.#startTime,
      hostIP,
      podIP: this.#podIP,
      failed: this.#failed,
    };
    const status = podStatus(state, clock.now());
    this.#release(status.phase);
    const object = this.#mirror ? this.#mirror() : this.#pod;
    // An agent that has just started has written nothing, but most pods already have the right status.
    if (!object || deepEqual(status, this.#written ?? object.status)) return;
    const body = { metadata: { uid: object.metadata.uid }, status: asPatch(status) };
    await client.of(podsRef).patch(object, 'strategic', body, { subresource: 'status', gathered: 'statuses' });
    this.#written = status;
    this.#shareWritten();
    this.#trace(phaseOf(state));
  }

  /** What was written is in the pod sooner or later, which all informers share. */
  #shareWritten(): void {
    const { status } = this.#pod;
    if (this.#written !== status && deepEqual(status, this.#written)) this.#written = status;
  }

  /** A finished pod releases its volumes once its containers have ended, so that other nodes may use them. */
  #release(phase: string | undefined): void {
    const isOver = phase === 'Succeeded' || phase === 'Failed';
    if (isOver && this.records.every(({ state }) => state.is !== 'running')) this.volumes.stop();
  }

  #inBackground(work: Promise<unknown>): void {
    inBackground(work, (problem) => this.onProblem(problem));
  }

  onProblem(problem: unknown): void {
    this.environment.onProblem(keyOf(this.#pod), problem);
  }

  #trace(phase: string): void {
    const { tracer, node } = this.environment;
    tracer.emit({ topic: 'node', node, pod: keyOf(this.#pod), what: phase });
  }
}
