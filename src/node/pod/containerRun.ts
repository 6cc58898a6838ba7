import type { Pod } from '../../client/index.ts';
import { formatDuration, type objects } from '../../schema/index.ts';
import { delay } from '../../std/index.ts';
import { canonicalImage, imageOf, pullProblem, type Program } from '../images/index.ts';
import type { AgentEnvironment } from './environment.ts';
import { faultsOf } from './faults.ts';
import { Probes } from './probes.ts';
import { endReason, type ContainerRecord, type Ended, type Running, type Waiting } from './record.ts';

/** The last are put into a pod that runs already, to look into it; they run once. */
export type ContainerKind = 'init' | 'main' | 'ephemeral';

/** What each kind is called in the pod's spec. */
const LISTS = { init: 'initContainers', main: 'containers', ephemeral: 'ephemeralContainers' } as const;

export interface ContainerSetup {
  readonly container: objects.Container;
  readonly kind: ContainerKind;
  /** The pod as it stands now. */
  readonly pod: () => Pod;
  readonly environment: AgentEnvironment;
  readonly record: ContainerRecord;
  /** Called whenever the record has changed. */
  readonly changed: () => void;
}

const FIRST_BACKOFF = 10_000;
const LONGEST_BACKOFF = 300_000;
/** A container that ran for so long starts over with a short backoff. */
const FORGIVEN_AFTER = 600_000;
const START_TIME = 60;

/** One container of a pod: pulled, started, probed, restarted as the pod's policy says. */
export class ContainerRun {
  readonly #setup: ContainerSetup;
  readonly #stopping = new AbortController();
  readonly #probes: Probes;
  /** Ends the present run: by itself, by a probe, or because the pod is being stopped. */
  #end: ((exitCode: number, reason?: string) => void) | undefined;
  #backoff = FIRST_BACKOFF;

