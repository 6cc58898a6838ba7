/** Daemon sets: what is prepared and checked before one is stored. */
import { parseInt64 } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { clearStatus, immutable, nonNegative, sameValue, type Errors } from '../meta/checks.ts';
import { amountOf, validateAtMost100Percent, validateIntOrPercent } from '../meta/intOrPercent.rules.ts';
import { readSelector, validateLabelSelector } from '../meta/labelSelector.rules.ts';
import { validatePodTemplate, validateSharedDisks } from '../core/podSpec.rules.ts';
import {
  TEMPLATE_GENERATION,
  type DaemonSet,
  type DaemonSetSpec,
  type DaemonSetStatus,
  type DaemonSetUpdateStrategy,
} from './daemonSet.ts';
import { dropDisabledTemplateFields, isEmpty, validateCollisions, validateLongRunning } from './workload.rules.ts';
import { keepSpec } from '../meta/keepSpec.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');

function* validateSpec(spec: DaemonSetSpec, context: RuleContext): Errors {
  const template = SPEC.child('template');
  yield* validateLabelSelector(spec.selector, SPEC.child('selector'));
  const labels = spec.template.metadata.labels ?? {};
  if (readSelector(spec.selector)?.matches(labels) === false) {
    yield field.invalid(template.child('metadata', 'labels'), labels, '`selector` does not match template `labels`');
  }
  if (spec.selector && isEmpty(spec.selector))
    yield field.invalid(SPEC.child('selector'), spec.selector, 'empty selector is invalid for daemonset');
  yield* validatePodTemplate(spec.template, template, context);
  yield* validateSharedDisks(spec.template.spec, template.child('spec', 'volumes'));
  yield* validateLongRunning(spec.template.spec, 'DaemonSet', template.child('spec'));
  yield* nonNegative(spec.minReadySeconds, SPEC.child('minReadySeconds'));
  yield* validateStrategy(spec.updateStrategy ?? {}, SPEC.child('updateStrategy'));
  yield* nonNegative(spec.revisionHistoryLimit, SPEC.child('revisionHistoryLimit'));
}

function* validateStrategy({ type = '', rollingUpdate }: DaemonSetUpdateStrategy, path: Path): Errors {
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') return yield field.notSupported(path, type, ['RollingUpdate', 'OnDelete']);
  if (!rollingUpdate) return yield field.required(path.child('rollingUpdate'));
  const { maxUnavailable = 0 } = rollingUpdate;
  const at = path.child('rollingUpdate', 'maxUnavailable');
  yield* validateIntOrPercent(maxUnavailable, at);
  if (amountOf(maxUnavailable) === 0) yield field.invalid(at, maxUnavailable, 'cannot be 0');
  yield* validateAtMost100Percent(maxUnavailable, at);
}

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const;

function* validateStatus(status: DaemonSetStatus): Errors {
  for (const name of COUNTS) yield* nonNegative(status[name], STATUS.child(name));
}

const templateGeneration = ({ metadata }: DaemonSet): bigint =>
  parseInt64(metadata.annotations?.[TEMPLATE_GENERATION] ?? '') ?? 0n;

function setTemplateGeneration({ metadata }: DaemonSet, generation: bigint): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

export const daemonSetRules: Rules<DaemonSet> = {
  generation: true,
  prepareCreate: (object, context) => {
    clearStatus(object);
    const generation = templateGeneration(object);
    setTemplateGeneration(object, generation < 1n ? 1n : generation);
    dropDisabledTemplateFields(object, undefined, context);
  },
  prepareUpdate: (object, old, context) => {
    dropDisabledTemplateFields(object, old, context);
    const changed = !sameValue(object.spec.template, old.spec.template);
    setTemplateGeneration(object, templateGeneration(old) + (changed ? 1n : 0n));
  },
  prepareStatusUpdate: (object, old) => {
    keepSpec(object, old);
    setTemplateGeneration(object, templateGeneration(old));
  },
  validate: (object, context) => [...validateSpec(object.spec, context)],
  validateUpdate: (object, old, context) => [
    ...validateSpec(object.spec, context),
    ...immutable(object.spec.selector, old.spec.selector, SPEC.child('selector')),
  ],
  validateStatusUpdate: ({ status }, old) => [
    ...validateStatus(status),
    ...validateCollisions(status.collisionCount, old.status.collisionCount, STATUS.child('collisionCount')),
  ],
};
