/** Disruption budgets: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { clearStatus, nonNegative, type Errors } from '../meta/checks.ts';
import { validateAtMost100Percent, validateIntOrPercent } from '../meta/intOrPercent.rules.ts';
import { validateLabelSelector } from '../meta/labelSelector.rules.ts';
import type { PodDisruptionBudget } from './podDisruptionBudget.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');

function* validate({ spec, status }: PodDisruptionBudget): Errors {
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    yield field.invalid(SPEC, spec, 'minAvailable and maxUnavailable cannot be both set');
  for (const name of ['minAvailable', 'maxUnavailable'] as const) {
    const value = spec[name];
    if (value === undefined) continue;
    yield* validateIntOrPercent(value, SPEC.child(name));
    yield* validateAtMost100Percent(value, SPEC.child(name));
  }
  yield* validateLabelSelector(spec.selector, SPEC.child('selector'));
  for (const name of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const) {
    yield* nonNegative(status?.[name], STATUS.child(name));
  }
}

export const podDisruptionBudgetRules: Rules<PodDisruptionBudget> = {
  generation: true,
  unconditionalUpdate: false,
  anyMetadata: true,
  prepareCreate: clearStatus,
  prepareStatusUpdate: keepSpec,
  validate: (object) => [...validate(object)],
};