  constructor(setup: ContainerSetup) {
    this.#setup = setup;
    this.#probes = new Probes({
      ...setup,
      fail: (message) => {
        this.#event('Normal', 'Killing', `Container ${setup.container.name} ${message}, will be restarted`);
        void this.#kill(setup.pod().spec.terminationGracePeriodSeconds ?? 30);
      },
    });
  }

  get record(): ContainerRecord {
    return this.#setup.record;
  }

  /** Runs until the container won't be started again; resolves to whether its last run succeeded. */
  async run(): Promise<boolean> {
    if (this.record.state.is === 'running') {
      this.#probes.begin(this.record.state.since);
      await this.#wait(this.record.state);
    }
    for (;;) {
      const last = this.record.state.is === 'ended' ? this.record.state : undefined;
      if (this.#stopping.signal.aborted || (last && !this.#isRestarted(last))) return last?.exitCode === 0;
      if (last) await this.#backOff(last);
      if (this.#stopping.signal.aborted) continue;
      const running = await this.#start();
      if (running) await this.#wait(running);
    }
  }

  /** Ends the container, at the latest when its grace has passed. */
  async stop(graceSeconds: number): Promise<void> {
    this.#stopping.abort();
    this.#probes.stop();
    if (this.record.state.is !== 'running') return;
    this.#event('Normal', 'Killing', `Stopping container ${this.#setup.container.name}`);
    await this.#kill(graceSeconds);
  }

  /** Lets go of the container without a word. */
  abandon(): void {
    this.#stopping.abort();
    this.#probes.stop();
    this.#end?.(0);
  }

  /** The pod's annotations may have changed what its probes find. */
  reconsider(): void {
    this.#probes.reconsider();
  }

  async #kill(graceSeconds: number): Promise<void> {
    const { state } = this.record;
    if (state.is !== 'running') return;
    const { stopsIn } = state.program;
    const grace = graceSeconds * 1000;
    await delay(this.#setup.environment.clock, Math.min(stopsIn ?? Infinity, grace));
    const obeyed = stopsIn !== undefined && stopsIn <= grace;
    this.#end?.(obeyed ? state.program.exitCode : 137);
  }

  #isRestarted(ended: Ended): boolean {
    const policy = this.#setup.pod().spec.restartPolicy ?? 'Always';
    if (policy === 'Never' || this.#setup.kind === 'ephemeral') return false;
    const onlyOnFailure = policy === 'OnFailure' || this.#setup.kind === 'init';
    return !onlyOnFailure || ended.exitCode !== 0;
  }

  /** The first restart comes at once; each further one waits longer than the one before. */
  async #backOff(last: Ended): Promise<void> {
    const ran = last.at - last.since;
    if (ran > FORGIVEN_AFTER) this.#backoff = FIRST_BACKOFF;
    this.record.last = last;
    const isFirst = this.record.restarts === 0 || ran > FORGIVEN_AFTER;
    if (!isFirst) {
      const { name } = this.#setup.container;
      const message = `back-off ${formatDuration(this.#backoff)} restarting failed container=${name} pod=${this.#podText()}`;
      this.#set({ is: 'waiting', reason: 'CrashLoopBackOff', message });
      this.#event('Warning', 'BackOff', 'Back-off restarting failed container');
      await delay(this.#setup.environment.clock, this.#backoff, this.#stopping.signal);
      this.#backoff = Math.min(this.#backoff * 2, LONGEST_BACKOFF);
    }
    if (this.#stopping.signal.aborted) this.#set(last);
    else this.record.restarts += 1;
  }

  async #start(): Promise<Running | undefined> {
    const { container, environment } = this.#setup;
    if (!(await this.#pull())) return undefined;
    const program = this.#program();
    this.record.imageID = `${canonicalImage(container.image ?? '')}@simulated`;
    const id = `simulation://${hex(environment.random.bytes(32))}`;
    this.#event('Normal', 'Created', `Created container ${container.name}`);
    await delay(environment.clock, START_TIME, this.#stopping.signal);
    if (this.#stopping.signal.aborted) return undefined;
    const running: Running = { is: 'running', id, since: environment.clock.now(), program };
    this.record.ready = false;
    this.record.started = false;
    this.#probes.begin(running.since);
    this.#set(running);
    this.#event('Normal', 'Started', `Started container ${container.name}`);
    return running;
  }

  #program(): Program {
    const { container, pod } = this.#setup;
    const { command, args, env } = container;
    const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value ?? '']));
    const hostname = pod().spec.hostname || pod().metadata.name || '';
    const image = imageOf(container.image ?? '');
    const program = image.run({ command: command ?? [], args: args ?? [], env: { HOSTNAME: hostname, ...variables } });
    const { exit } = faultsOf(pod());
    if (!exit || this.#setup.kind !== 'main') return program;
    return { ...program, runsFor: exit.after, exitCode: exit.code, ...(exit.reason ? { reason: exit.reason } : {}) };
  }

  /** Returns whether the image is there; where it can't be had, tries again ever later until the pod is stopped. */
  async #pull(): Promise<boolean> {
    const { container, environment } = this.#setup;
    const image = container.image ?? '';
    const { images } = environment;
    if (container.imagePullPolicy !== 'Always' && images.has(image)) {
      this.#event('Normal', 'Pulled', `Container image ${JSON.stringify(image)} already present on machine`);
      return true;
    }
    for (
      let backoff = FIRST_BACKOFF;
      !this.#stopping.signal.aborted;
      backoff = Math.min(backoff * 2, LONGEST_BACKOFF)
    ) {
      const problem = await this.#tryPull(image);
      if (problem === undefined) return !this.#stopping.signal.aborted;
      const message = `Back-off pulling image ${JSON.stringify(image)}`;
      this.#event('Normal', 'BackOff', message);
      if (container.imagePullPolicy !== 'Never') this.#set({ is: 'waiting', reason: 'ImagePullBackOff', message });
      await delay(environment.clock, backoff, this.#stopping.signal);
    }
    return false;
  }

  async #tryPull(image: string): Promise<string | undefined> {
    const { container, environment, pod } = this.#setup;
    const quoted = JSON.stringify(image);
    if (container.imagePullPolicy === 'Never') {
      return this.#pullFailed(
        'ErrImageNeverPull',
        `Container image ${quoted} is not present with pull policy of Never`,
      );
    }
    this.#event('Normal', 'Pulling', `Pulling image ${quoted}`);
    const began = environment.clock.now();
    const problem = faultsOf(pod()).failsPull
      ? 'rpc error: code = Unknown desc = the registry does not answer (simulated)'
      : pullProblem(image);
    if (problem === undefined) {
      await environment.images.pull(image);
      if (!this.#stopping.signal.aborted)
        this.#event(
          'Normal',
          'Pulled',
          `Successfully pulled image ${quoted} in ${formatDuration(environment.clock.now() - began)}`,
        );
      return undefined;
    }
    await delay(environment.clock, 300, this.#stopping.signal);
    this.#event('Warning', 'Failed', `Failed to pull image ${quoted}: ${problem}`);
    return this.#pullFailed('ErrImagePull', problem);
  }

  #pullFailed(reason: string, message: string): string {
    this.#event('Warning', 'Failed', `Error: ${reason}`);
    this.#set({ is: 'waiting', reason, message });
    return message;
  }

  /** Waits until the run ends, and records how. */
  async #wait(running: Running): Promise<void> {
    const { clock } = this.#setup.environment;
    const { program, since, id } = running;
    const ended = await new Promise<Ended>((resolve) => {
      const finish = (exitCode: number, reason?: string): void => {
        clock.clearTimeout(timer);
        resolve({ is: 'ended', id, since, at: clock.now(), exitCode, reason: endReason(exitCode, reason), program });
      };
      this.#end = finish;
      const left = program.runsFor === undefined ? undefined : since + program.runsFor - clock.now();
      const timer =
        left === undefined ? undefined : clock.setTimeout(() => finish(program.exitCode, program.reason), left);
    });
    this.#end = undefined;
    this.#probes.stop();
    this.record.ready = this.#setup.kind === 'init' && ended.exitCode === 0;
    this.record.started = false;
    this.record.previous = { program, ended };
    this.#set(ended);
  }

  #set(state: Waiting | Running | Ended): void {
    const { container, environment } = this.#setup;
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
    this.#setup.changed();
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { container, kind, pod, environment } = this.#setup;
    const path = `spec.${LISTS[kind]}{${container.name}}`;
    environment.recorder.record(pod(), type, reason, message, path);
  }

  #podText(): string {
    const { name, namespace } = this.#setup.pod().metadata;
    return `${namespace}/${name}`;
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
