/** Runtime classes: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { complaints, each, immutable, type Errors } from '../meta/checks.ts';
import { validateLabels } from '../meta/objectMeta.rules.ts';
import { validateRequirements } from '../core/resources.rules.ts';
import { validateTolerations } from '../core/scheduling.rules.ts';
import { checkLabel } from '../values/names.ts';
import type { RuntimeClass, Scheduling } from './runtimeClass.ts';

const HANDLER = Path.of('handler');

function* validate({ handler, overhead, scheduling }: RuntimeClass, { names }: RuleContext): Errors {
  yield* complaints(HANDLER, handler, checkLabel(handler));
  // The overhead of pods is validated like a container's limits.
  if (overhead) yield* validateRequirements({ limits: overhead.podFixed ?? {} }, Path.of('overhead'), names);
  if (scheduling) yield* validateScheduling(scheduling, Path.of('scheduling'));
}

function* validateScheduling({ nodeSelector, tolerations = [] }: Scheduling, path: Path): Errors {
  yield* validateLabels(nodeSelector, path.child('nodeSelector'));
  const at = path.child('tolerations');
  yield* validateTolerations(tolerations, at.child('tolerations'));
  const keys = tolerations.map(({ key = '', operator = '', value = '', effect = '' }) =>
    [key, operator, value, effect].join('\n'),
  );
  yield* each(keys, at, (key, item, i) => (keys.indexOf(key) < i ? [field.duplicate(item, tolerations[i])] : []));
}

function dropOverhead(object: RuntimeClass, old: RuntimeClass | undefined, { gate }: RuleContext): void {
  if (!gate('PodOverhead') && !old?.overhead) delete object.overhead;
}

export const runtimeClassRules: Rules<RuntimeClass> = {
  anyFinalizer: true,
  createOnUpdate: 'object',
  unconditionalUpdate: false,
  prepareCreate: (object, context) => dropOverhead(object, undefined, context),
  prepareUpdate: dropOverhead,
  validate: (object, context) => [...validate(object, context)],
  updateChecks: ['metadata', 'change', 'alone'],
  validateUpdate: (object, old) => immutable(object.handler, old.handler, HANDLER),
};
