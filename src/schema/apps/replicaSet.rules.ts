/** Replica sets: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { clearStatus, immutable, nonNegative, type Errors } from '../meta/checks.ts';
import type { ReplicaSet, ReplicaSetSpec } from './replicaSet.ts';
import {
  dropDisabledTemplateFields,
  validateReplicatedTemplate,
  validateReplicaStatus,
  validateSelector,
} from './workload.rules.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { readSelector } from '../meta/labelSelector.rules.ts';

const SPEC = Path.of('spec');

function* validateSpec(spec: ReplicaSetSpec, context: RuleContext): Errors {
  yield* nonNegative(spec.replicas, SPEC.child('replicas'));
  yield* nonNegative(spec.minReadySeconds, SPEC.child('minReadySeconds'));
  yield* validateSelector(spec.selector, 'deployment', SPEC.child('selector'));
  const selector = readSelector(spec.selector);
  if (!selector) yield field.invalid(SPEC.child('selector'), spec.selector, 'invalid label selector');
  else
    yield* validateReplicatedTemplate(
      spec.template,
      selector,
      spec.replicas ?? 0,
      'ReplicaSet',
      SPEC.child('template'),
      context,
    );
}

export const replicaSetRules: Rules<ReplicaSet> = {
  generation: true,
  prepareCreate: (object, context) => {
    clearStatus(object);
    dropDisabledTemplateFields(object, undefined, context);
  },
  prepareUpdate: (object, old, context) => dropDisabledTemplateFields(object, old, context),
  prepareStatusUpdate: keepSpec,
  validate: (object, context) => [...validateSpec(object.spec, context)],
  validateUpdate: (object, old, context) => [
    ...validateSpec(object.spec, context),
    ...immutable(object.spec.selector, old.spec.selector, SPEC.child('selector')),
  ],
  validateStatusUpdate: ({ status }) => [...validateReplicaStatus(status, Path.of('status'))],
};
