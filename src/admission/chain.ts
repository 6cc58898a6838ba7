/** Runs the plugins in order: the mutating pass (and its reinvocation), later the validating pass. */
import { jsonDiff } from '../merge/index.ts';
import { StatusError, type ApiObject } from '../schema/index.ts';
import { isObject, getOwn, runSyncIfPossible, copyUnfrozen, type MaybeAsync } from '../std/index.ts';
import { withoutSecrets, type Breakpoints, type Tracer } from '../trace/index.ts';
import type { ChainTimer, StepTimer } from './metrics.ts';
import type { AdmissionAttributes, AdmissionContext, AdmissionPlugin, Operation, Phase } from './types.ts';

/** The interface of the chain for the API server. */
export interface Admission {
  readonly plugins: readonly AdmissionPlugin[];
  /**
   * Runs mutating plugins in order; again from the start if a webhook requested it and the object changed afterwards.
   */
  admit(attributes: AdmissionAttributes): Promise<void> | void;
  /** Runs validating plugins in order; the first refusal ends the request. */
  validate(attributes: AdmissionAttributes): Promise<void> | void;
  /** The steps of a pass, and the timer of all of them together. */
  passOf(phase: Phase, operation: Operation): Pass;
}

export function createAdmission(
  plugins: readonly AdmissionPlugin[],
  tracer: Tracer,
  breakpoints: Pick<Breakpoints, 'all'>,
  timer: ChainTimer,
): Admission {
  const passOf = passesOf(plugins, timer);
  function* steps(phase: Phase, attributes: AdmissionAttributes, context: AdmissionContext): MaybeAsync<void> {
    const { steps, timer: whole } = passOf(phase, attributes.operation);
    const started = timer.now();
    let at = started;
    const trace = tracer.wants('request') ? new PassTrace(tracer, phase, attributes) : undefined;
    try {
      for (const step of steps) {
        const held = breakpoints.all.length > 0 && attributes.hold?.(step.plugin, phase);
        if (held) {
          trace?.tellIdle();
          yield held;
          at = timer.now();
        }
        try {
          const working = trace ? trace.run(step, context) : step.run(attributes, context);
          if (working) yield working;
        } catch (error) {
          step.timer.rejected(at);
          throw error;
        }
        at = step.timer.passed(at);
      }
      trace?.tellIdle();
      whole.passed(started);
    } catch (error) {
      whole.rejected(started);
      throw error;
    }
  }
  function* passes(attributes: AdmissionAttributes): MaybeAsync<void> {
    let again = false;
    yield* steps('mutating', attributes, { reinvocation: false, reinvoke: () => (again = true) });
    if (again) yield* steps('mutating', attributes, { reinvocation: true, reinvoke: () => undefined });
  }
  // Most plugins are synchronous; only asynchronous ones are awaited.
  return {
    plugins,
    admit: (attributes) => runSyncIfPossible(passes(attributes)),
    validate: (attributes) => runSyncIfPossible(steps('validating', attributes, NO_MORE)),
    passOf,
  };
}

interface Step {
  readonly plugin: string;
  readonly run: (attributes: AdmissionAttributes, context: AdmissionContext) => Promise<void> | void;
  readonly changesAtOnce: (attributes: AdmissionAttributes) => boolean;
  readonly timer: StepTimer;
}

/** The plugins of one request in execution order. */
export interface Pass {
  readonly steps: readonly Step[];
  /** Times all steps together. */
  readonly timer: StepTimer;
}

/** The passes by phase and operation, each computed once. */
function passesOf(plugins: readonly AdmissionPlugin[], timer: ChainTimer): (phase: Phase, of: Operation) => Pass {
  const known: Record<Phase, Map<Operation, Pass>> = { mutating: new Map(), validating: new Map() };
  return (phase, operation) => {
    const found = known[phase].get(operation);
    if (found) return found;
    const steps = plugins.flatMap((plugin) => stepOf(plugin, phase, operation, timer));
    const made = { steps, timer: timer.of(undefined, phase, operation) };
    known[phase].set(operation, made);
    return made;
  };
}

