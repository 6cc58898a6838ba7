import { nameOf } from '../../client/index.ts';
import type { HorizontalPodAutoscaler, Pod } from '../../client/index.ts';
import { Quantity, quantityOf } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { messageOf } from '../runtime/index.ts';
import type { MetricSpec, Reading, Value } from './readings.ts';
import {
  averageScale,
  groupPods,
  replicasByRatio,
  replicasByShare,
  replicasFor,
  utilizationScale,
  type Measured,
  type Outcome,
} from './replicas.ts';

type MetricStatus = NonNullable<HorizontalPodAutoscaler['status']['currentMetrics']>[number];
type ResourceMetric = NonNullable<MetricSpec['resource']>;

/** The proposal of a metric. */
export interface Proposal {
  readonly replicas: number;
  readonly name: string;
  readonly status: MetricStatus;
}

/** An unavailable metric, and the reason for the condition. */
export class MetricError extends Error {
  override name = 'MetricError';
  readonly reason: string;
  /** The message as part of the summary of all metrics. */
  readonly summary: string;

  constructor(reason: string, message: string, where = '') {
    super(message);
    this.reason = reason;
    this.summary = where === '' ? message : `${where}: ${message}`;
  }
}

/** The proposal of one metric. Throws MetricError. */
export function propose(metric: MetricSpec, measured: Measured): Proposal {
  const { type, resource, pods, object, external } = metric;
  if (type === 'Resource' && resource) return proposeResource(resource, measured);
  const reading = measured.readings.get(metric) ?? new Error('the metric was not read');
  if (type === 'Pods' && pods) return proposePods(pods, reading, measured);
  if (type === 'Object' && object) return proposeObject(object, reading, measured);
  if (type === 'External' && external) return proposeExternal(external, reading, measured);
  if (type === 'ContainerResource')
    throw new MetricError('FailedGetContainerResourceMetric', 'containers are not measured one by one here');
  throw new MetricError('InvalidMetricSourceType', `unknown metric source type ${JSON.stringify(type)}`);
}

type Metric = NonNullable<MetricSpec['pods']>['metric'];
type Source<T extends 'pods' | 'object' | 'external'> = NonNullable<MetricSpec[T]>;

/** Returns the result of `compute`; failures get the reason of the condition. */
function orFail<T>(reason: string, where: string, compute: () => T): T {
  try {
    return compute();
  } catch (problem) {
    throw new MetricError(reason, messageOf(problem), where);
  }
}

function proposePods({ metric, target }: Source<'pods'>, reading: Reading, measured: Measured): Proposal {
  const { replicas, average } = orFail('FailedGetPodsMetric', 'failed to get pods metric value', () => {
    const values = valuesOf(reading, `unable to get metric ${metric.name}: `);
    const byName = new Map(values.map(({ of, value }) => [of, value]));
    if (measured.pods.length === 0) throw new Error('no pods returned by selector while calculating replica count');
    const usage = new Map(
      measured.pods.flatMap((pod) => {
        const value = byName.get(pod.metadata.name);
        return value === undefined ? [] : [[pod, value] as const];
      }),
    );
    const scale = averageScale(quantityOf(target.averageValue ?? '0').milliValue());
    return replicasFor(usage, groupPods(usage, '', measured), scale, measured);
  });
  const current = { averageValue: Quantity.ofMilli(average).toString() };
  return { replicas, name: `pods metric ${metric.name}`, status: { type: 'Pods', pods: { metric, current } } };
}

function proposeObject(source: Source<'object'>, reading: Reading, measured: Measured): Proposal {
  const { describedObject, metric, target } = source;
  const { kind, name } = describedObject;
  const whole = target.averageValue === undefined;
  const average = whole ? '' : `: failed to get ${metric.name} object metric`;
  const { replicas, current } = orFail('FailedGetObjectMetric', `failed to get object metric value${average}`, () => {
    // The reference swaps the reason and the object's name.
    const before = `unable to get metric ${metric.name}: ${kind} on ${measured.namespace} ${name}/`;
    return proposeValue(valuesOf(reading, before), target, measured);
  });
  const named = whole ? { describedObject, metric } : { describedObject: { kind: '', name: '' }, metric };
  const what = whole ? `${kind} metric ${metric.name}` : externalName(metric);
  return { replicas, name: what, status: { type: 'Object', object: { ...named, current } } };
}

