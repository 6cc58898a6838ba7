import type { Pod } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { inBackground, throwToHost, type Timer } from '../../std/index.ts';
import type { AgentEnvironment } from './environment.ts';
import { faultsOf, type ProbeKind } from './faults.ts';
import { runHandler, type HandlerSetup, type Outcome } from './handlers.ts';
import type { ContainerRecord } from './record.ts';

export interface ProbeSetup {
  readonly container: objects.Container;
  readonly pod: () => Pod;
  readonly environment: AgentEnvironment;
  readonly record: ContainerRecord;
  readonly changed: () => void;
  /** A probe has found that the container has to be restarted. */
  readonly fail: (message: string) => void;
}

const NAMES: Readonly<Record<ProbeKind, string>> = { readiness: 'Readiness', liveness: 'Liveness', startup: 'Startup' };
/** Milliseconds that a program has before its first probe. */
const FIRST_AFTER = 500;

/** How often in a row a probe has found the same. */
interface Streak {
  succeeded: boolean;
  count: number;
}

/** The probes of one run of a container, each at its own pace. Every failure is an event. */
export class Probes {
  readonly #setup: ProbeSetup;
  readonly #timers = new Map<ProbeKind, Timer>();
  #handler: HandlerSetup | undefined;
  #since = 0;

  constructor(setup: ProbeSetup) {
    this.#setup = setup;
  }

  /** The container has started. */
  begin(since: number, handler: HandlerSetup): void {
    this.#since = since;
    this.#handler = handler;
    const { startupProbe } = this.#setup.container;
    if (startupProbe) this.#schedule('startup', startupProbe);
    else this.#hasStarted();
  }

  stop(): void {
    this.#handler = undefined;
    for (const timer of this.#timers.values()) this.#setup.environment.clock.clearTimeout(timer);
    this.#timers.clear();
  }

  #hasStarted(): void {
    const { container, record } = this.#setup;
    record.started = true;
    if (container.livenessProbe) this.#schedule('liveness', container.livenessProbe);
    if (container.readinessProbe) this.#schedule('readiness', container.readinessProbe);
    else record.ready = true;
    this.#setup.changed();
  }

  #schedule(kind: ProbeKind, probe: objects.Probe): void {
    const { clock } = this.#setup.environment;
    const first = this.#since + FIRST_AFTER + (probe.initialDelaySeconds ?? 0) * 1000;
    const period = (probe.periodSeconds || 10) * 1000;
    const missed = Math.max(0, Math.ceil((clock.now() - first) / period));
    this.#wait(kind, probe, { succeeded: false, count: 0 }, first + missed * period - clock.now());
  }

  #wait(kind: ProbeKind, probe: objects.Probe, streak: Streak, ms: number): void {
    const { clock } = this.#setup.environment;
    const run = (): void => inBackground(this.#run(kind, probe, streak), throwToHost);
    this.#timers.set(kind, clock.setTimeout(run, ms));
  }

  async #run(kind: ProbeKind, probe: objects.Probe, streak: Streak): Promise<void> {
    const handler = this.#handler;
    if (!handler) return;
    const { clock } = this.#setup.environment;
    const began = clock.now();
    const outcome = this.#fault(kind) ?? (await runHandler(probe, handler, (probe.timeoutSeconds || 1) * 1000));
    // It may have ended, or be another run, by now.
    if (this.#handler !== handler) return;
    this.#count(streak, outcome.succeeded);
    if (!outcome.succeeded) this.#report(kind, outcome);
    if (this.#decide(kind, probe, streak))
      this.#wait(kind, probe, streak, Math.max(0, (probe.periodSeconds || 10) * 1000 - (clock.now() - began)));
  }

  /** What the pod's annotations make the probe find. */
  #fault(kind: ProbeKind): Outcome | undefined {
    const { failing, readyAfter } = faultsOf(this.#setup.pod());
    const early = kind !== 'liveness' && this.#setup.environment.clock.now() < this.#since + readyAfter;
    return failing.has(kind) || early ? { succeeded: false, text: 'the probe is made to fail (simulated)' } : undefined;
  }

  #count(streak: Streak, succeeded: boolean): void {
    streak.count = streak.succeeded === succeeded ? streak.count + 1 : 1;
    streak.succeeded = succeeded;
  }

  #report(kind: ProbeKind, { text }: Outcome): void {
    const { environment, pod, container } = this.#setup;
    const message = `${NAMES[kind]} probe failed: ${text}`;
    environment.recorder.record(pod(), 'Warning', 'Unhealthy', message, `spec.containers{${container.name}}`);
  }

  /** What follows from the streak; false where this probe is done. */
  #decide(kind: ProbeKind, probe: objects.Probe, { succeeded, count }: Streak): boolean {
    const { record, changed, fail } = this.#setup;
    if (count < (succeeded ? probe.successThreshold || 1 : probe.failureThreshold || 3)) return true;
    if (kind === 'startup' && succeeded) {
      this.#hasStarted();
      return false;
    }
    if (kind !== 'readiness') {
      if (!succeeded) fail(`failed ${kind} probe`);
      return succeeded;
    }
    if (record.ready === succeeded) return true;
    record.ready = succeeded;
    changed();
    return true;
  }
}
