/** Replication controllers: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { clearStatus, nonNegative, type Errors } from '../meta/checks.ts';
import {
  dropDisabledTemplateFields,
  validateReplicatedTemplate,
  validateReplicaStatus,
} from '../apps/workload.rules.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { selectorOfLabels } from '../values/labelSelector.ts';
import type { ReplicationController, ReplicationControllerSpec } from './replicationController.ts';

const SPEC = Path.of('spec');

function* validateSpec(spec: ReplicationControllerSpec, context: RuleContext): Errors {
  yield* nonNegative(spec.minReadySeconds, SPEC.child('minReadySeconds'));
  const selector = selectorOfLabels(spec.selector);
  if (selector.matchesEverything) yield field.required(SPEC.child('selector'));
  yield* nonNegative(spec.replicas, SPEC.child('replicas'));
  yield* validateReplicatedTemplate(
    spec.template,
    selector,
    spec.replicas ?? 0,
    'ReplicationController',
    SPEC.child('template'),
    context,
  );
}

export const replicationControllerRules: Rules<ReplicationController> = {
  generation: true,
  dependents: 'orphan',
  prepareCreate: (object, context) => {
    clearStatus(object);
    dropDisabledTemplateFields(object, undefined, context);
  },
  prepareUpdate: (object, old, context) => dropDisabledTemplateFields(object, old, context),
  prepareStatusUpdate: keepSpec,
  validate: ({ spec }, context) => [...validateSpec(spec, context)],
  validateUpdate: ({ spec }, _old, context) => [...validateSpec(spec, context)],
  validateStatusUpdate: ({ status }) => [...validateReplicaStatus(status, Path.of('status'))],
};