function proposeExternal({ metric, target }: Source<'external'>, reading: Reading, measured: Measured): Proposal {
  const where =
    target.averageValue === undefined
      ? `failed to get external metric ${metric.name}`
      : `failed to get ${metric.name} external metric`;
  const { replicas, current } = orFail('FailedGetExternalMetric', where, () => {
    const what = `${measured.namespace}/${metric.name}/${printedSelector(metric.selector)}`;
    return proposeValue(valuesOf(reading, `unable to get external metric ${what}: `), target, measured);
  });
  return { replicas, name: externalName(metric), status: { type: 'External', external: { metric, current } } };
}

const externalName = ({ name, selector }: Metric): string => `external metric ${name}(${printedSelector(selector)})`;

function valuesOf(reading: Reading, before: string): readonly Value[] {
  if (reading instanceof Error) throw new Error(`${before}${reading.message}`);
  return reading;
}

type Target = Source<'object'>['target'];
type Current = NonNullable<MetricStatus['object']>['current'];

/** The proposal of a value: by its ratio to the target, or by its average per pod. */
function proposeValue(
  values: readonly Value[],
  target: Target,
  measured: Measured,
): { readonly replicas: number; readonly current: Current } {
  const sum = values.reduce((total, { value }) => total + value, 0);
  if (target.averageValue === undefined) {
    const ratio = sum / quantityOf(target.value ?? '0').milliValue();
    return { replicas: replicasByRatio(ratio, measured), current: { value: Quantity.ofMilli(sum).toString() } };
  }
  const share = replicasByShare(sum, quantityOf(target.averageValue).milliValue(), measured);
  return { replicas: share.replicas, current: { averageValue: Quantity.ofMilli(share.average).toString() } };
}

/** A label selector as the reference prints it. */
function printedSelector(selector: Metric['selector']): string {
  if (!selector) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  const map = labels.map(([key, value]) => `${key}: ${value},`).join('');
  const list = `[]LabelSelectorRequirement{${expressions.join('')}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:${list},}`;
}

function proposeResource(metric: ResourceMetric, measured: Measured): Proposal {
  const { name, target } = metric;
  const { replicas, utilization, average } = computeResource(metric, measured);
  const averageValue = Quantity.ofMilli(average).toString();
  const current = utilization === undefined ? { averageValue } : { averageUtilization: utilization, averageValue };
  const what = target.averageValue === undefined ? ' utilization (percentage of request)' : '';
  return { replicas, name: `${name} resource${what}`, status: { type: 'Resource', resource: { name, current } } };
}

function computeResource({ name, target }: ResourceMetric, measured: Measured): Outcome {
  try {
    const usage = usageOf(measured, name);
    const groups = groupPods(usage, name, measured);
    const scale =
      target.averageValue === undefined
        ? utilizationScale(measured.pods, name, target.averageUtilization ?? 0)
        : averageScale(quantityOf(target.averageValue).milliValue());
    return replicasFor(usage, groups, scale, measured);
  } catch (problem) {
    throw new MetricError('FailedGetResourceMetric', `failed to get ${name} utilization: ${messageOf(problem)}`);
  }
}

/**
 * Usage of running pods, in thousandths: from an annotation (`simulation.vitrine.dev/cpu: 250m`), else from the metrics
 * API. Throws if no usage is known.
 */
function usageOf({ pods, served }: Measured, resource: string): ReadonlyMap<Pod, number> {
  const usage = new Map<Pod, number>();
  for (const pod of pods) {
    const text = getOwn(pod.metadata.annotations, `simulation.vitrine.dev/${resource}`);
    const measured = served instanceof Error ? undefined : getOwn(served.get(nameOf(pod)), resource);
    const used = text === undefined ? measured : quantityOf(text).milliValue();
    if (pod.status.phase === 'Running' && used !== undefined) usage.set(pod, used);
  }
  if (usage.size > 0) return usage;
  const why =
    served instanceof Error ? `unable to fetch metrics from resource metrics API: ${served.message}` : NO_METRICS;
  throw new Error(`unable to get metrics for resource ${resource}: ${why}`);
}

const NO_METRICS = 'no metrics returned from resource metrics API';
