/** Priority classes: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { immutable, oneOf, present, type Errors } from '../meta/checks.ts';
import type { PriorityClass } from './priorityClass.ts';

const PREEMPTION = Path.of('preemptionPolicy');
const HIGHEST_USER_PRIORITY = 1_000_000_000;
const RESERVED = 'system-';

/** The classes that the system itself brings, with their values. */
const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

function* validate({ metadata, value, preemptionPolicy, globalDefault = false }: PriorityClass): Errors {
  const name = metadata.name ?? '';
  if (name.startsWith(RESERVED)) {
    const error = unlikeSystemClass(name, value, globalDefault);
    const detail = `priority class names with '${RESERVED}' prefix are reserved for system use only. error: `;
    if (error !== undefined) yield field.forbidden('metadata.name', detail + error);
  } else if (value > HIGHEST_USER_PRIORITY) {
    yield field.forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`);
  }
  if (preemptionPolicy === '') yield* present(preemptionPolicy, PREEMPTION);
  else if (preemptionPolicy !== undefined) {
    yield* oneOf(preemptionPolicy, ['PreemptLowerPriority', 'Never'], PREEMPTION);
  }
}

function unlikeSystemClass(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = Object.hasOwn(SYSTEM_CLASSES, name) ? SYSTEM_CLASSES[name] : undefined;
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function* validateUpdate(object: PriorityClass, old: PriorityClass): Errors {
  if (object.value !== old.value) yield field.forbidden('Value', 'may not be changed in an update.');
  yield* immutable(object.preemptionPolicy, old.preemptionPolicy, PREEMPTION);
}

function dropPreemption(object: PriorityClass, old: PriorityClass | undefined, { gate }: RuleContext): void {
  if (!gate('NonPreemptingPriority') && old?.preemptionPolicy === undefined) delete object.preemptionPolicy;
}

export const priorityClassRules: Rules<PriorityClass> = {
  // A class starts with generation 1 and stays there.
  generation: () => false,
  prepareCreate: (object, context) => dropPreemption(object, undefined, context),
  prepareUpdate: dropPreemption,
  validate: (object) => [...validate(object)],
  updateChecks: ['metadata', 'change'],
  validateUpdate: (object, old) => [...validateUpdate(object, old)],
};
