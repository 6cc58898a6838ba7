import type { Pod } from '../../client/index.ts';
import { formatDuration, type objects } from '../../schema/index.ts';
import { delay, firstOf, inBackground, sharedText, Stop, throwToHost, type Timer, toHex } from '../../std/index.ts';
import { canonicalImage } from '../../programs/index.ts';
import { keepLog, keptLog } from '../keeping/logs.ts';
import { ConfigurationProblem } from './configuration.ts';
import type { ContainerOwner } from './containerOwner.ts';
import { StartProblem, type Awaiting, type ContainerProcess, type RunEnd } from './containerProcess.ts';
import type { AgentEnvironment } from './environment.ts';
import { faultsOf } from './faults.ts';
import { hookText, runHandler, type Handler, type HandlerSetup } from './handlers.ts';
import { backoffAfter, FIRST_BACKOFF, LONGEST_BACKOFF } from './backoff.ts';
import { LogBuffer } from './logBuffer.ts';
import { makeProcess } from './makeProcess.ts';
import { pullImage, type Puller } from './pullImage.ts';
import type { ContainerKind } from './program.ts';
import { Probes, type Probed } from './probes.ts';
import { endReason, type ContainerRecord, type Ended, type Running, type Waiting } from './record.ts';

/** The field of each container kind in the pod's spec. */
export const LISTS = { init: 'initContainers', main: 'containers', ephemeral: 'ephemeralContainers' } as const;

type StartProcess = (log: LogBuffer) => ContainerProcess;

interface ContainerSetup {
  readonly owner: ContainerOwner;
  readonly kind: ContainerKind;
  /** The container as it was given. */
  readonly container: objects.Container;
  readonly record: ContainerRecord;
}

/** A container that ran for this long restarts with a short back-off. */
const FORGIVEN_AFTER = 600_000;
const START_TIME = 60;
const CONFIGURATION_RETRY = 10_000;
/** The minimum of milliseconds between signal and kill, even if the preStop hook took longer. */
const SHORTEST_GRACE = 2000;
const LONGEST_HOOK = 600_000;

/** One container of a pod: pulled, started, probed, and restarted according to the pod's policy. */
export class ContainerRun implements Probed, Awaiting {
  readonly #owner: ContainerOwner;
  readonly #kind: ContainerKind;
  readonly #given: objects.Container;
  readonly record: ContainerRecord;
  readonly #stopping = new Stop();
  readonly #probes: Probes;
  /** Called when the container is not restarted any more, with whether its last run succeeded. Otherwise the pod has changed. */
  #done: ((succeeded: boolean) => void) | undefined;
  /** Ends the current back-off. */
  #hurry: (() => void) | undefined;
  #backoff: number;
  /** The container is being restarted because its image in the spec changed. */
  #isOutdated = false;
  /** Ends the container if the pod's faults say so. */
  #fault: Timer | undefined;

  constructor({ owner, kind, container, record }: ContainerSetup) {
    this.#owner = owner;
    this.#kind = kind;
    this.#given = container;
    this.record = record;
    this.#backoff = backoffAfter(record.restarts);
    this.#probes = new Probes(this);
  }

