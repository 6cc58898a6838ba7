import type { HorizontalPodAutoscaler, Pod } from '../../client/index.ts';
import { Quantity, quantityOf } from '../../schema/index.ts';
import { conditionOf } from '../runtime/index.ts';

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

/** How much of a resource a simulated pod says that it uses: `simulation.vitrine.dev/cpu: 250m`, in thousandths. */
function usageOf(pod: Pod, resource: string): number | undefined {
  const text = pod.metadata.annotations?.[`simulation.vitrine.dev/${resource}`];
  return text === undefined ? undefined : quantityOf(text).milliValue();
}

function requestOf(pod: Pod, resource: string): number {
  const containers = pod.spec.containers ?? [];
  return containers.reduce((sum, container) => {
    const request = container.resources?.requests?.[resource];
    if (request === undefined) throw new MetricError('FailedGetResourceMetric', `missing request for ${resource}`);
    return sum + quantityOf(request).milliValue();
  }, 0);
}

export interface Measured {
  readonly pods: readonly Pod[];
  readonly current: number;
  readonly tolerance: number;
  readonly now: number;
  readonly warmUp: WarmUp;
}

/** How long after its start a pod's processor use says little, in milliseconds. */
export interface WarmUp {
  /** While it lasts, a pod that is not ready is left out. */
  readonly initialization: number;
  /** After it, a pod that is not ready is left out only where it never was: its readiness last changed this soon. */
  readonly readinessDelay: number;
}

/** Whether what a pod uses is taken into account. */
function counts(pod: Pod, resource: string, { now, warmUp }: Measured): boolean {
  if (pod.status.phase === 'Pending' || usageOf(pod, resource) === undefined) return false;
  if (resource !== 'cpu') return true;
  const ready = conditionOf(pod.status.conditions, 'Ready');
  const started = Date.parse(pod.status.startTime ?? '');
  if (!ready || Number.isNaN(started)) return false;
  if (ready.status !== 'False' || now < started + warmUp.initialization) return ready.status !== 'False';
  return Date.parse(ready.lastTransitionTime ?? '') >= started + warmUp.readinessDelay;
}

/** What one metric proposes. Only resource metrics exist here, and only where pods say what they use. Throws MetricError. */
export function propose(metric: MetricSpec, measured: Measured): Proposal {
  const { type, resource } = metric;
  if (type === 'Resource' && resource) return proposeResource(resource, measured);
  const [reason, api] = NO_SOURCE[type] ?? ['InvalidMetricSourceType', 'metrics'];
  throw new MetricError(reason, `unable to fetch metrics from ${api}: no such metrics API is served`);
}

const NO_SOURCE: Readonly<Record<string, readonly [reason: string, api: string]>> = {
  Object: ['FailedGetObjectMetric', 'custom metrics API'],
  Pods: ['FailedGetPodsMetric', 'custom metrics API'],
  External: ['FailedGetExternalMetric', 'external metrics API'],
  ContainerResource: ['FailedGetContainerResourceMetric', 'resource metrics API'],
};

function proposeResource({ name, target }: ResourceMetric, among: Measured): Proposal {
  const { pods, current, tolerance } = among;
  const measured = pods.filter((pod) => counts(pod, name, among));
  if (measured.length === 0) {
    const what = `unable to get metrics for resource ${name}: unable to fetch metrics from resource metrics API`;
    throw new MetricError('FailedGetResourceMetric', `${what}: the server could not find the requested resource`);
  }
  const usage = measured.reduce((sum, pod) => sum + (usageOf(pod, name) ?? 0), 0);
  const averageValue = Quantity.ofMilli(Math.round(usage / measured.length)).toString();
  if (target.averageUtilization === undefined) {
    const wanted = quantityOf(target.averageValue).milliValue();
    const replicas = scaled(usage / measured.length / wanted, measured.length, current, tolerance);
    return {
      replicas,
      name: `${name} resource`,
      status: { type: 'Resource', resource: { name, current: { averageValue } } },
    };
  }
  const requested = measured.reduce((sum, pod) => sum + requestOf(pod, name), 0);
  const averageUtilization = requested === 0 ? 0 : Math.floor((usage * 100) / requested);
  const replicas = scaled(averageUtilization / target.averageUtilization, measured.length, current, tolerance);
  const status: MetricStatus = { type: 'Resource', resource: { name, current: { averageUtilization, averageValue } } };
  return { replicas, name: `${name} resource utilization (percentage of request)`, status };
}

/** Near enough to the target nothing changes. */
function scaled(ratio: number, pods: number, current: number, tolerance: number): number {
  return Math.abs(1 - ratio) <= tolerance ? current : Math.ceil(ratio * pods);
}
