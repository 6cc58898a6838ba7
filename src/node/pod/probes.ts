import type { Pod } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import type { Timer } from '../../std/index.ts';
import type { AgentEnvironment } from './environment.ts';
import { faultsOf, type ProbeKind } from './faults.ts';
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

const FAILURE: Readonly<Record<ProbeKind, string>> = {
  readiness: 'Readiness',
  liveness: 'Liveness',
  startup: 'Startup',
};

/**
 * The probes of one container. What a probe finds follows from the pod's annotations and the time, so nothing is asked
 * again and again: only the moment at which its verdict changes is waited for.
 */
export class Probes {
  readonly #setup: ProbeSetup;
  readonly #timers = new Map<ProbeKind, Timer>();
  #since: number | undefined;

  constructor(setup: ProbeSetup) {
    this.#setup = setup;
  }

  /** The container has started. */
  begin(since: number): void {
    this.#since = since;
    const { container } = this.#setup;
    if (container.startupProbe) this.#await('startup', container.startupProbe);
    else this.#hasStarted();
  }

  stop(): void {
    this.#since = undefined;
    for (const timer of this.#timers.values()) this.#setup.environment.clock.clearTimeout(timer);
    this.#timers.clear();
  }

  /** Looks anew at what the pod's annotations say. */
  reconsider(): void {
    if (this.#since === undefined) return;
    const { startupProbe } = this.#setup.container;
    if (startupProbe && !this.#setup.record.started) this.#await('startup', startupProbe);
    else this.#hasStarted();
  }

  #hasStarted(): void {
    const { container, record } = this.#setup;
    record.started = true;
    if (container.livenessProbe) this.#await('liveness', container.livenessProbe);
    if (container.readinessProbe) this.#await('readiness', container.readinessProbe);
    else record.ready = true;
    this.#setup.changed();
  }

  /** Waits for the moment at which the probe will have succeeded, or failed, often enough in a row. */
  #await(kind: ProbeKind, probe: objects.Probe): void {
    const { clock } = this.#setup.environment;
    const fails = faultsOf(this.#setup.pod()).failing.has(kind);
    const settled = kind === 'readiness' && this.#setup.record.ready === !fails;
    clock.clearTimeout(this.#timers.get(kind));
    this.#timers.delete(kind);
    // Liveness that succeeds changes nothing, ever.
    if (settled || (kind === 'liveness' && !fails)) return;
    const timer = clock.setTimeout(
      () => this.#verdict(kind, fails),
      this.#firstVerdict(kind, probe, fails) - clock.now(),
    );
    this.#timers.set(kind, timer);
  }

  #firstVerdict(kind: ProbeKind, probe: objects.Probe, fails: boolean): number {
    const { clock } = this.#setup.environment;
    const period = (probe.periodSeconds || 10) * 1000;
    const needed = fails ? probe.failureThreshold || 3 : probe.successThreshold || 1;
    const answersFrom = fails || kind === 'liveness' ? 0 : faultsOf(this.#setup.pod()).readyAfter;
    const since = this.#since ?? clock.now();
    const first = since + (probe.initialDelaySeconds ?? 0) * 1000;
    const from = Math.max(since + answersFrom, clock.now());
    // Probes are made at fixed steps from the first one on.
    const steps = Math.max(0, Math.ceil((from - first) / period));
    return first + (steps + needed - 1) * period;
  }

  #verdict(kind: ProbeKind, failed: boolean): void {
    this.#timers.delete(kind);
    const { record, changed, fail, environment, pod, container } = this.#setup;
    const what = FAILURE[kind];
    if (failed)
      environment.recorder.record(
        pod(),
        'Warning',
        'Unhealthy',
        `${what} probe failed: the probe is made to fail (simulated)`,
        `spec.containers{${container.name}}`,
      );
    if (kind === 'startup' && !failed) return this.#hasStarted();
    if (kind !== 'readiness') return fail(`failed ${what.toLowerCase()} probe`);
    record.ready = !failed;
    changed();
  }
}
