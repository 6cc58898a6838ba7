import type { Pod } from '../../client/index.ts';
import { quantityOf, timeOf } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { conditionOf, isRunningAndReady } from '../runtime/index.ts';
import type { MetricSpec, Reading } from './readings.ts';
import type { ServedUsage } from './usage.ts';

/** The arithmetic of the autoscaler: how many replicas a measured resource requires, in thousandths of the resource. */

/** How long after its start a pod's CPU usage is not representative, in milliseconds. */
export interface WarmUp {
  /** During this time, unready pods are excluded. */
  readonly initialization: number;
  /**
   * After that, an unready pod is excluded only if it was never ready: its readiness last changed within this time
   * after its start.
   */
  readonly readinessDelay: number;
}

export interface Measured {
  /** All pods selected by the target. */
  readonly pods: readonly Pod[];
  /** Their usage from the metrics API. */
  readonly served: ServedUsage;
  /** The values of the other metrics APIs. */
  readonly readings: ReadonlyMap<MetricSpec, Reading>;
  readonly namespace: string;
  /** The target's desired number of replicas. */
  readonly current: number;
  /** The target's current number of replicas. */
  readonly present: number;
  /** The deviation of a ratio from 1 that has no effect. */
  readonly tolerance: number;
  readonly now: number;
  readonly warmUp: WarmUp;
}

/** Usage by pod. */
type Usage = ReadonlyMap<Pod, number>;

/** Pods grouped by the state of their metrics. */
export interface Groups {
  readonly ready: number;
  /** Pending, or too young for CPU usage to be representative. */
  readonly ignored: readonly Pod[];
  readonly missing: readonly Pod[];
}

/** Groups pods by the state of their metrics. Deleted and failed pods are in no group. */
export function groupPods(usage: Usage, resource: string, measured: Measured): Groups {
  const ignored: Pod[] = [];
  const missing: Pod[] = [];
  let ready = 0;
  for (const pod of measured.pods) {
    if (isGone(pod)) continue;
    if (pod.status.phase === 'Pending') ignored.push(pod);
    else if (!usage.has(pod)) missing.push(pod);
    else if (resource === 'cpu' && isWarmingUp(pod, measured)) ignored.push(pod);
    else ready += 1;
  }
  return { ready, ignored, missing };
}

const isGone = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined || status.phase === 'Failed';

function isWarmingUp(pod: Pod, { now, warmUp }: Measured): boolean {
  const ready = conditionOf(pod.status.conditions, 'Ready');
  const started = timeOf(pod.status.startTime);
  if (!ready || started === undefined) return true;
  if (ready.status !== 'False') return false;
  if (started + warmUp.initialization > now) return true;
  return started + warmUp.readinessDelay > (timeOf(ready.lastTransitionTime) ?? 0);
}

/** The total usage of pods relative to their target. */
interface Ratio {
  readonly ratio: number;
  /** Percent of the requests, if that is the target. */
  readonly utilization?: number;
  /** The average in thousandths. */
  readonly average: number;
}

/** Converts usage to a ratio, and defines the assumed usage of a pod without metrics when scaling down. */
export interface Scale {
  readonly ratioOf: (usage: Usage) => Ratio;
  readonly assumedOf: (pod: Pod) => number;
}

export interface Outcome extends Omit<Ratio, 'ratio'> {
  readonly replicas: number;
}

/** A target in percent of the pods' requests. Throws if a container has no request. */
export function utilizationScale(pods: readonly Pod[], resource: string, target: number): Scale {
  const requests = new Map(pods.map((pod) => [pod, requestOf(pod, resource)]));
  const assumedOf = (pod: Pod): number => requests.get(pod) ?? 0;
  const ratioOf = (usage: Usage): Ratio => {
    const used = total(usage);
    const requested = [...usage.keys()].reduce((sum, pod) => sum + assumedOf(pod), 0);
    if (requested === 0) throw new Error('no metrics returned matched known pods');
    const utilization = Math.trunc((used * 100) / requested);
    return { ratio: utilization / target, utilization, average: Math.trunc(used / usage.size) };
  };
  return { ratioOf, assumedOf };
}

/** A target in thousandths per pod. */
export function averageScale(target: number): Scale {
  const ratioOf = (usage: Usage): Ratio => {
    const average = Math.trunc(total(usage) / usage.size);
    return { ratio: average / target, average };
  };
  return { ratioOf, assumedOf: () => target };
}

const total = (usage: Usage): number => [...usage.values()].reduce((sum, value) => sum + value, 0);

function requestOf(pod: Pod, resource: string): number {
  return (pod.spec.containers ?? []).reduce((sum, container) => {
    const request = getOwn(container.resources?.requests, resource);
    if (request === undefined) throw new Error(`missing request for ${resource}`);
    return sum + quantityOf(request).milliValue();
  }, 0);
}

/**
 * The number of replicas that the usage requires. Pods without metrics dampen a change: they count as using their
 * target when scaling down, and as using nothing when scaling up. When scaling up, unready pods also count as using
 * nothing.
 */
export function replicasFor(usage: Usage, groups: Groups, scale: Scale, measured: Measured): Outcome {
  const { current } = measured;
  const counted = new Map([...usage].filter(([pod]) => !isGone(pod) && !groups.ignored.includes(pod)));
  if (counted.size === 0) throw new Error('did not receive metrics for any ready pods');
  const { ratio, ...known } = scale.ratioOf(counted);
  const isShare = known.utilization !== undefined;
  const countsIgnored = groups.ignored.length > 0 && ratio > 1;
  if (!countsIgnored && groups.missing.length === 0)
    return { ...known, replicas: isNear(ratio, measured) ? current : Math.ceil(ratio * groups.ready) };
  // The reference keeps the current number only for a utilization target, if pods without metrics would reverse the
  // direction.
  if (ratio !== 1 || !isShare) for (const pod of groups.missing) counted.set(pod, ratio < 1 ? scale.assumedOf(pod) : 0);
  if (countsIgnored) for (const pod of groups.ignored) counted.set(pod, 0);
  const cautious = scale.ratioOf(counted).ratio;
  const replicas = Math.ceil(cautious * counted.size);
  const turns = (ratio < 1 && cautious > 1) || (ratio > 1 && cautious < 1);
  const contradicts = isShare && ((cautious < 1 && replicas > current) || (cautious > 1 && replicas < current));
  return { ...known, replicas: isNear(cautious, measured) || turns || contradicts ? current : replicas };
}

const isNear = (ratio: number, { tolerance }: Measured): boolean => Math.abs(1 - ratio) <= tolerance;

/**
 * The number of replicas for a value of `ratio` times its target: that ratio times the ready pods; without ready pods,
 * the ratio itself.
 */
export function replicasByRatio(ratio: number, measured: Measured): number {
  const { pods, current } = measured;
  if (current === 0) return Math.ceil(ratio);
  if (isNear(ratio, measured)) return current;
  if (pods.length === 0)
    throw new Error('unable to calculate ready pods: no pods returned by selector while calculating replica count');
  return Math.ceil(ratio * pods.filter(isRunningAndReady).length);
}

/**
 * The number of replicas at which each has `target` of a value, and the current value per replica; both values in
 * thousandths.
 */
export function replicasByShare(
  value: number,
  target: number,
  measured: Measured,
): { readonly replicas: number; readonly average: number } {
  const { present } = measured;
  return {
    replicas: isNear(value / (target * present), measured) ? present : Math.ceil(value / target),
    average: present === 0 ? 0 : Math.ceil(value / present),
  };
}
