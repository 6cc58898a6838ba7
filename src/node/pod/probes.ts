import type { Pod } from '../../client/index.ts';
import { imageOf } from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import { inBackground, throwToHost, type Timer } from '../../std/index.ts';
import type { AgentEnvironment } from './environment.ts';
import type { ContainerProcess } from './containerProcess.ts';
import { failsProbe, faultsOf, type ProbeKind } from './faults.ts';
import { runHandler, type HandlerSetup, type Outcome } from './handlers.ts';
import type { ContainerRecord } from './record.ts';

/** What is probed. */
export interface Probed {
  readonly container: objects.Container;
  readonly pod: Pod;
  readonly environment: AgentEnvironment;
  readonly record: ContainerRecord;
  /** The means to ask its process. */
  handlerSetup(process: ContainerProcess): HandlerSetup;
  changed(): void;
  /** Called when a probe requires a restart of the container. */
  fail(message: string): void;
}

const NAMES: Readonly<Record<ProbeKind, string>> = { readiness: 'Readiness', liveness: 'Liveness', startup: 'Startup' };
/** Milliseconds before the first probe. */
const FIRST_AFTER = 500;

/** The maximum of seconds between readiness probes with a fault, so that its effect is soon visible. */
const FAULT_PERIOD = 5;

/** Consecutive equal results of a probe. */
interface Streak {
  succeeded: boolean;
  count: number;
}

/** The probes of one run of a container, each with its own period. Every failure is an event. */
export class Probes {
  readonly #probed: Probed;
  // Most containers have no probes.
  #timers: Partial<Record<ProbeKind, Timer>> | undefined;
  #streaks: Partial<Record<ProbeKind, Streak>> | undefined;
  #process: ContainerProcess | undefined;
  #since = 0;

  constructor(probed: Probed) {
    this.#probed = probed;
  }

  /** Called when the container has started. */
  begin(since: number, process: ContainerProcess): void {
    this.#since = since;
    this.#process = process;
    this.#streaks = undefined;
    if (!this.#schedule('startup')) this.#hasStarted();
  }

  stop(): void {
    this.#process = undefined;
    for (const timer of Object.values(this.#timers ?? {})) this.#probed.environment.clock.clearTimeout(timer);
  }

  /** Called when the pod's faults have changed: probes readiness at once. */
  reconsider(): void {
    const { record, environment } = this.#probed;
    if (!this.#process || !record.started) return;
    environment.clock.clearTimeout(this.#timers?.readiness);
    this.#wait('readiness', 0);
  }

  /** The current probe; undefined if there is none. A readiness fault works without a probe in the spec. */
  #probe(kind: ProbeKind): objects.Probe | undefined {
    const { container, pod } = this.#probed;
    const own = container[`${kind}Probe`];
    const { probe, readyAfter } = faultsOf(pod);
    const isSlow = readyAfter > 0 && this.#probed.environment.clock.now() < this.#since + readyAfter;
    if (kind !== 'readiness' || (!probe.readiness && !isSlow)) return own;
    const periodSeconds = Math.min(own?.periodSeconds || FAULT_PERIOD, FAULT_PERIOD);
    return { ...own, periodSeconds, failureThreshold: 1, successThreshold: 1 };
  }

  #hasStarted(): void {
    const { record } = this.#probed;
    record.started = true;
    this.#schedule('liveness');
    if (!this.#schedule('readiness')) record.ready = true;
    this.#probed.changed();
  }

  /** Waits for the first probe that falls due. Returns false if there is none of its kind. */
  #schedule(kind: ProbeKind): boolean {
    const { clock } = this.#probed.environment;
    const probe = this.#probe(kind);
    if (!probe) return false;
    const first = this.#since + FIRST_AFTER + (probe.initialDelaySeconds ?? 0) * 1000;
    const period = (probe.periodSeconds || 10) * 1000;
    const missed = Math.max(0, Math.ceil((clock.now() - first) / period));
    this.#wait(kind, first + missed * period - clock.now());
    return true;
  }

  #wait(kind: ProbeKind, ms: number): void {
    const { clock } = this.#probed.environment;
    const run = (): void => inBackground(this.#run(kind), throwToHost);
    (this.#timers ??= {})[kind] = clock.setTimeout(run, ms, { idle: () => this.#isSteady(kind) });
  }

  /** Whether the probe's result can't change: it checks an image's own server without a fault. */
  #isSteady(kind: ProbeKind): boolean {
    const { container, pod } = this.#probed;
    const { probe, readyAfter } = faultsOf(pod);
    const isDisturbed = readyAfter > 0 || probe[kind] !== undefined;
    const own = container.command === undefined && imageOf(container.image ?? '').steady === true;
    return own && !isDisturbed && this.#streaks?.[kind]?.succeeded === true;
  }

  async #run(kind: ProbeKind): Promise<void> {
    const process = this.#process;
    if (!process) return;
    const probe = this.#probe(kind);
    if (!probe) return this.#setReady(true);
    const { clock } = this.#probed.environment;
    const began = clock.now();
    const outcome =
      this.#fault(kind) ??
      (await runHandler(probe, this.#probed.handlerSetup(process), (probe.timeoutSeconds || 1) * 1000));
    // The container may have ended or restarted meanwhile.
    if (this.#process !== process) return;
    const streak = this.#count(kind, outcome.succeeded);
    if (!outcome.succeeded) this.#report(kind, outcome);
    if (this.#decide(kind, probe, streak))
      this.#wait(kind, Math.max(0, (probe.periodSeconds || 10) * 1000 - (clock.now() - began)));
  }

  /** The result that a fault annotation forces. */
  #fault(kind: ProbeKind): Outcome | undefined {
    const sinceStart = this.#probed.environment.clock.now() - this.#since;
    const fails = failsProbe(faultsOf(this.#probed.pod), kind, sinceStart);
    return fails ? { succeeded: false, text: 'the probe is made to fail (simulated)' } : undefined;
  }

  #count(kind: ProbeKind, succeeded: boolean): Streak {
    const last = this.#streaks?.[kind];
    const streak = { succeeded, count: last?.succeeded === succeeded ? last.count + 1 : 1 };
    (this.#streaks ??= {})[kind] = streak;
    return streak;
  }

  #report(kind: ProbeKind, { text, isUntried = false }: Outcome): void {
    const { environment, pod, container } = this.#probed;
    const message = `${NAMES[kind]} probe ${isUntried ? 'errored' : 'failed'}: ${text}`;
    environment.recorder.record(pod, 'Warning', 'Unhealthy', message, `spec.containers{${container.name}}`);
  }

  /** Acts on consecutive results; returns false if this probe is finished. */
  #decide(kind: ProbeKind, probe: objects.Probe, { succeeded, count }: Streak): boolean {
    if (count < (succeeded ? probe.successThreshold || 1 : probe.failureThreshold || 3)) return true;
    if (kind === 'startup' && succeeded) {
      this.#hasStarted();
      return false;
    }
    if (kind === 'readiness') this.#setReady(succeeded);
    else if (!succeeded) this.#probed.fail(`failed ${kind} probe`);
    return kind === 'readiness' || succeeded;
  }

  #setReady(ready: boolean): void {
    const { record } = this.#probed;
    if (record.ready === ready) return;
    record.ready = ready;
    this.#probed.changed();
  }
}
