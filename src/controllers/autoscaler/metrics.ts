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

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What one metric proposes. Only resource metrics exist here, and only where pods say what they use. Throws MetricError. */
export function propose(metric: MetricSpec, measured: Measured): Proposal {
  const { type, resource } = metric;
  if (type === 'Resource' && resource) return proposeResource(resource, measured);
  const [reason, api] = getOwn(NO_SOURCE, type) ?? ['InvalidMetricSourceType', 'metrics'];
  throw new MetricError(reason, `unable to fetch metrics from ${api}: no such metrics API is served`);
}

const NO_SOURCE: Readonly<Record<string, readonly [reason: string, api: string]>> = {
  Object: ['FailedGetObjectMetric', 'custom metrics API'],
  Pods: ['FailedGetPodsMetric', 'custom metrics API'],
  External: ['FailedGetExternalMetric', 'external metrics API'],
  ContainerResource: ['FailedGetContainerResourceMetric', 'resource metrics API'],
};

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
