import { keyOf, pods as podsRef, type Client, type EventRecorder, type Node, type Pod } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { DirectoryNode, FileNode } from '../../programs/index.ts';
import { isReason } from '../../schema/index.ts';
import {
  delay,
  firstOf,
  getOwn,
  inBackground,
  loadYaml,
  rfc3339,
  Stop,
  type Clock,
  type Timer,
} from '../../std/index.ts';
import { CRITICAL } from '../pod/admission.ts';
import type { PodRun } from '../pod/podRun.ts';
import { configKeys, mirrorOf, readManifests, type StaticPod } from './manifests.ts';

export interface StaticSetup {
  readonly client: Client;
  readonly clock: Clock;
  readonly names: Names;
  readonly recorder: EventRecorder;
  /** The current node. */
  readonly node: () => Node;
  /** The directories on the path to the manifests, and the last one if it exists. */
  readonly directory: () => { readonly way: readonly DirectoryNode[]; readonly end?: DirectoryNode };
  /** Resolves when the node's pods on the API server are known. */
  readonly synced: Promise<void>;
  /** Whether the manifests were changed just now; they are read as after any change then. */
  readonly isChange: boolean;
  /** Decodes a user-written pod with the defaults of its version. Throws for wrong types. */
  readonly readPod: (raw: unknown) => Pod;
  /** Creates the run of a pod; `mirror` returns its object on the API server. */
  readonly begin: (pod: Pod, mirror: () => Pod | undefined) => PodRun;
  /** Called when a removed pod's containers have ended. */
  readonly ended: (pod: Pod) => void;
  /** Called when the manifests were read for the first time, and their pods started. */
  readonly hasRead: () => void;
  readonly onProblem: (pod: string, problem: unknown) => void;
}

/** Milliseconds between the last change of a file and reading it, because files are written in parts. */
const SETTLES_AFTER = 500;
/** Milliseconds before a failed operation is retried, doubled each time. */
const [FIRST_RETRY, LONGEST_RETRY] = [1_000, 60_000];

interface Running {
  readonly wanted: StaticPod;
  run: PodRun | undefined;
  mirror: Pod | undefined;
  /** Whether the mirror is being created. */
  isMirroring: boolean;
  /** Ends the back-off before creating a mirror is retried. */
  hurry?: () => void;
}

/** The static pods of a node, from its manifests. Each has a mirror on the API server, for people to see. */
export class StaticPods {
  readonly #setup: StaticSetup;
  readonly #running = new Map<string, Running>();
  /** The mirrors on the API server, by namespace and name. */
  readonly #mirrors = new Map<string, Pod>();
  readonly #stopping = new Stop();
  readonly #watched = new Map<FileNode | DirectoryNode, () => void>();
  #timer: Timer | undefined;
  #work: Promise<void>;
  #hasRead = false;
  /** Manifest errors that were reported in events. */
  #problems = new Set<string>();

  constructor(setup: StaticSetup) {
    this.#setup = setup;
    this.#work = setup.synced;
    if (setup.isChange) this.#touched();
    else this.#settleNext();
  }

