import type { HorizontalPodAutoscaler, Pod } from '../../client/index.ts';
import { Quantity, quantityOf } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { averageScale, groupPods, replicasFor, utilizationScale, type Measured, type Outcome } from './replicas.ts';

type MetricSpec = NonNullable<HorizontalPodAutoscaler['spec']['metrics']>[number];
type MetricStatus = NonNullable<HorizontalPodAutoscaler['status']['currentMetrics']>[number];
type ResourceMetric = NonNullable<MetricSpec['resource']>;

/** What a metric proposes. */
export interface Proposal {
  readonly replicas: number;
  readonly name: string;
  readonly status: MetricStatus;
}

/** A metric that can't be had, and the reason that the condition gives for it. */
export class MetricError extends Error {
  override name = 'MetricError';
  readonly reason: string;
  /** The message as it stands in what is said of all metrics together. */
  readonly summary: string;

  constructor(reason: string, message: string, where = '') {
    super(message);
    this.reason = reason;
    this.summary = where === '' ? message : `${where}: ${message}`;
  }
}

/** What one metric proposes. Only resource metrics exist here, and only where pods say what they use. Throws MetricError. */
export function propose(metric: MetricSpec, measured: Measured): Proposal {
  const { type, resource } = metric;
  if (type === 'Resource' && resource) return proposeResource(resource, measured);
  if (type === 'Pods')
    throw custom('FailedGetPodsMetric', metric.pods?.metric, measured, 'failed to get pods metric value');
  if (type === 'Object') throw objectError(metric.object, measured);
  if (type === 'External') throw externalError(metric.external, measured);
  if (type === 'ContainerResource')
    throw new MetricError('FailedGetContainerResourceMetric', 'containers are not measured one by one here');
  throw new MetricError('InvalidMetricSourceType', `unknown metric source type ${JSON.stringify(type)}`);
}

type Metric = NonNullable<MetricSpec['pods']>['metric'];

const NO_CUSTOM = 'unable to fetch metrics from custom metrics API: no custom metrics API';

/** Nobody serves custom metrics. `of` stands before the reason. */
function custom(reason: string, metric: Metric | undefined, { names }: Measured, where: string, of = ''): MetricError {
  const why = `${NO_CUSTOM} (${names.fill('custom.metrics.{domain}')}) registered`;
  return new MetricError(reason, `unable to get metric ${metric?.name ?? ''}: ${of}${why}`, where);
}

function objectError(source: MetricSpec['object'], measured: Measured): MetricError {
  const { kind = '', name = '' } = source?.describedObject ?? {};
  const metric = source?.metric;
  const where = 'failed to get object metric value';
  const average =
    source?.target.averageValue === undefined ? '' : `: failed to get ${metric?.name ?? ''} object metric`;
  // The reference puts the reason where the object's name belongs, and the other way round.
  const of = `${kind} on ${measured.namespace} ${name}/`;
  return custom('FailedGetObjectMetric', metric, measured, where + average, of);
}

function externalError(source: MetricSpec['external'], { namespace, external }: Measured): MetricError {
  const { name = '', selector } = source?.metric ?? {};
  const what = `${namespace}/${name}/${printedSelector(selector)}`;
  const why = external.get(name) ?? 'no external metrics are read';
  const message = `unable to get external metric ${what}: unable to fetch metrics from external metrics API: ${why}`;
  const where =
    source?.target.averageValue === undefined
      ? `failed to get external metric ${name}`
      : `failed to get ${name} external metric`;
  return new MetricError('FailedGetExternalMetric', message, where);
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
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new MetricError('FailedGetResourceMetric', `failed to get ${name} utilization: ${why}`);
  }
}

/**
 * What running pods use, in thousandths: what an annotation says (`simulation.vitrine.dev/cpu: 250m`), else what the metrics API
 * says. Throws where nothing is known of any.
 */
function usageOf({ pods, served }: Measured, resource: string): ReadonlyMap<Pod, number> {
  const usage = new Map<Pod, number>();
  for (const pod of pods) {
    const text = getOwn(pod.metadata.annotations, `simulation.vitrine.dev/${resource}`);
    const measured = served instanceof Error ? undefined : getOwn(served.get(pod.metadata.name ?? ''), resource);
    const used = text === undefined ? measured : quantityOf(text).milliValue();
    if (pod.status.phase === 'Running' && used !== undefined) usage.set(pod, used);
  }
  if (usage.size > 0) return usage;
  const why =
    served instanceof Error ? `unable to fetch metrics from resource metrics API: ${served.message}` : NO_METRICS;
  throw new Error(`unable to get metrics for resource ${resource}: ${why}`);
}

const NO_METRICS = 'no metrics returned from resource metrics API';