function stepOf(plugin: AdmissionPlugin, phase: Phase, operation: Operation, timer: ChainTimer): readonly Step[] {
  const run = phase === 'mutating' ? plugin.admit?.bind(plugin) : plugin.validate?.bind(plugin);
  if (!run || !plugin.handles(operation)) return [];
  const changesAtOnce = plugin.changesAtOnce?.bind(plugin) ?? ((): boolean => true);
  return [{ plugin: plugin.name, run, changesAtOnce, timer: timer.of(plugin.name, phase, operation) }];
}

/** Validating plugins change nothing, so there is no reinvocation. */
const NO_MORE: AdmissionContext = { reinvocation: false, reinvoke: () => undefined };

/** Traces the steps of a pass. Consecutive steps that change nothing are reported in one event. */
class PassTrace {
  readonly #tracer: Tracer;
  readonly #phase: Phase;
  readonly #attributes: AdmissionAttributes;
  #idle: string[] = [];

  constructor(tracer: Tracer, phase: Phase, attributes: AdmissionAttributes) {
    this.#tracer = tracer;
    this.#phase = phase;
    this.#attributes = attributes;
  }

  /** Runs a step. Waits only for an asynchronous step. */
  run(step: Step, context: AdmissionContext): Promise<void> | void {
    const attributes = this.#attributes;
    const isMutating = this.#phase === 'mutating';
    const before = isMutating ? tracedObject(attributes) : undefined;
    const refused = (error: unknown): never => {
      this.tellIdle();
      const detail = error instanceof StatusError ? error.status : String(error);
      this.#tracer.emit({ ...this.#about, plugin: step.plugin, outcome: 'refused', detail });
      throw error;
    };
    const patch = (): readonly unknown[] => changes(before, withoutSecrets(attributes.object));
    try {
      const working = step.run(attributes, context);
      if (working) {
        this.tellIdle();
        return working.then(() => this.#told(step, isMutating ? patch() : [], true), refused);
      }
    } catch (error) {
      return refused(error);
    }
    this.#told(step, isMutating && step.changesAtOnce(attributes) ? patch() : [], false);
  }

  /** Traces the steps so far that did nothing. */
  tellIdle(): void {
    if (this.#idle.length === 0) return;
    const { topic, request, phase } = this.#about;
    this.#tracer.emit({ topic, request, stage: 'idle', phase, plugins: this.#idle });
    this.#idle = [];
  }

  get #about() {
    const { requestId: request } = this.#attributes;
    return { topic: 'request', request, stage: 'admission', phase: this.#phase } as const;
  }

  /** Webhooks that a step asked were traced before it, so a step that had to wait has an event of its own. */
  #told({ plugin }: Step, patch: readonly unknown[], waited: boolean): void {
    if (patch.length > 0) {
      this.tellIdle();
      this.#attributes.traced = undefined;
    } else if (!waited) return void this.#idle.push(plugin);
    const outcome = patch.length > 0 ? 'changed' : 'unchanged';
    this.#tracer.emit({ ...this.#about, plugin, outcome, patch });
  }
}

/** The object as it was traced last; copied again if it was changed since. */
function tracedObject(attributes: AdmissionAttributes): unknown {
  // A person at a breakpoint may have replaced the object meanwhile.
  if (attributes.traced?.of !== attributes.object) attributes.traced = copiedForTrace(attributes.object);
  return attributes.traced?.copy;
}

/** A copy of an object as the trace shows it. */
export const copiedForTrace = (object: ApiObject | undefined): NonNullable<AdmissionAttributes['traced']> => ({
  of: object,
  copy: copyUnfrozen(withoutSecrets(object)),
});

/** The patch between two objects. `was` contains what it removes or replaces. */
function changes(before: unknown, after: unknown): readonly unknown[] {
  return jsonDiff(before, after).map((operation) =>
    operation.op === 'add' ? operation : { ...operation, was: valueAt(before, operation.path) },
  );
}

function valueAt(value: unknown, path: string): unknown {
  const keys = path.split('/').slice(1);
  return keys.reduce<unknown>((here, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) return here[Number(name)] as unknown;
    return isObject(here) ? getOwn(here, name) : undefined;
  }, value);
}
