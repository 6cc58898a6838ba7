/** Horizontal autoscalers: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { clearStatus, complaints, each, nonNegative, oneOf, type Errors } from '../meta/checks.ts';
import { checkPathSegment } from '../values/names.ts';
import { quantityOf } from '../values/quantity.ts';
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
} from './horizontalPodAutoscaler.ts';

const SPEC = Path.of('spec');
const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
type Source = (typeof SOURCES)[number];
const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;

function* validateSpec(spec: HorizontalPodAutoscalerSpec, lowest: number): Errors {
  const { minReplicas, maxReplicas } = spec;
  if (minReplicas !== undefined && minReplicas < lowest)
    yield field.invalid(SPEC.child('minReplicas'), minReplicas, `must be greater than or equal to ${lowest}`);
  if (maxReplicas < 1) yield field.invalid(SPEC.child('maxReplicas'), maxReplicas, 'must be greater than 0');
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    yield field.invalid(SPEC.child('maxReplicas'), maxReplicas, 'must be greater than or equal to `minReplicas`');
  yield* validateReference(spec.scaleTargetRef, SPEC.child('scaleTargetRef'));
  yield* each(spec.metrics, SPEC.child('metrics'), validateMetric);
  const wakes = (spec.metrics ?? []).some(({ type }) => type === 'Object' || type === 'External');
  if (minReplicas === 0 && !wakes)
    yield field.forbidden(
      SPEC.child('metrics'),
      'must specify at least one Object or External metric to support scaling to zero replicas',
    );
  for (const name of ['scaleUp', 'scaleDown'] as const)
    yield* validateScaling(spec.behavior?.[name], SPEC.child('behavior', name));
}

function* validateReference({ kind, name }: CrossVersionObjectReference, path: Path): Errors {
  if (kind === '') yield field.required(path.child('kind'));
  else yield* complaints(path.child('kind'), kind, checkPathSegment(kind));
  if (name === '') yield field.required(path.child('name'));
  else yield* complaints(path.child('name'), name, checkPathSegment(name));
}

function* validateMetric(metric: MetricSpec, path: Path): Errors {
  if (metric.type === '') yield field.required(path.child('type'), 'must specify a metric source type');
  yield* oneOf(metric.type, TYPES, path.child('type'));
  const present = SOURCES.filter((source) => metric[source] !== undefined);
  if (present[0]) yield* validateSource(metric, present[0], path.child(present[0]));
  const expected = SOURCES.find((source) => source === metric.type.charAt(0).toLowerCase() + metric.type.slice(1));
  if (!expected || !TYPES.includes(metric.type)) yield field.notSupported(path.child('type'), metric.type, TYPES);
  else if (!metric[expected])
    yield field.required(path.child(expected), 'must populate information for the given metric source');
  if (present.length === 1) return;
  for (const source of present)
    if (source !== expected) yield field.forbidden(path.child(source), 'must populate the given metric source only');
}

function* validateSource(metric: MetricSpec, source: Source, path: Path): Errors {
  const { object, external, pods, resource, containerResource } = metric;
  if (source === 'object' && object) {
    yield* validateReference(object.describedObject, path.child('describedObject'));
    yield* validateIdentified(object, path);
    yield* requireEither(object.target, 'value', 'averageValue', 'averageValue', path.child('target'));
  } else if (source === 'external' && external) {
    yield* validateIdentified(external, path);
    yield* requireEither(external.target, 'value', 'averageValue', 'averageValue', path.child('target'));
    if (external.target.value !== undefined && external.target.averageValue !== undefined) {
      yield field.forbidden(
        path.child('target', 'value'),
        'may not set both a target value for metric and a per-pod target',
      );
    }
  } else if (source === 'pods' && pods) {
    yield* validateIdentified(pods, path);
    if (pods.target.averageValue === undefined)
      yield field.required(path.child('target', 'averageValue'), 'must specify a positive target averageValue');
  } else if (source === 'resource' && resource) yield* validateResource(resource, path);
  else if (containerResource) {
    if (containerResource.container === '') yield field.required(path.child('container'), 'must specify a container');
    yield* validateResource(containerResource, path);
  }
}

function* validateIdentified(
  { metric, target }: { readonly metric: MetricIdentifier; readonly target: MetricTarget },
  path: Path,
): Errors {
  const at = path.child('metric', 'name');
  if (metric.name === '') yield field.required(at, 'must specify a metric name');
  else yield* complaints(at, metric.name, checkPathSegment(metric.name));
  yield* validateTarget(target, path.child('target'));
}

function* validateResource(
  { name, target }: { readonly name: string; readonly target: MetricTarget },
  path: Path,
): Errors {
  if (name === '') yield field.required(path.child('name'), 'must specify a resource name');
  yield* validateTarget(target, path.child('target'));
  yield* requireEither(target, 'averageUtilization', 'averageValue', 'averageUtilization', path.child('target'));
  if (target.averageUtilization !== undefined && target.averageValue !== undefined) {
    yield field.forbidden(
      path.child('target', 'averageValue'),
      'may not set both a target raw value and a target utilization',
    );
  }
}

type TargetField = 'value' | 'averageValue' | 'averageUtilization';

function* requireEither(
  target: MetricTarget,
  one: TargetField,
  other: TargetField,
  reported: TargetField,
  path: Path,
): Errors {
  if (target[one] === undefined && target[other] === undefined)
    yield field.required(path.child(reported), `must set either ${one} or ${other}`);
}

function* validateTarget({ type, value, averageValue, averageUtilization }: MetricTarget, path: Path): Errors {
  if (type === '') yield field.required(path.child('type'), 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    yield field.invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue');
  if (value !== undefined && quantityOf(value).sign !== 1)
    yield field.invalid(path.child('value'), value, 'must be positive');
  if (averageValue !== undefined && quantityOf(averageValue).sign !== 1)
    yield field.invalid(path.child('averageValue'), averageValue, 'must be positive');
  if (averageUtilization !== undefined && averageUtilization < 1)
    yield field.invalid(path.child('averageUtilization'), averageUtilization, 'must be greater than 0');
}

function* validateScaling(rules: HPAScalingRules | undefined, path: Path): Errors {
  if (!rules) return;
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [] } = rules;
  const at = path.child('stabilizationWindowSeconds');
  if (window !== undefined && window < 0) yield field.invalid(at, window, 'must be greater than or equal to zero');
  if (window !== undefined && window > MAX_WINDOW_SECONDS)
    yield field.invalid(at, window, `must be less than or equal to ${MAX_WINDOW_SECONDS}`);
  if (selectPolicy !== undefined) yield* oneOf(selectPolicy, ['Disabled', 'Max', 'Min'], path.child('selectPolicy'));
  if (policies.length === 0) yield field.required(path.child('policies'), 'must specify at least one Policy');
  yield* each(policies, path.child('policies'), function* ({ type, value, periodSeconds }, item) {
    yield* oneOf(type, ['Percent', 'Pods'], item.child('type'));
    if (value <= 0) yield field.invalid(item.child('value'), value, 'must be greater than zero');
    if (periodSeconds <= 0)
      yield field.invalid(item.child('periodSeconds'), periodSeconds, 'must be greater than zero');
    if (periodSeconds > MAX_PERIOD_SECONDS)
      yield field.invalid(
        item.child('periodSeconds'),
        periodSeconds,
        `must be less than or equal to ${MAX_PERIOD_SECONDS}`,
      );
  });
}

const lowestReplicas = ({ gate }: RuleContext, old?: HorizontalPodAutoscaler): number =>
  gate('HPAScaleToZero') || old?.spec.minReplicas === 0 ? 0 : 1;

/** Metrics of single containers need a gate; existing ones are kept. */
function dropContainerMetrics(
  object: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler | undefined,
  { gate }: RuleContext,
): void {
  const used = (old?.spec.metrics ?? []).some((metric) => metric.containerResource);
  if (gate('HPAContainerMetrics') || used) return;
  for (const metric of object.spec.metrics ?? []) delete metric.containerResource;
}

export const horizontalPodAutoscalerRules: Rules<HorizontalPodAutoscaler> = {
  prepareCreate: (object, context) => {
    clearStatus(object);
    dropContainerMetrics(object, undefined, context);
  },
  prepareUpdate: dropContainerMetrics,
  prepareStatusUpdate: keepSpec,
  validate: ({ spec }, context) => [...validateSpec(spec, lowestReplicas(context))],
  updateChecks: ['metadata', 'change'],
  validateUpdate: ({ spec }, old, context) => [...validateSpec(spec, lowestReplicas(context, old))],
  validateStatusUpdate: ({ status }) =>
    (['currentReplicas', 'desiredReplicas'] as const).flatMap((name) =>
      nonNegative(status[name], Path.of('status', name)),
    ),
};
