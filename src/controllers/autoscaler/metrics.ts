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
    const usage = usageOf(measured.pods, name);
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
 * What running pods say that they use, in thousandths: `simulation.vitrine.dev/cpu: 250m`. Throws where none says it,
 * as no metrics API is served then.
 */
function usageOf(pods: readonly Pod[], resource: string): ReadonlyMap<Pod, number> {
  const usage = new Map<Pod, number>();
  for (const pod of pods) {
    const text = getOwn(pod.metadata.annotations, `simulation.vitrine.dev/${resource}`);
    if (pod.status.phase === 'Running' && text !== undefined) usage.set(pod, quantityOf(text).milliValue());
  }
  if (usage.size > 0) return usage;
  const api = 'unable to fetch metrics from resource metrics API: the server could not find the requested resource';
  throw new Error(`unable to get metrics for resource ${resource}: ${api}`);
}
