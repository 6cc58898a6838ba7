/**
 * Converts autoscalers between versions. Fields that an older version lacks are stored in annotations, with the
 * reference's names and formats, so that nothing is lost in a round trip.
 */
import type { Names } from '../../names/index.ts';
import { isObject, getOwn, setOwn } from '../../std/index.ts';
import type { ApiObject, ObjectMeta } from '../define/kind.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerV1,
  HorizontalPodAutoscalerV2beta1,
  MetricSpec,
  MetricSpecV2beta1,
  MetricStatusV2beta1,
} from './horizontalPodAutoscaler.ts';
import { downgradeSpec, downgradeStatus, upgradeSpec, upgradeStatus } from './metrics.convert.ts';

interface Context {
  readonly names: Names;
}

const CARRIED = ['metrics', 'current-metrics', 'conditions', 'behavior'] as const;
type Carried = (typeof CARRIED)[number];

/** Reads and writes what annotations carry. */
class Luggage {
  readonly #metadata: ObjectMeta;
  readonly #annotations: Record<string, string>;
  readonly #names: Names;

  constructor(metadata: ObjectMeta, names: Names) {
    this.#metadata = metadata;
    this.#annotations = { ...metadata.annotations };
    this.#names = names;
  }

  /** The value in an annotation; undefined if it is missing or unreadable. */
  read(what: Carried): unknown {
    try {
      return JSON.parse(getOwn(this.#annotations, this.#key(what)) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }

  write(what: Carried, value: unknown): void {
    setOwn(this.#annotations, this.#key(what), JSON.stringify(value, sortLabels));
  }

  clear(): this {
    for (const what of CARRIED) delete this.#annotations[this.#key(what)];
    return this;
  }

  /** The object's metadata with the annotations as they are now. */
  get metadata(): ObjectMeta {
    return { ...this.#metadata, annotations: this.#annotations };
  }

  #key(what: Carried): string {
    return this.#names.fill(`autoscaling.alpha.{label}/${what}`);
  }
}

/** Labels in the order of their names, whatever order they were written in: the reference spells maps so. */
function sortLabels(key: string, value: unknown): unknown {
  if (key !== 'matchLabels' || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const isCpuUtilization = ({ type, resource }: MetricSpec): boolean =>
  type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined;

const cpuUtilization = (percent: number): object => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
});

const DEFAULT_PERCENT = 80;

/** What v1 leaves open, a share of the processor decides. */
export function toHubFromV1(object: HorizontalPodAutoscalerV1, { names }: Context): object {
  const luggage = new Luggage(object.metadata, names);
  const { targetCPUUtilizationPercentage: percent, ...spec } = object.spec;
  const { currentCPUUtilizationPercentage: current, ...status } = object.status;
  const others = luggage.read('metrics');
  const metrics = [
    ...(Array.isArray(others) ? (others as MetricSpecV2beta1[]).map(upgradeSpec) : []),
    ...(percent === undefined ? [] : [cpuUtilization(percent)]),
  ];
  const measured = luggage.read('current-metrics');
  return {
    ...object,
    spec: {
      ...spec,
      metrics: metrics.length > 0 ? metrics : [cpuUtilization(DEFAULT_PERCENT)],
      behavior: readBehavior(luggage.read('behavior')),
    },
    status: {
      ...status,
      currentMetrics: Array.isArray(measured)
        ? (measured as MetricStatusV2beta1[]).map(upgradeStatus)
        : cpuMeasured(current),
      conditions: luggage.read('conditions'),
    },
    metadata: luggage.clear().metadata,
  };
}

function cpuMeasured(percent: number | undefined): object[] {
  if (percent === undefined) return [];
  return [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: percent } } }];
}

export function toV1FromHub(object: HorizontalPodAutoscaler, { names }: Context): ApiObject {
  const luggage = new Luggage(object.metadata, names).clear();
  const { metrics = [], behavior, ...spec } = object.spec;
  const { currentMetrics, conditions, ...status } = object.status;
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  if (others.length > 0) luggage.write('metrics', others.map(downgradeSpec));
  if (currentMetrics?.length) luggage.write('current-metrics', currentMetrics.map(downgradeStatus));
  if (conditions?.length) luggage.write('conditions', conditions);
  if (behavior) luggage.write('behavior', writeBehavior(behavior));
  const cpu = metrics.find((metric) => metric.type === 'Resource' && metric.resource?.name === 'cpu');
  const measured = currentMetrics?.find((metric) => metric.type === 'Resource' && metric.resource?.name === 'cpu');
  return {
    ...object,
    metadata: luggage.metadata,
    spec: { ...spec, targetCPUUtilizationPercentage: cpu?.resource?.target.averageUtilization },
    status: { ...status, currentCPUUtilizationPercentage: measured?.resource?.current.averageUtilization },
  };
}

export function toHubFromV2beta1(object: HorizontalPodAutoscalerV2beta1, { names }: Context): object {
  const luggage = new Luggage(object.metadata, names);
  const { spec, status } = object;
  const behavior = readBehavior(luggage.read('behavior'));
  return {
    ...object,
    metadata: luggage.clear().metadata,
    spec: { ...spec, metrics: spec.metrics?.map(upgradeSpec), behavior },
    status: { ...status, currentMetrics: status.currentMetrics?.map(upgradeStatus) },
  };
}

export function toV2beta1FromHub(object: HorizontalPodAutoscaler, { names }: Context): object {
  const luggage = new Luggage(object.metadata, names).clear();
  const { spec, status } = object;
  if (spec.behavior) luggage.write('behavior', writeBehavior(spec.behavior));
  return {
    ...object,
    metadata: luggage.metadata,
    spec: { ...spec, metrics: spec.metrics?.map(downgradeSpec) },
    status: { ...status, currentMetrics: status.currentMetrics?.map(downgradeStatus) },
  };
}

/** The annotation spells the fields of the reference's internal type, with nulls where nothing is set. */
function writeBehavior({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): object {
  const rules = (given: typeof scaleUp): object | null =>
    given
      ? {
          StabilizationWindowSeconds: given.stabilizationWindowSeconds ?? null,
          SelectPolicy: given.selectPolicy ?? null,
          Policies:
            given.policies?.map(({ type, value, periodSeconds }) => ({
              Type: type,
              Value: value,
              PeriodSeconds: periodSeconds,
            })) ?? null,
        }
      : null;
  return { ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) };
}

function readBehavior(raw: unknown): object | undefined {
  if (!isObject(raw)) return undefined;
  const behavior = lowerFirst(raw) as Record<string, unknown>;
  return behavior['scaleUp'] || behavior['scaleDown'] ? behavior : undefined;
}

function lowerFirst(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerFirst);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.charAt(0).toLowerCase() + key.slice(1), lowerFirst(inner)]),
  );
}