  stop(): void {
    this.#stopping.abort();
    this.#setup.clock.clearTimeout(this.#timer);
    for (const unwatch of this.#watched.values()) unwatch();
  }

  /** The run of a mirror's pod, by the mirror's uid. */
  runOf(mirrorUid: string): PodRun | undefined {
    return [...this.#running.values()].find(({ mirror }) => mirror?.metadata.uid === mirrorUid)?.run;
  }

  /** Handles a new or changed mirror on the API server. */
  saw(mirror: Pod): void {
    this.#mirrors.set(keyOf(mirror), mirror);
    if (this.#hasRead) this.#adopt(mirror);
  }

  /** Handles a deleted pod on the API server; a mirror is created again. */
  gone(pod: Pod): void {
    const key = keyOf(pod);
    if (this.#mirrors.get(key)?.metadata.uid === pod.metadata.uid) this.#mirrors.delete(key);
    const running = this.#running.get(key);
    if (!running) return;
    if (running.mirror?.metadata.uid === pod.metadata.uid) running.mirror = undefined;
    if (running.mirror) return;
    running.hurry?.();
    this.#mirror(running);
  }

  #touched(after = SETTLES_AFTER): void {
    const { clock } = this.#setup;
    clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => this.#settleNext(), after);
  }

  /** Settles when the current reading is done. Failures are retried later and never block a later change. */
  #settleNext(): void {
    this.#work = this.#work
      .then(() => this.#settle())
      .catch((problem: unknown) => {
        this.#report(problem);
        if (!this.#stopping.aborted) this.#touched(LONGEST_RETRY);
      });
    inBackground(this.#work, (problem) => this.#report(problem));
  }

  /** Makes the running pods match the manifests. */
  async #settle(): Promise<void> {
    if (this.#stopping.aborted) return;
    const { node, names, clock, readPod } = this.#setup;
    const directory = this.#watch();
    if (directory?.entries.size) await loadYaml();
    const nothing = { pods: [], problems: [] };
    const reading = { node: node(), names, readPod, seen: rfc3339(clock.now()) };
    const { pods, problems } = directory ? readManifests(directory, reading) : nothing;
    this.#sayInvalid(problems);
    const wanted = new Map(pods.map((pod) => [pod.key, pod]));
    const outdated = [...this.#running.values()].filter((r) => wanted.get(r.wanted.key)?.hash !== r.wanted.hash);
    await Promise.all(outdated.map((running) => this.#end(running)));
    if (this.#stopping.aborted) return;
    const isFirst = !this.#hasRead;
    this.#hasRead = true;
    for (const pod of wanted.values()) if (!this.#running.has(pod.key)) this.#begin(pod);
    for (const mirror of this.#mirrors.values()) if (!this.#running.has(keyOf(mirror))) this.#drop(mirror);
    if (isFirst) this.#setup.hasRead();
  }

  /**
   * Watches the files of the directory and the directories on its path, which may be moved and created again. Returns
   * the directory.
   */
  #watch(): DirectoryNode | undefined {
    const { way, end } = this.#setup.directory();
    const files = [...(end?.entries.values() ?? [])].filter((entry) => entry.type === 'file');
    const nodes = new Set([...way, ...files]);
    for (const [node, unwatch] of this.#watched) {
      if (nodes.has(node)) continue;
      unwatch();
      this.#watched.delete(node);
    }
    for (const node of nodes) {
      if (this.#watched.has(node)) continue;
      const unwatch = node.watch(() => this.#touched());
      this.#watched.set(node, unwatch);
    }
    return end;
  }

  #begin(wanted: StaticPod): void {
    const running: Running = { wanted, run: undefined, mirror: undefined, isMirroring: false };
    this.#running.set(wanted.key, running);
    const known = this.#mirrors.get(wanted.key);
    if (known) this.#adopt(known);
    if (!running.mirror) this.#mirror(running);
  }

  async #end(running: Running): Promise<void> {
    this.#running.delete(running.wanted.key);
    running.hurry?.();
    await running.run?.stop(running.wanted.pod.spec.terminationGracePeriodSeconds ?? 30);
    this.#setup.ended(running.wanted.pod);
    const mirror = this.#mirrors.get(running.wanted.key);
    if (mirror) this.#drop(mirror);
  }

  /** Adopts a mirror of a pod that runs here, and deletes other mirrors. */
  #adopt(mirror: Pod): void {
    const { names, node } = this.#setup;
    const running = this.#running.get(keyOf(mirror));
    const isOwn = mirror.metadata.ownerReferences?.some(({ uid }) => uid === node().metadata.uid) === true;
    const isCurrent = getOwn(mirror.metadata.annotations, configKeys(names).mirror) === running?.wanted.hash;
    if (!running || !isOwn || !isCurrent || mirror.metadata.deletionTimestamp !== undefined) return this.#drop(mirror);
    const isAnother = running.mirror?.metadata.uid !== mirror.metadata.uid;
    running.mirror = mirror;
    if (!running.run) this.#run(running, mirror);
    else running.run.update({ ...running.run.pod, status: mirror.status });
    if (isAnother) running.run?.mirrored();
  }

  /**
   * The manifest is run. Changes by admission, and events from before the node was restarted, are only in the mirror.
   */
  #run(running: Running, mirror?: Pod): void {
    const { pod } = running.wanted;
    // Static pods are critical, whatever their priority is.
    const own = { ...pod, spec: { ...pod.spec, priority: Math.max(pod.spec.priority ?? 0, CRITICAL) } };
    running.run = this.#setup.begin({ ...own, status: mirror?.status ?? pod.status }, () => running.mirror);
  }

  #mirror(running: Running): void {
    if (running.isMirroring || this.#stopping.aborted) return;
    running.isMirroring = true;
    const made = this.#create(running).finally(() => (running.isMirroring = false));
    inBackground(made, (problem) => this.#report(problem, running.wanted.key));
  }

  /** Retries with back-off until the mirror exists or the pod was removed. An invalid manifest is not retried. */
  async #create(running: Running): Promise<void> {
    const { client, clock, names, node } = this.#setup;
    const { wanted } = running;
    const isWanted = (): boolean => this.#running.get(wanted.key) === running && !this.#stopping.aborted;
    for (let wait = FIRST_RETRY; isWanted() && !running.mirror; wait = Math.min(wait * 2, LONGEST_RETRY)) {
      try {
        this.saw(await client.of(podsRef).create(mirrorOf(wanted, node(), names)));
      } catch (problem) {
        if (isReason(problem, 'Invalid') || isReason(problem, 'BadRequest'))
          return this.#sayInvalid([...this.#problems, `${wanted.key}: ${String((problem as Error).message)}`]);
        this.#goWithoutMirror(running, problem, wait === FIRST_RETRY);
      }
      if (running.mirror || !isWanted()) return;
      const hurry = new Stop();
      running.hurry = () => hurry.abort();
      await delay(clock, wait, firstOf(hurry, this.#stopping));
    }
  }

  /**
   * A pod runs even if its mirror is refused. At the first attempt the mirror of the previous manifest may still exist.
   */
  #goWithoutMirror(running: Running, problem: unknown, isFirst: boolean): void {
    const { recorder, node } = this.#setup;
    const { key } = running.wanted;
    this.#report(problem, key);
    const why = problem instanceof Error ? problem.message : String(problem);
    const message = `The static pod ${key} runs without a mirror: ${why}`;
    if (!isFirst) recorder.record(node(), 'Warning', 'FailedMirrorPod', message);
    if (!running.run) this.#run(running);
  }

  #drop(mirror: Pod): void {
    const { uid } = mirror.metadata;
    const deleted = this.#setup.client
      .of(podsRef)
      .delete(mirror, { gracePeriodSeconds: 0, preconditions: { uid } })
      .catch((problem: unknown) => {
        if (!isReason(problem, 'NotFound') && !isReason(problem, 'Conflict')) throw problem;
      });
    inBackground(deleted, (problem) => this.#report(problem, keyOf(mirror)));
  }

  /** Records an event of the node once for each unreadable manifest. */
  #sayInvalid(problems: readonly string[]): void {
    const { recorder, node } = this.#setup;
    for (const problem of problems)
      if (!this.#problems.has(problem)) recorder.record(node(), 'Warning', 'InvalidStaticPod', problem);
    this.#problems = new Set(problems);
  }

  #report(problem: unknown, key = 'static pods'): void {
    this.#setup.onProblem(key, problem);
  }
}