  /** The current spec of the container. */
  get container(): objects.Container {
    const { name } = this.#given;
    return (this.pod.spec[LISTS[this.#kind]] ?? []).find((container) => container.name === name) ?? this.#given;
  }

  get pod(): Pod {
    return this.#owner.pod;
  }

  get environment(): AgentEnvironment {
    return this.#owner.environment;
  }

  changed(): void {
    this.#owner.changed();
  }

  fail(message: string): void {
    this.#event('Normal', 'Killing', `Container ${this.container.name} ${message}, will be restarted`);
    inBackground(this.#kill(this.pod.spec.terminationGracePeriodSeconds ?? 30), throwToHost);
  }

  /** Runs the container; calls `done` when it is not restarted any more, with whether its last run succeeded. */
  async run(done?: (succeeded: boolean) => void): Promise<void> {
    this.#done = done;
    const { state } = this.record;
    const running = state.is === 'running' ? await this.#launch(state) : undefined;
    if (running) this.#watch(running);
    else await this.#goOn();
  }

  /** Starts the container, as often as it takes, if it is to run (again). */
  async #goOn(): Promise<void> {
    for (;;) {
      const last = this.record.state.is === 'ended' ? this.record.state : undefined;
      if (this.#stopping.aborted || (last && !this.#isRestarted(last))) return this.#over(last?.exitCode === 0);
      if (last) await this.#backOff(last);
      if (this.#stopping.aborted) continue;
      const running = await this.#start();
      if (running) return this.#watch(running);
    }
  }

  #over(succeeded: boolean): void {
    if (this.#done) this.#done(succeeded);
    else this.changed();
  }

  /** Registers for the end of the run. No promise waits for it, because most containers never end. */
  #watch({ process }: Running): void {
    this.#armFault();
    process?.whenEnded(this);
  }

  /** Goes on when the run has ended. */
  ended(end: RunEnd): void {
    const { state } = this.record;
    if (state.is === 'running') this.#record(state, end);
    inBackground(this.#goOn(), (problem) => this.#owner.onProblem(problem));
  }

  /** Stops the container, at the latest after the grace period. A second call shortens it. */
  async stop(graceSeconds: number): Promise<void> {
    const isFirst = !this.#stopping.aborted;
    this.#stopping.abort();
    this.#probes.stop();
    if (this.record.state.is !== 'running') return;
    if (!isFirst) return this.record.state.process?.stop(graceSeconds * 1000);
    this.#event('Normal', 'Killing', `Stopping container ${this.container.name}`);
    await this.#kill(graceSeconds);
  }

  /** Ends the container without a write. */
  abandon(): void {
    this.#stopping.abort();
    this.#probes.stop();
    const { state } = this.record;
    if (state.is === 'running') state.process?.finish({ exitCode: 0 });
  }

  /** Handles a changed spec: a container with another image is restarted. */
  update(): void {
    const { container, pod } = this;
    const { image, state } = this.record;
    if (this.#isOutdated || this.#stopping.aborted || (container.image ?? '') === image) return;
    if (state.is === 'waiting') {
      this.record.image = container.image ?? '';
      return this.#hurry?.();
    }
    if (state.is !== 'running') return;
    this.#isOutdated = true;
    this.#event('Normal', 'Killing', `Container ${container.name} definition changed, will be restarted`);
    inBackground(this.#kill(pod.spec.terminationGracePeriodSeconds ?? 30), throwToHost);
  }

  /** Retries the container after its pod has changed. */
  reconsider(): void {
    this.#hurry?.();
    this.#armFault();
    this.#probes.reconsider();
  }

  /** Runs the preStop hook, sends the signal, and kills the container after the grace period. */
  async #kill(graceSeconds: number): Promise<void> {
    const { state } = this.record;
    if (state.is !== 'running' || !state.process) return;
    const { clock } = this.environment;
    const end = clock.now() + graceSeconds * 1000;
    const { preStop } = this.container.lifecycle ?? {};
    if (preStop && graceSeconds > 0) await this.#hook('PreStop', preStop, state.process, graceSeconds * 1000);
    await state.process.stop(Math.max(graceSeconds > 0 ? SHORTEST_GRACE : 0, end - clock.now()));
  }

  #isRestarted(ended: Ended): boolean {
    const policy = this.pod.spec.restartPolicy ?? 'Always';
    if (policy === 'Never' || this.#kind === 'ephemeral') return false;
    const onlyOnFailure = policy === 'OnFailure' || this.#kind === 'init';
    return !onlyOnFailure || ended.exitCode !== 0;
  }

  /** The image was changed: restarts at once, whatever the pod's policy. */
  #beginAgain(last: Ended): void {
    this.#isOutdated = false;
    this.#backoff = FIRST_BACKOFF;
    this.record.last = last;
    this.record.restarts += 1;
    this.#set({ is: 'waiting', reason: 'ContainerCreating' });
  }

  /** The first restart is immediate; further ones wait with back-off. */
  async #backOff(last: Ended): Promise<void> {
    const ran = last.at - last.since;
    if (ran > FORGIVEN_AFTER) this.#backoff = FIRST_BACKOFF;
    this.record.last = last;
    const isFirst = this.record.restarts === 0 || ran > FORGIVEN_AFTER;
    if (!isFirst) {
      const { name } = this.container;
      const message = `back-off ${formatDuration(this.#backoff)} restarting failed container=${name} pod=${this.#podText()}`;
      this.#set({ is: 'waiting', reason: 'CrashLoopBackOff', message });
      this.#event('Warning', 'BackOff', 'Back-off restarting failed container');
      const { clock } = this.environment;
      await delay(clock, Math.max(0, last.at + this.#backoff - clock.now()), this.#stopping);
      this.#backoff = Math.min(this.#backoff * 2, LONGEST_BACKOFF);
    }
    if (this.#stopping.aborted) this.#set(last);
    else this.record.restarts += 1;
  }

  async #start(): Promise<Running | undefined> {
    const { container, environment } = this;
    if (!(await pullImage(this.#puller()))) return undefined;
    this.record.image = container.image ?? '';
    this.record.imageID = sharedText(`${canonicalImage(container.image ?? '')}@simulated`);
    const id = `simulation://${toHex(environment.random.bytes(32))}`;
    const process = await this.#make();
    if (!process) return undefined;
    this.#event('Normal', 'Created', `Created container ${container.name}`);
    await delay(environment.clock, START_TIME, this.#stopping);
    if (this.#stopping.aborted) return undefined;
    this.record.ready = false;
    this.record.started = false;
    return this.#launch({ is: 'running', id, since: environment.clock.now(), process: undefined }, process);
  }

  #puller(): Puller {
    const { environment } = this;
    return {
      ...{ environment, pod: () => this.pod, container: () => this.container, stopping: this.#stopping },
      event: (...what) => this.#event(...what),
      wait: (reason, message) => this.#set({ is: 'waiting', reason, message }),
      pause: (ms) => this.#pause(ms),
    };
  }

  /** Creates the container's files and variables; waits while the pod's configuration is incomplete. */
  async #make(): Promise<StartProcess | undefined> {
    while (!this.#stopping.aborted) {
      try {
        return await makeProcess(this.#owner, this.container);
      } catch (problem) {
        if (!(problem instanceof ConfigurationProblem)) throw problem;
        this.#set({ is: 'waiting', reason: 'CreateContainerConfigError', message: problem.message });
        this.#event('Warning', 'Failed', `Error: ${problem.message}`);
        await this.#pause(CONFIGURATION_RETRY);
      }
    }
    return undefined;
  }

  /** Waits until the time has passed, or the pod changes or is stopped. */
  async #pause(ms: number): Promise<void> {
    const hurry = new Stop();
    this.#hurry = () => hurry.abort();
    await delay(this.environment.clock, ms, firstOf(hurry, this.#stopping));
    this.#hurry = undefined;
  }

  /** Starts the program. If it can't be started, the container has ended. */
  async #launch(running: Running, prepared?: StartProcess): Promise<Running | undefined> {
    const start = prepared ?? (await this.#make());
    if (!start) return undefined;
    try {
      const process = start(this.#log(running.id));
      const launched = { ...running, process };
      this.#set(launched);
      if (prepared) this.#event('Normal', 'Started', `Started container ${this.container.name}`);
      inBackground(this.#afterStart(launched, process, prepared !== undefined), throwToHost);
      return launched;
    } catch (problem) {
      if (!(problem instanceof StartProblem)) throw problem;
      this.#event('Warning', 'Failed', `Error: ${problem.message}`);
      this.#set({
        is: 'ended',
        id: running.id,
        since: 0,
        at: this.environment.clock.now(),
        exitCode: 128,
        reason: 'StartError',
        message: problem.message,
      });
      return undefined;
    }
  }

  /** The log of a run; a saved one is continued. */
  #log(id: string): LogBuffer {
    const { environment, container, pod } = this;
    const { keeper, now, node } = environment;
    const run = { node, podUid: pod.metadata.uid, container: container.name, id };
    const log = keptLog(keeper, run, now) ?? new LogBuffer(now);
    keepLog(keeper, run, this.record.restarts, log);
    return log;
  }

  /** Runs the postStart hook, then starts the probes. A failed hook ends the container. */
  async #afterStart({ since }: Running, process: ContainerProcess, isNew: boolean): Promise<void> {
    const { postStart } = this.container.lifecycle ?? {};
    const succeeded = !postStart || !isNew || (await this.#hook('PostStart', postStart, process, LONGEST_HOOK));
    if (this.record.state.is !== 'running' || this.record.state.process !== process) return;
    if (succeeded) return this.#probes.begin(since, process);
    this.#event('Normal', 'Killing', 'FailedPostStartHook');
    await this.#kill(this.pod.spec.terminationGracePeriodSeconds ?? 30);
  }

  async #hook(
    kind: 'PostStart' | 'PreStop',
    handler: Handler,
    process: ContainerProcess,
    timeout: number,
  ): Promise<boolean> {
    const { succeeded, text } = await runHandler(handler, this.handlerSetup(process), timeout);
    if (!succeeded) this.#event('Warning', `Failed${kind}Hook`, hookText(handler, this.container, this.pod, text));
    return succeeded;
  }

  handlerSetup(process: ContainerProcess): HandlerSetup {
    const { container, environment } = this;
    const owner = this.#owner;
    const { podIP } = owner.where();
    const network = environment.networkOf(podIP, owner);
    return { container, process, network, podIP, clock: environment.clock };
  }

  /** Records how a run has ended. */
  #record({ process, since, id }: Running, { exitCode, reason, message }: RunEnd): void {
    const { clock } = this.environment;
    clock.clearTimeout(this.#fault);
    this.#probes.stop();
    const ended: Ended = {
      is: 'ended',
      id,
      since,
      at: clock.now(),
      exitCode,
      reason: endReason(exitCode, reason),
      ...(process && { log: process.log }),
      ...(message === undefined ? {} : { message }),
    };
    this.record.ready = this.#kind === 'init' && exitCode === 0;
    this.record.started = false;
    if (this.#isOutdated && !this.#stopping.aborted) this.#beginAgain(ended);
    else this.#set(ended);
  }

  /** Schedules the end of the container by the pod's fault annotations. */
  #armFault(): void {
    const { pod, environment } = this;
    const { state } = this.record;
    environment.clock.clearTimeout(this.#fault);
    const fault = this.#kind === 'main' ? faultsOf(pod).exit : undefined;
    if (!fault || state.is !== 'running' || !state.process) return;
    const { process, since } = state;
    const end = { exitCode: fault.code, ...(fault.reason ? { reason: fault.reason } : {}) };
    const left = Math.max(0, since + fault.after - environment.clock.now());
    this.#fault = environment.clock.setTimeout(() => process.finish(end), left);
  }

  #set(state: Waiting | Running | Ended): void {
    const { container, environment } = this;
    this.record.state = state;
    if (environment.tracer.wants('node')) {
      const detail = state.is === 'running' ? {} : { reason: state.reason };
      environment.tracer.emit({
        topic: 'node',
        node: environment.node,
        pod: this.#podText(),
        what: `${container.name} ${state.is}`,
        detail,
      });
    }
    this.#owner.changed();
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { container, pod, environment } = this;
    const path = `spec.${LISTS[this.#kind]}{${container.name}}`;
    environment.recorder.record(pod, type, reason, message, path);
  }

  #podText(): string {
    const { name, namespace } = this.pod.metadata;
    return `${namespace}/${name}`;
  }
}
