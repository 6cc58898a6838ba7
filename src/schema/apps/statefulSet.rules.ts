/** Stateful sets: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { clearStatus, nonNegative, sameValue, type Errors } from '../meta/checks.ts';
import { validateAnnotations, validateLabels } from '../meta/objectMeta.rules.ts';
import type { PodTemplateSpec } from '../core/podSpec.ts';
import { validatePodAnnotations } from '../core/podAnnotations.rules.ts';
import type { StatefulSet, StatefulSetSpec, StatefulSetStatus, StatefulSetUpdateStrategy } from './statefulSet.ts';
import {
  dropDisabledTemplateFields,
  validateCollisions,
  validateLongRunning,
  validateSelected,
  validateSelector,
} from './workload.rules.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { readSelector } from '../meta/labelSelector.rules.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');

function* validateSpec(spec: StatefulSetSpec, context: RuleContext): Errors {
  yield* validatePodManagement(spec.podManagementPolicy ?? '', SPEC.child('podManagementPolicy'));
  yield* validateStrategy(spec.updateStrategy ?? {}, SPEC.child('updateStrategy'));
  yield* nonNegative(spec.replicas, SPEC.child('replicas'));
  yield* validateSelector(spec.selector, 'statefulset', SPEC.child('selector'));
  const selector = readSelector(spec.selector);
  if (!selector) yield field.invalid(SPEC.child('selector'), spec.selector, '');
  else {
    yield* validateSelected(spec.template, selector, SPEC.child('template'));
    yield* validateTemplate(spec.template, SPEC.child('template'), context);
  }
  yield* validateLongRunning(spec.template.spec, 'StatefulSet', SPEC.child('template', 'spec'));
}

function* validatePodManagement(policy: string, path: Path): Errors {
  if (policy === '') yield field.required(path);
  else if (policy !== 'OrderedReady' && policy !== 'Parallel')
    yield field.invalid(path, policy, "must be 'OrderedReady' or 'Parallel'");
}

function* validateStrategy(strategy: StatefulSetUpdateStrategy, path: Path): Errors {
  const { type = '', rollingUpdate } = strategy;
  const at = path.child('rollingUpdate');
  if (type === '') yield field.required(path);
  else if (type === 'RollingUpdate') yield* nonNegative(rollingUpdate?.partition, at.child('partition'));
  else if (type !== 'OnDelete') yield field.invalid(path, strategy, "must be 'RollingUpdate' or 'OnDelete'");
  else if (rollingUpdate) yield field.invalid(at, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'");
}

/** The reference checks the template's metadata alone: its volumes may be claims that are yet to be made. */
function* validateTemplate({ metadata, spec }: PodTemplateSpec, path: Path, context: RuleContext): Errors {
  const { labels, annotations = {} } = metadata;
  yield* validateLabels(labels, path.child('labels'));
  yield* validateAnnotations(annotations, path.child('annotations'));
  yield* validatePodAnnotations(annotations, spec, path.child('annotations'), context);
}

function* validateUpdate(object: StatefulSet, old: StatefulSet): Errors {
  const fixed = ({ replicas: _r, template: _t, updateStrategy: _u, ...rest }: StatefulSetSpec): object => rest;
  if (!sameValue(fixed(object.spec), fixed(old.spec))) {
    yield field.forbidden(
      SPEC,
      "updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are forbidden",
    );
  }
  yield* nonNegative(object.spec.replicas, SPEC.child('replicas'));
}

function* validateStatus(status: StatefulSetStatus): Errors {
  for (const name of [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'observedGeneration',
    'collisionCount',
  ] as const) {
    yield* nonNegative(status[name], STATUS.child(name));
  }
  for (const name of ['readyReplicas', 'currentReplicas', 'updatedReplicas'] as const) {
    if ((status[name] ?? 0) > status.replicas)
      yield field.invalid(STATUS.child(name), status[name], 'cannot be greater than status.replicas');
  }
}

export const statefulSetRules: Rules<StatefulSet> = {
  generation: true,
  prepareCreate: (object, context) => {
    clearStatus(object);
    dropDisabledTemplateFields(object, undefined, context);
  },
  prepareUpdate: (object, old, context) => dropDisabledTemplateFields(object, old, context),
  prepareStatusUpdate: keepSpec,
  validate: (object, context) => [...validateSpec(object.spec, context)],
  validateUpdate: (object, old) => [...validateUpdate(object, old)],
  validateStatusUpdate: ({ status }, old) => [
    ...validateStatus(status),
    ...validateCollisions(status.collisionCount, old.status.collisionCount, STATUS.child('collisionCount')),
  ],
};
