import type { Pod } from '../../client/index.ts';
import { quantityOf, timeOf } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { conditionOf, isRunningAndReady } from '../runtime/index.ts';
import type { MetricSpec, Reading } from './readings.ts';
import type { ServedUsage } from './usage.ts';

/** How many replicas a measured resource asks for: the arithmetic of the autoscaler, in thousandths of the resource. */

/** How long after its start a pod's processor use says little, in milliseconds. */
export interface WarmUp {
  /** While it lasts, a pod that is not ready is left out. */
  readonly initialization: number;
  /** After it, a pod that is not ready is left out only where it never was: its readiness last changed this soon. */
  readonly readinessDelay: number;
}

export interface Measured {
  /** All pods that the target selects. */
  readonly pods: readonly Pod[];
  /** What the metrics API says of them. */
  readonly served: ServedUsage;
  /** What the other metrics' APIs say. */
  readonly readings: ReadonlyMap<MetricSpec, Reading>;
  readonly namespace: string;
  /** How many replicas the target is to have. */
  readonly current: number;
  /** How many it has. */
  readonly present: number;
  /** How far a ratio may be from 1 without changing anything. */
  readonly tolerance: number;
  readonly now: number;
  readonly warmUp: WarmUp;
}

/** Usage by pod. */
type Usage = ReadonlyMap<Pod, number>;

/** Pods by what their metrics are good for. */
export interface Groups {
  readonly ready: number;
  /** Pending, or too young to be judged by the processor. */
  readonly ignored: readonly Pod[];
  readonly missing: readonly Pod[];
}

/** Tells pods apart by what their metrics are good for. Pods that leave or have failed count nowhere. */
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

/** What pods use together in relation to what they should. */
interface Ratio {
  readonly ratio: number;
  /** Percent of what was requested, where that is the target. */
  readonly utilization?: number;
  /** Thousandths, on average. */
  readonly average: number;
}

/** How usage becomes a ratio, and what a pod without metrics counts as when the target shrinks. */
export interface Scale {
  readonly ratioOf: (usage: Usage) => Ratio;
  readonly assumedOf: (pod: Pod) => number;
}

export interface Outcome extends Omit<Ratio, 'ratio'> {
  readonly replicas: number;
}

/** The scale of a target in percent of what pods request. Throws where a container requests nothing. */
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

/** The scale of a target in thousandths for each pod. */
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
 * How many replicas usage asks for. Pods without metrics count against any change: as using what they should where the
 * target shrinks, as using nothing where it grows; so do, where it grows, pods that are not ready yet.
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
  // Only for a share of what was requested does the reference keep the number where pods without metrics would turn the change.
  if (ratio !== 1 || !isShare) for (const pod of groups.missing) counted.set(pod, ratio < 1 ? scale.assumedOf(pod) : 0);
  if (countsIgnored) for (const pod of groups.ignored) counted.set(pod, 0);
  const cautious = scale.ratioOf(counted).ratio;
  const replicas = Math.ceil(cautious * counted.size);
  const turns = (ratio < 1 && cautious > 1) || (ratio > 1 && cautious < 1);
  const contradicts = isShare && ((cautious < 1 && replicas > current) || (cautious > 1 && replicas < current));
  return { ...known, replicas: isNear(cautious, measured) || turns || contradicts ? current : replicas };
}

const isNear = (ratio: number, { tolerance }: Measured): boolean => Math.abs(1 - ratio) <= tolerance;

/** How many replicas a value asks for that is `ratio` times its target: as many times the ready pods; from none, the ratio itself. */
export function replicasByRatio(ratio: number, measured: Measured): number {
  const { pods, current } = measured;
  if (current === 0) return Math.ceil(ratio);
  if (isNear(ratio, measured)) return current;
  if (pods.length === 0)
    throw new Error('unable to calculate ready pods: no pods returned by selector while calculating replica count');
  return Math.ceil(ratio * pods.filter(isRunningAndReady).length);
}

/** How many replicas share a value so that each has `target` of it, and what each has now; both values in thousandths. */
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
