/** Deployments: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { clearStatus, immutable, nonNegative, sameValue, type Errors } from '../meta/checks.ts';
import { amountOf, validateAtMost100Percent, validateIntOrPercent } from '../meta/intOrPercent.rules.ts';
import {
  ROLLBACK_TO,
  type Deployment,
  type DeploymentSpec,
  type DeploymentStatus,
  type DeploymentStrategy,
  type RollingUpdateDeployment,
} from './deployment.ts';
import {
  dropDisabledTemplateFields,
  validateCollisions,
  validateReplicatedTemplate,
  validateSelector,
} from './workload.rules.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { readSelector } from '../meta/labelSelector.rules.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');

function* validateSpec(spec: DeploymentSpec, context: RuleContext): Errors {
  yield* nonNegative(spec.replicas, SPEC.child('replicas'));
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
  yield* validateStrategy(spec.strategy ?? {}, SPEC.child('strategy'));
  yield* nonNegative(spec.minReadySeconds, SPEC.child('minReadySeconds'));
  yield* nonNegative(spec.revisionHistoryLimit, SPEC.child('revisionHistoryLimit'));
  if (spec.progressDeadlineSeconds === undefined) return;
  const path = SPEC.child('progressDeadlineSeconds');
  yield* nonNegative(spec.progressDeadlineSeconds, path);
  if (spec.progressDeadlineSeconds <= (spec.minReadySeconds ?? 0))
    yield field.invalid(path, spec.progressDeadlineSeconds, 'must be greater than minReadySeconds');
}

/** As in the reference, errors name the field that older API versions had. */
function* validateRollback({ metadata: { annotations = {} } }: Deployment): Errors {
  const revision = annotations[ROLLBACK_TO];
  if (revision !== undefined) yield* nonNegative(Number(revision), SPEC.child('rollback', 'version'));
}

function* validateStrategy({ type = '', rollingUpdate }: DeploymentStrategy, path: Path): Errors {
  const at = path.child('rollingUpdate');
  if (type === 'Recreate') {
    if (rollingUpdate) yield field.forbidden(at, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type !== 'RollingUpdate') yield field.notSupported(path, type, ['Recreate', 'RollingUpdate']);
  else if (!rollingUpdate) yield field.required(at, 'this should be defaulted and never be nil');
  else yield* validateRollingUpdate(rollingUpdate, at);
}

function* validateRollingUpdate({ maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment, path: Path): Errors {
  const at = path.child('maxUnavailable');
  yield* validateIntOrPercent(maxUnavailable, at);
  yield* validateIntOrPercent(maxSurge, path.child('maxSurge'));
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0)
    yield field.invalid(at, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  yield* validateAtMost100Percent(maxUnavailable, at);
}

const COUNTS = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'collisionCount',
] as const;

function* validateStatus(status: DeploymentStatus): Errors {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  for (const name of COUNTS) yield* nonNegative(status[name], STATUS.child(name));
  for (const name of ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const) {
    if ((status[name] ?? 0) > replicas)
      yield field.invalid(STATUS.child(name), status[name], 'cannot be greater than status.replicas');
  }
  if (availableReplicas > readyReplicas)
    yield field.invalid(STATUS.child('availableReplicas'), availableReplicas, 'cannot be greater than readyReplicas');
}

export const deploymentRules: Rules<Deployment> = {
  generation: (object, old) =>
    !sameValue(object.spec, old.spec) || !sameValue(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
  prepareCreate: (object, context) => {
    clearStatus(object);
    dropDisabledTemplateFields(object, undefined, context);
  },
  prepareUpdate: (object, old, context) => dropDisabledTemplateFields(object, old, context),
  prepareStatusUpdate: (object, old) => {
    keepSpec(object, old);
    if (old.metadata.labels) object.metadata.labels = old.metadata.labels;
    else delete object.metadata.labels;
  },
  validate: (object, context) => [...validateSpec(object.spec, context), ...validateRollback(object)],
  updateChecks: ['metadata', 'change'],
  validateUpdate: (object, old, context) => [
    ...validateSpec(object.spec, context),
    ...validateRollback(object),
    ...immutable(object.spec.selector, old.spec.selector, SPEC.child('selector')),
  ],
  validateStatusUpdate: ({ status }, old) => [
    ...validateStatus(status),
    ...validateCollisions(status.collisionCount, old.status.collisionCount, STATUS.child('collisionCount')),
  ],
};
