/** Runs the plugins in order: the mutating pass (and its reinvocation), later the validating pass. */
import { jsonDiff } from '../merge/index.ts';
import { StatusError } from '../schema/index.ts';
import { clone, isObject, getOwn, runSyncIfPossible, type MaybeAsync } from '../std/index.ts';
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
    try {
      for (const step of steps) {
        const held = breakpoints.all.length > 0 && attributes.hold?.(step.plugin, phase);
        if (held) {
          yield held;
          at = timer.now();
        }
        try {
          const working = tracer.wants('request')
            ? traced(tracer, step, phase, attributes, context)
            : step.run(attributes, context);
          if (working) yield working;
        } catch (error) {
          step.timer.rejected(at);
          throw error;
        }
        at = step.timer.passed(at);
      }
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
  return [{ plugin: plugin.name, run, timer: timer.of(plugin.name, phase, operation) }];
}

/** Validating plugins change nothing, so there is no reinvocation. */
const NO_MORE: AdmissionContext = { reinvocation: false, reinvoke: () => undefined };

/** Runs a step and traces its patch or its refusal. Waits only for an asynchronous step. */
function traced(
  tracer: Tracer,
  { plugin, run }: Step,
  phase: Phase,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<void> | void {
  const told = { topic: 'request', request: attributes.requestId, stage: 'admission', plugin, phase } as const;
  const before = phase === 'mutating' ? shownBefore(attributes) : undefined;
  const refused = (error: unknown): never => {
    tracer.emit({ ...told, outcome: 'refused', detail: error instanceof StatusError ? error.status : String(error) });
    throw error;
  };
  const done = (): void => {
    const patch = phase === 'mutating' ? changes(before, withoutSecrets(attributes.object)) : [];
    if (patch.length > 0) shown.delete(attributes);
    tracer.emit({ ...told, outcome: patch.length > 0 ? 'changed' : 'unchanged', patch });
  };
  try {
    const working = run(attributes, context);
    if (working) return working.then(done, refused);
  } catch (error) {
    return refused(error);
  }
  return done();
}

/** The object of each request when a step last changed it, so that unchanged steps need no copy. */
const shown = new WeakMap<AdmissionAttributes, { readonly of: unknown; readonly copy: unknown }>();

function shownBefore(attributes: AdmissionAttributes): unknown {
  const known = shown.get(attributes);
  // A person at a breakpoint may have replaced the object meanwhile.
  if (known?.of === attributes.object) return known?.copy;
  const copy = clone(withoutSecrets(attributes.object));
  shown.set(attributes, { of: attributes.object, copy });
  return copy;
}

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
